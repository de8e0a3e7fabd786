"""The use of the columns of a table: features, label, identifiers, or none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

import numpy as np
import numpy.typing as npt

from nestviz.data.cells import number_text
from nestviz.data.errors import DataError, listed
from nestviz.data.identifiers import identifies
from nestviz.data.large import counted, distinct
from nestviz.data.tables import Table

MAX_CATEGORIES = 30
_MAX_CLASSES = 20
_LABEL_NAMES = ("y", "label", "labels", "class", "target", "outlier", "anomaly", "is_outlier")
_POSITIVE_NAMES = ("1", "+1", "true", "yes", "positive", "pos", "inlier", "normal")


@dataclass(frozen=True)
class Roles:
    """How to make a data set of a table.

    Attributes
    ----------
    features : tuple of str or None
        Feature columns; None for every column but the label and the identifiers.
    label : str or None
        The label column, if any.
    positive : tuple of str
        Values of the label that count as +1, written as `label_values` writes them.
    missing : {"drop", "mean"}
        Drop rows with a missing feature, or fill in the mean of the column.
    standardise : bool
        Bring each feature to mean 0 and standard deviation 1.
    ids : tuple of str
        Columns that identify points, such as a number, a name or a date: shown, not fitted.
    """

    features: tuple[str, ...] | None = None
    label: str | None = None
    positive: tuple[str, ...] = ()
    missing: Literal["drop", "mean"] = "drop"
    standardise: bool = True
    ids: tuple[str, ...] = ()


def label_values(table: Table, column: str, most: int | None = None) -> list[tuple[str, int]]:
    """Count the values of a column, in natural order, without missing ones.

    Parameters
    ----------
    table : Table
        The table.
    column : str
        Name of the column.
    most : int, optional
        Number of values to return at most: the first ones.

    Returns
    -------
    list of (str, int)
    """
    check_columns(table, (column,))
    present = ((text, count) for text, count in _counts(table, column) if text)
    return list(islice(present, most))


def label_texts(table: Table, column: str) -> npt.NDArray[np.object_]:
    """Return a column as text, number by number as `label_values` writes them; "" where missing."""
    values = table.column(column)
    if values.dtype == object:
        return values
    numbers, where = np.unique(values, return_inverse=True)
    written = np.array([number_text(float(value)) for value in numbers], dtype=object)
    return written[where]


def _counts(table: Table, column: str) -> Iterator[tuple[str, int]]:
    values = table.column(column)
    if values.dtype == object:
        return counted(values)
    numbers, counts = np.unique(values, return_counts=True)
    return ((number_text(float(x)), int(n)) for x, n in zip(numbers, counts, strict=True))


def check_columns(table: Table, names: tuple[str, ...]) -> None:
    """Raise unless the table has all these columns."""
    known = set(table.columns)
    for name in names:
        if name not in known:
            hint = f"It has {listed(table.columns)}."
            raise DataError("The table has no such column.", column=name, hint=hint)


def guess_roles(table: Table) -> Roles:
    """Guess the roles of the columns.

    The label is a column with a typical name and a few values, or else a last column of text with
    two values. Identifiers are dates, text with a value of its own in nearly every row, and whole
    numbers that do not repeat in a column named like one. Features are the other columns of
    numbers. Columns of text with few values are features only where there are no such numbers:
    each would become several features, which outweigh the numbers.

    Parameters
    ----------
    table : Table
        The table.

    Returns
    -------
    Roles
    """
    label = _guess_label(table)
    rest = [name for name in table.columns if name != label]
    ids = tuple(name for name in rest if identifies(table, name))
    usable = tuple(name for name in rest if name not in ids and _usable(table, name))
    features = tuple(name for name in usable if table.is_numeric(name)) or usable
    # Identifiers alone are all that can be fitted.
    roles = Roles(features=features, ids=ids) if features else Roles(features=tuple(rest))
    if label is None:
        return roles
    return replace(roles, label=label, positive=(_guess_positive(label_values(table, label)),))


def _guess_label(table: Table) -> str | None:
    if len(table.columns) < 2:
        return None
    for name in reversed(table.columns):
        telling = name.strip().lower() in _LABEL_NAMES
        if telling and 2 <= len(label_values(table, name, _MAX_CLASSES + 1)) <= _MAX_CLASSES:
            return name
    last = table.columns[-1]
    if not table.is_numeric(last) and len(label_values(table, last, 3)) == 2:
        return last
    return None


def _guess_positive(values: list[tuple[str, int]]) -> str:
    for text, _ in values:
        if text.lower() in _POSITIVE_NAMES:
            return text
    return min(values, key=lambda pair: pair[1])[0]


def _usable(table: Table, name: str) -> bool:
    values = table.column(name)
    if values.dtype != object:
        return not np.isnan(values).all()
    different = distinct(values)
    count = len(different) - ("" in different)
    return 1 <= count <= min(MAX_CATEGORIES, max(table.n_rows // 2, 2))
