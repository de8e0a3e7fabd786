"""`to_dataset`: from a table and the roles of its columns to a `Dataset`."""

from __future__ import annotations

from dataclasses import replace
from heapq import nsmallest
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from nestviz.arrays import FloatArray
from nestviz.data.annotations import MOST_BYTES, Annotations, within
from nestviz.data.cells import is_number
from nestviz.data.dataset import Dataset, GivenAway
from nestviz.data.errors import DataError, check_unique, listed, quoted
from nestviz.data.large import by_columns, distinct, distinct_rows, keep
from nestviz.data.limits import Limits
from nestviz.data.roles import MAX_CATEGORIES, Roles, check_columns, guess_roles, label_texts
from nestviz.data.scaling import Scaling, column_means, standard_scores, varying_features
from nestviz.data.tables import Column, Table

Story = list[str]
DROPPED = ("was dropped.", "were dropped.")
"""Ends of the sentences of the provenance that are about rows left out."""


class Converted(NamedTuple):
    """A data set, and the records of the table that its points are."""

    dataset: Dataset
    records: npt.NDArray[np.intp]


def to_dataset(table: Table, roles: Roles | None = None, limits: Limits | None = None) -> Dataset:
    """Make a data set of a table.

    Rows without a label are dropped; nominal features become one indicator column for each value;
    missing features are dropped or filled in; constant columns are dropped; repeated rows are
    counted and kept. The provenance of the result records every change.

    Parameters
    ----------
    table : Table
        The table.
    roles : Roles, optional
        Use of the columns; guessed by default.
    limits : Limits, optional
        Limits on the size of the result.

    Returns
    -------
    Dataset
    """
    return convert(table, roles, limits).dataset


def convert(table: Table, roles: Roles | None = None, limits: Limits | None = None) -> Converted:
    """Make a data set as `to_dataset` does, and return which records of the table it has."""
    roles, limits = roles or guess_roles(table), limits or Limits()
    names = _feature_columns(table, roles)
    story = [table.source] if table.source else []
    y, kept = _labels(table, roles, story)
    X, feature_names = _features(table, names, kept, limits, story)
    X, complete = _without_gaps(X, feature_names, roles.missing, story)
    if y is not None:
        y = y[complete]
        _check_both(y, roles)
    varying, feature_names, sentences = varying_features(X, feature_names)
    X = X if varying.all() else keep(X, None, varying)
    story += sentences
    _count_repeats(X, y, story)
    records = np.flatnonzero(kept)[complete]
    notes = annotate(table, roles, records, story, X if roles.standardise else None)
    if roles.standardise:
        standard_scores(X)
        story.append("Each feature was brought to mean 0 and standard deviation 1.")
    dataset = Dataset(X.view(GivenAway), y, feature_names, table.name, tuple(story), notes)
    return Converted(dataset, records)


def annotate(
    table: Table,
    roles: Roles,
    records: npt.NDArray[np.intp],
    story: Story,
    X: FloatArray | None = None,
) -> Annotations:
    """Return rows, identifiers and other columns of the points, as far as memory allows.

    ``X`` are the features before they are standardised; None where they are not.
    """
    index = None if len(records) == table.n_rows else records
    rows = table.row_numbers if index is None else table.row_numbers[index]
    used = set(roles.ids)
    ids, lost = within(MOST_BYTES, ((name, table.column(name)) for name in roles.ids), index)
    names = tuple(name for name in roles.ids if name in ids)
    notes = Annotations(rows, names, ids)
    if X is not None:
        columns = (Scaling.of(X[:, [j]]).units for j in range(X.shape[1]))
        units = np.concatenate(list(columns), axis=1)
        notes = notes.with_own(X.copy() if notes.size + X.nbytes <= MOST_BYTES else None, units)
    features = set(roles.features or table.columns) - {roles.label}
    others = (
        (name, table.column(name))
        for name in table.columns
        if name not in used and not (name in features and table.is_numeric(name))
    )
    more, lost_too = within(MOST_BYTES - notes.size, others, index)
    if lost or lost_too:
        story.append(f"Columns too large to keep beside the points: {listed(lost + lost_too)}.")
    return replace(notes, columns=ids | more)


