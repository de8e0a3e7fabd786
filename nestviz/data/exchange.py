"""Data sets as CSV files, exact to the last bit; tables that spreadsheets open safely."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from nestviz.data.dataset import Dataset
from nestviz.data.errors import DataError, listed, quoted
from nestviz.data.limits import Limits

LABEL = "label"
"""Name of the label column, unless a feature is called so."""
# A spreadsheet takes text that starts like this for a formula.
_FORMULA = re.compile(r"\A'*[=+\-@\t\r]")


def dataset_to_csv(dataset: Dataset) -> str:
    """Write the points and labels of a data set as CSV, numbers to their last digit.

    Parameters
    ----------
    dataset : Dataset
        The data.

    Returns
    -------
    str
        A row of names and a row per point; labels, if any, in the last column. `read_dataset`
        returns a data set with the same fingerprint.

    Examples
    --------
    >>> print(dataset_to_csv(Dataset([[0.5, 1.0]], y=[1])), end="")
    x1,x2,label
    0.5,1.0,1
    """
    names = [*dataset.feature_names, *([label_name(dataset)] if dataset.labelled else [])]
    rows: list[list[float]] = dataset.X.tolist()
    if dataset.y is not None:
        rows = [[*row, label] for row, label in zip(rows, dataset.y.tolist(), strict=True)]
    return table_to_csv(names, rows)


def label_name(dataset: Dataset) -> str:
    """Return the name of the label column in a data set's CSV file.

    Parameters
    ----------
    dataset : Dataset
        The data.

    Returns
    -------
    str
    """
    name = LABEL
    while name in dataset.feature_names:
        name += "_"
    return name


def table_to_csv(names: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table as CSV without cells that a spreadsheet takes for formulas.

    Parameters
    ----------
    names : sequence of str
        The first row.
    rows : iterable of sequence
        Numbers are written to their last digit. Text that looks like a formula gets an apostrophe
        in front.

    Returns
    -------
    str
    """
    out = io.StringIO()
    plain = csv.writer(out, lineterminator="\n")
    # A carriage return ends a row for readers, but is not quoted by the plain writer.
    in_quotes = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in (names, *rows):
        returns = any(isinstance(cell, str) and "\r" in cell for cell in row)
        (in_quotes if returns else plain).writerow([_safe(cell) for cell in row])
    return out.getvalue()


def _safe(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def _as_given(name: str) -> str:
    """Undo `_safe`."""
    return name[1:] if name.startswith("'") and _FORMULA.match(name) else name


def read_dataset(path: str | Path, *, label: str | None = None, name: str | None = None) -> Dataset:
    """Read a file of `dataset_to_csv`.

    Nothing is guessed, dropped or scaled. For other files use `read_table` and `to_dataset`.

    Parameters
    ----------
    path : str or Path
        A CSV file of numbers with a row of names.
    label : str, optional
        The column of labels in {-1, +1}; all others are features.
    name : str, optional
        Name of the data; by default the name of the file.

    Returns
    -------
    Dataset
    """
    file = Path(path)
    limits = Limits()
    limits.check_file_size(file.stat().st_size)
    try:
        with file.open(newline="", encoding="utf-8") as lines:
            rows = list(csv.reader(lines))
    except (UnicodeDecodeError, csv.Error) as fault:
        raise DataError(
            f"The file '{quoted(file.name)}' is not CSV in UTF-8.",
            hint="Use read_table for other files.",
        ) from fault
    if len(rows) < 2:
        raise DataError(f"The file '{quoted(file.name)}' has no rows below the column names.")
    columns = [_as_given(column) for column in rows[0]]
    limits.check_shape(len(rows) - 1, len(columns))
    table = _numbers(rows[1:], columns)
    features = np.ones(len(columns), bool)
    y = None
    if label is not None:
        if label not in columns:
            raise DataError(
                f"There is no column '{quoted(label)}'.",
                hint=f"The columns are {listed(columns)}.",
            )
        features[columns.index(label)] = False
        y = table[:, columns.index(label)]
    names = tuple(column for column, kept in zip(columns, features, strict=True) if kept)
    story = (f"Read from '{quoted(file.name)}'.",)
    return Dataset(table[:, features], y, names, name or file.stem, story)


def _numbers(rows: Sequence[Sequence[str]], columns: Sequence[str]) -> np.ndarray:
    table = np.empty((len(rows), len(columns)))
    for k, row in enumerate(rows):
        if len(row) != len(columns):
            raise DataError(
                f"There are {len(row)} cells where {len(columns)} are expected.", row=k + 2
            )
        for j, cell in enumerate(row):
            try:
                table[k, j] = float(cell)
            except ValueError:
                raise DataError(
                    f"'{quoted(cell, 40)}' is not a number.", row=k + 2, column=columns[j]
                ) from None
    return table
