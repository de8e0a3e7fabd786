"""The error that users see when data cannot be used."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import islice
from typing import TypeVar

_Item = TypeVar("_Item", bound=Hashable)


class DataError(ValueError):
    """Data that cannot be used: what is wrong, where, and what to do.

    Parameters
    ----------
    message : str
        One or two full sentences saying what is wrong.
    row : int, optional
        Row of the file, counted from 1 as a spreadsheet counts.
    column : str, optional
        Name of the column.
    hint : str, optional
        A full sentence saying what to do.

    Examples
    --------
    >>> print(DataError("The cell is empty.", row=3, column="age", hint="Fill it in."))
    The cell is empty. Where: row 3, column 'age'. Fill it in.
    """

    def __init__(
        self, message: str, *, row: int | None = None, column: str | None = None, hint: str = ""
    ) -> None:
        super().__init__(message)
        self.message = message
        self.row = row
        self.column = column
        self.hint = hint

    def __str__(self) -> str:
        row = [] if self.row is None else [f"row {self.row}"]
        column = [] if self.column is None else [f"column '{quoted(self.column)}'"]
        where = f"Where: {', '.join(row + column)}." if row or column else ""
        return " ".join(part for part in (self.message, where, self.hint) if part)

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions pickle by positional arguments only; keep where and hint across processes.
        return _rebuild, (self.message, self.row, self.column, self.hint)


def _rebuild(message: str, row: int | None, column: str | None, hint: str) -> DataError:
    return DataError(message, row=row, column=column, hint=hint)


def quoted(text: str, limit: int = 80) -> str:
    """Return text from outside for a message: at most ``limit`` characters, all printable."""
    shown = "".join(_printable(sign) for sign in text[:limit])
    return shown if len(text) <= limit else f"{shown[: limit - 1]}…"


def _printable(sign: str) -> str:
    if sign.isprintable():
        return sign
    return " " if sign.isspace() else "\N{REPLACEMENT CHARACTER}"


def listed(names: Iterable[str]) -> str:
    """Return the first ten names for a message."""
    first = [quoted(name, 30) for name in islice(names, 11)]
    return ", ".join(first if len(first) <= 10 else [*first[:10], "…"])


def first_repeat(items: Iterable[_Item]) -> _Item | None:
    """Return the first item that occurred before, or None."""
    seen: set[_Item] = set()
    for item in items:
        if item in seen:
            return item
        seen.add(item)
    return None


def check_unique(names: Iterable[str], problem: str, hint: str, row: int | None = None) -> None:
    """Raise a `DataError` about the first name that occurs twice."""
    twice = first_repeat(names)
    if twice is not None:
        raise DataError(problem, row=row, column=twice, hint=hint)