def _feature_columns(table: Table, roles: Roles) -> tuple[str, ...]:
    if roles.missing not in ("drop", "mean"):
        raise DataError(
            f"Missing values cannot be treated by '{quoted(roles.missing)}'.",
            hint="Choose 'drop' or 'mean'.",
        )
    if roles.label is not None:
        check_columns(table, (roles.label,))
    if roles.features is None:
        names = tuple(name for name in table.columns if name not in (roles.label, *roles.ids))
    else:
        names = tuple(dict.fromkeys(roles.features))
    check_columns(table, names)
    if not names:
        raise DataError("There is no feature column.", hint="Choose at least one.")
    if roles.label in names:
        raise DataError(
            "The label cannot be a feature too.", column=roles.label, hint="Remove it from one."
        )
    check_columns(table, roles.ids)
    return names


def _labels(
    table: Table, roles: Roles, story: Story
) -> tuple[npt.NDArray[np.int8] | None, npt.NDArray[np.bool_]]:
    """Return labels of the rows that have one, and which rows these are."""
    if roles.label is None:
        return None, np.ones(table.n_rows, dtype=bool)
    written = label_texts(table, roles.label)
    kept = written != ""
    present = distinct(written[kept])
    if not roles.positive or not set(roles.positive) <= present:
        wrong = next((text for text in roles.positive if text not in present), None)
        problem = "No value of the label is chosen as +1."
        if wrong is not None:
            problem = f"The label never has the value '{quoted(wrong)}' chosen as +1."
        hint = f"Choose from: {listed(nsmallest(11, present))}."
        raise DataError(problem, column=roles.label, hint=hint)
    missing = int(np.count_nonzero(~kept))
    if missing:
        story.append(_dropped(missing, f"without a label in '{quoted(roles.label)}'"))
    shown = listed(f"'{quoted(text, 28)}'" for text in roles.positive)
    story.append(f"In column '{quoted(roles.label)}' {shown} counts as +1, the rest as -1.")
    positive = set(roles.positive)
    # Not by an array of fixed width: one long text would widen every row.
    y = np.array([1 if text in positive else -1 for text in written[kept]], dtype=np.int8)
    return y, kept


def _check_both(y: npt.NDArray[np.int8], roles: Roles) -> None:
    if (y == y[0]).all():
        raise DataError(
            f"Every row that is left has the label {y[0]:+d}.",
            column=roles.label,
            hint="Choose other values as +1, or no label column.",
        )


def _features(
    table: Table, names: tuple[str, ...], kept: npt.NDArray[np.bool_], limits: Limits, story: Story
) -> tuple[FloatArray, tuple[str, ...]]:
    """Return numbers of all features, NaN where missing, nominal ones as indicators."""
    everything = bool(kept.all())
    rows = table.row_numbers[kept]

    def values_of(name: str) -> Column:
        values = table.column(name)
        return values if everything else values[kept]

    # What becomes a column: that of the table with this name, or the indicator of a text in it.
    plan: list[tuple[str, str | None]] = []
    feature_names: list[str] = []
    empty: list[str] = []
    for name in names:
        found = _becomes(values_of(name), name, rows, story)
        # A column without any value has nothing to average or to keep.
        if not found:
            empty.append(name)
            continue
        limits.check_shape(len(rows), len(plan) + len(found))
        plan += [(name, text) for text in found.values()]
        feature_names += found
    if not plan:
        raise DataError("The feature columns have no values.", hint="Choose other columns.")
    if empty:
        story.append(f"Columns without any value were dropped: {listed(empty)}.")
    problem = "An indicator column would have the name of another column."
    check_unique(feature_names, problem, "Rename that column.")
    X = np.empty((len(rows), len(plan)))
    for j, (name, text) in enumerate(plan):
        values = values_of(name)
        X[:, j] = values if text is None else np.where(values == "", np.nan, values == text)
    return X, tuple(feature_names)


