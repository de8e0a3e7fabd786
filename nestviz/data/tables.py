"""Records of a file that has been read: its columns, and the guesses made."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from nestviz.data.cells import encodable
from nestviz.data.errors import check_unique

FORMATS = ("delimited", "svmlight", "parquet", "spreadsheet", "numpy")
DELIMITERS = {
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
    "vertical bar": "|",
    "spaces": " ",
    "none (one column)": "",
}
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "cp1252", "latin-1")

# float64 for numbers, object for text
Column = npt.NDArray[Any]


@dataclass(frozen=True)
class ReadChoices:
    """Settings for reading a file; `None` leaves one to a guess.

    Attributes
    ----------
    format : str, optional
        One of `FORMATS`.
    encoding : str, optional
        Any text encoding of Python; the usual ones are in `ENCODINGS`.
    delimiter : str, optional
        One of the values of `DELIMITERS`; "" for a single column.
    decimal : str, optional
        "." or ",".
    quote : str, optional
        A quoting character, or "" for none.
    header : bool, optional
        Whether the first row has column names.
    sheet : str, optional
        Name of the sheet of a workbook.
    array : str, optional
        Name of the array in an .npz file.
    """

    format: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    quote: str | None = None
    header: bool | None = None
    sheet: str | None = None
    array: str | None = None


@dataclass(frozen=True)
class Guess:
    """A setting that had to be guessed.

    Attributes
    ----------
    what : str
        The field of `ReadChoices` that overrides the guess.
    value : str or bool
        The guess, as that field takes it.
    why : str
        The reason, as a sentence.
    """

    what: str
    value: str | bool
    why: str


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of a file, as read and not yet interpreted.

    Attributes
    ----------
    columns : tuple of str
        Column names.
    values : tuple of ndarray
        One array per column: float64 with NaN for missing, or str objects with "" for missing.
    row_numbers : ndarray of int of shape (n_rows,)
        Row of the file, counted from 1, of each record.
    name : str
        Name of the data.
    guesses : tuple of Guess
        The guesses made while reading.
    source : str
        A sentence on the source of the table.
    """

    columns: tuple[str, ...]
    values: tuple[Column, ...]
    row_numbers: npt.NDArray[np.int64]
    name: str
    guesses: tuple[Guess, ...] = ()
    source: str = ""
    _where: dict[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        names = tuple(encodable(name) for name in self.columns)
        check_unique(names, "Two columns have the same name.", "Rename one.")
        for attribute, value in (
            ("columns", names),
            ("name", encodable(self.name)),
            ("source", encodable(self.source)),
            ("_where", {name: j for j, name in enumerate(names)}),
        ):
            object.__setattr__(self, attribute, value)
        for array in (*self.values, self.row_numbers):
            array.setflags(write=False)

    @property
    def n_rows(self) -> int:
        """Return the number of records."""
        return len(self.row_numbers)

    def column(self, name: str) -> Column:
        """Return the values of a column."""
        return self.values[self._where[name]]

    def is_numeric(self, name: str) -> bool:
        """Return whether a column has numbers."""
        return self.column(name).dtype == np.float64

    def preview(self, k: int = 10) -> list[list[float | str | None]]:
        """Return the first ``k`` rows, with None where a value is missing."""
        return [[_shown(column[i]) for column in self.values] for i in range(min(k, self.n_rows))]


def _shown(value: float | str) -> float | str | None:
    if isinstance(value, str):
        return value or None
    return None if np.isnan(value) else float(value)
