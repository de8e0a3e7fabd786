"""`Preparation`: what was done to a table on its way to points, to be done to other tables.

A model that was fitted to standardised features with indicator columns can judge new rows only
after the same steps, with the means and deviations of the data that it was fitted to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from nestviz.arrays import FloatArray
from nestviz.data.annotations import Annotations
from nestviz.data.conversion import Converted, annotate, finite_cells
from nestviz.data.dataset import Dataset
from nestviz.data.errors import DataError, listed, quoted
from nestviz.data.roles import Roles, check_columns, label_texts
from nestviz.data.scaling import Scaling, column_means
from nestviz.data.tables import Table


class Feature(NamedTuple):
    """A feature: a column of numbers, or the indicator of one text of a column."""

    name: str
    column: str
    text: str | None = None


@dataclass(frozen=True, eq=False)
class Preparation:
    """The steps from a table to points.

    Attributes
    ----------
    features : tuple of Feature
        In the order of the points' coordinates.
    texts : mapping of str to tuple of str
        All texts of each column that became indicators.
    missing : {"drop", "mean"}
        What is done to a row with a missing feature.
    means : ndarray of shape (n_features,)
        What is filled in for "mean".
    scaling : Scaling or None
        The change of units; None where features are taken as they are.
    """

    features: tuple[Feature, ...]
    texts: Mapping[str, tuple[str, ...]]
    missing: Literal["drop", "mean"]
    means: FloatArray
    scaling: Scaling | None

    @classmethod
    def of(cls, table: Table, roles: Roles, converted: Converted) -> Preparation:
        """Return the steps of a conversion.

        Parameters
        ----------
        table : Table
            The table.
        roles : Roles
            The use of its columns, with their names; whether to standardise is part of it.
        converted : Converted
            Its points in their own units.

        Returns
        -------
        Preparation
        """
        columns = [name for name in table.columns if name in (roles.features or table.columns)]
        numeric = {name: Feature(name, name) for name in columns if table.is_numeric(name)}
        texts = {name: _texts(table, name) for name in columns if name not in numeric}
        shown = {
            f"{name}={text}": Feature(f"{name}={text}", name, text)
            for name, found in texts.items()
            for text in found
        }
        features = tuple((shown | numeric)[name] for name in converted.dataset.feature_names)
        used = {feature.column for feature in features if feature.text is not None}
        kept = {name: found for name, found in texts.items() if name in used}
        scaling = Scaling.of(converted.dataset.X) if roles.standardise else None
        empty = cls(features, kept, roles.missing, np.zeros(len(features)), None)
        labelled = np.ones(table.n_rows, dtype=np.bool_)
        if roles.label is not None:
            labelled = np.asarray(label_texts(table, roles.label) != "")
        means = column_means(empty.coordinates(table)[labelled])
        return cls(features, kept, roles.missing, means, scaling)

    def apply(self, table: Table, ids: Sequence[str] = ()) -> Converted:
        """Return the points of another table in their own units, and the records they are.

        Parameters
        ----------
        table : Table
            Has the columns of the features; others are kept as annotations.
        ids : sequence of str
            Columns that identify the points.

        Returns
        -------
        Converted
        """
        X = self.coordinates(table)
        gaps = np.isnan(X)
        complete = np.ones(len(X), dtype=np.bool_)
        if self.missing == "mean":
            X = np.where(gaps, self.means, X)
        else:
            complete = ~np.asarray(gaps.any(axis=1))
        if not complete.any():
            worst = self.features[int(np.argmax(gaps.sum(axis=0)))]
            raise DataError(
                "Every row has a missing value, so none would be left.", column=worst.column
            )
        names = tuple(feature.name for feature in self.features)
        story, records = [table.source], np.flatnonzero(complete)
        columns = tuple(dict.fromkeys(feature.column for feature in self.features))
        notes = annotate(table, Roles(columns, ids=tuple(ids)), records, story)
        dataset = Dataset(X[complete], None, names, table.name, tuple(story), notes)
        return Converted(dataset, records)

    def scaled(self, dataset: Dataset) -> Dataset:
        """Return points in the units of the fit."""
        if self.scaling is None:
            return dataset
        note = "Each feature was brought to mean 0 and standard deviation 1."
        notes = (dataset.annotations or Annotations()).with_own(dataset.X, self.scaling.units)
        story = (*dataset.provenance, note)
        X = self.scaling.apply(dataset.X)
        return replace(dataset, X=X, provenance=story, annotations=notes)

    def coordinates(self, table: Table) -> FloatArray:
        """Return the features of all records in their own units, NaN where missing."""
        check_columns(table, tuple(dict.fromkeys(feature.column for feature in self.features)))
        for column, known in self.texts.items():
            _check_texts(table, column, known)
        return np.column_stack([_values(table, feature) for feature in self.features])


def _texts(table: Table, column: str) -> tuple[str, ...]:
    return tuple(sorted(set(table.column(column).tolist()) - {""}))


def _check_texts(table: Table, column: str, known: tuple[str, ...]) -> None:
    """Raise where a column has a text that has no indicator."""
    written = label_texts(table, column)
    unknown = np.array([text != "" and text not in known for text in written], dtype=np.bool_)
    if unknown.any():
        at = int(np.argmax(unknown))
        raise DataError(
            f"The text '{quoted(written[at], 40)}' is new: the model knows {listed(known)}.",
            row=int(table.row_numbers[at]),
            column=column,
            hint="Leave the row out, or fit the model again.",
        )


def _values(table: Table, feature: Feature) -> npt.NDArray[np.float64]:
    values = table.column(feature.column)
    if feature.text is not None:
        written = label_texts(table, feature.column)
        return np.where(written == "", np.nan, written == feature.text)
    if values.dtype == object:
        filled = np.flatnonzero(values != "")
        if filled.size:
            raise DataError(
                f"The cell '{quoted(values[filled[0]], 40)}' is in a column of text, but the model "
                "was fitted to numbers there.",
                row=int(table.row_numbers[filled[0]]),
                column=feature.column,
                hint="Correct the column, or fit the model again.",
            )
        return np.full(table.n_rows, np.nan)
    return finite_cells(values, feature.column, table.row_numbers)