def _becomes(
    values: Column, name: str, rows: npt.NDArray[np.int64], story: Story
) -> dict[str, str | None]:
    """Return the names of the features that a column becomes, with the text of an indicator."""
    if values.dtype == object:
        return {f"{name}={text}": text for text in _indicators(values, name, rows, story)}
    finite_cells(values, name, rows)
    return {} if np.isnan(values).all() else {name: None}


def finite_cells(values: FloatArray, name: str, rows: npt.NDArray[np.int64]) -> FloatArray:
    """Return numbers as they are, or raise where one is infinite."""
    infinite = np.isinf(values)
    if infinite.any():
        raise DataError(
            "The number is infinite or too large.",
            row=int(rows[np.argmax(infinite)]),
            column=name,
            hint="Correct the cell, or leave the column out.",
        )
    return values


def _indicators(
    values: npt.NDArray[np.object_], name: str, rows: npt.NDArray[np.int64], story: Story
) -> list[str]:
    """Return the texts that get a column of zeros and ones each, NaN where the text is missing."""
    different = distinct(values) - {""}
    _check_not_numbers(values, name, rows)
    if len(different) > MAX_CATEGORIES:
        raise DataError(
            f"This column of text has {len(different):,} different values; "
            f"at most {MAX_CATEGORIES} can become indicator columns.",
            column=name,
            hint="Leave the column out of the features.",
        )
    categories = sorted(different)
    # The second of two indicators would only repeat the first.
    shown = categories[1:] if len(categories) == 2 else categories
    if shown:
        what = "an indicator column" if len(shown) == 1 else f"{len(shown)} indicator columns"
        story.append(f"Column '{quoted(name)}' of text became {what}.")
    return shown


def _check_not_numbers(
    values: npt.NDArray[np.object_], name: str, rows: npt.NDArray[np.int64]
) -> None:
    """Raise where a few cells of a column of numbers are text."""
    present = np.flatnonzero(values != "")
    numeric = np.array([is_number(values[i]) for i in present], dtype=bool)
    if numeric.mean() <= 0.5 if len(numeric) else True:
        return
    at = int(present[np.argmin(numeric)])
    raise DataError(
        f"The cell '{quoted(values[at], 40)}' is not a number, but most cells of its column are.",
        row=int(rows[at]),
        column=name,
        hint="Correct or empty the cell, check the decimal sign, or leave the column out.",
    )


def _without_gaps(
    X: FloatArray, names: tuple[str, ...], missing: str, story: Story
) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Return points without NaN, and which rows they are."""
    gaps = np.isnan(X)
    complete: npt.NDArray[np.bool_] = ~np.asarray(gaps.any(axis=1))
    if complete.all():
        return X, complete
    count, affected = int(gaps.sum()), int(np.count_nonzero(~complete))
    if missing == "mean":
        where = listed(names[j] for j in np.flatnonzero(gaps.any(axis=0)))
        cells = "1 missing value was" if count == 1 else f"{count:,} missing values were"
        story.append(f"{cells} filled in with the mean of the column ({where}).")
        filled = by_columns(X, lambda part: np.where(np.isnan(part), column_means(part), part))
        return filled, np.ones(len(X), dtype=bool)
    if not complete.any():
        raise DataError(
            "Every row has a missing value, so none would be left.",
            column=names[int(np.argmax(gaps.sum(axis=0)))],
            hint="Fill in the mean instead, or leave out columns with many gaps.",
        )
    story.append(_dropped(affected, "with missing values"))
    return keep(X, complete, None), complete


def _dropped(count: int, which: str) -> str:
    one, more = DROPPED
    return f"1 row {which} {one}" if count == 1 else f"{count:,} rows {which} {more}"


def _count_repeats(X: FloatArray, y: npt.NDArray[np.int8] | None, story: Story) -> None:
    columns = [*X.T, *(() if y is None else (y,))]
    repeats = len(X) - distinct_rows(columns)
    if repeats:
        verb = "row repeats" if repeats == 1 else "rows repeat"
        story.append(f"{repeats:,} {verb} an earlier one and are kept.")
