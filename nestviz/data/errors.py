"""The error that users see when data cannot be used."""

from __future__ import annotations

from collections.abc import Sequence


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
        column = [] if self.column is None else [f"column '{self.column}'"]
        where = f"Where: {', '.join(row + column)}." if row or column else ""
        return " ".join(part for part in (self.message, where, self.hint) if part)

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions pickle by positional arguments only; keep where and hint across processes.
        return _rebuild, (self.message, self.row, self.column, self.hint)


def _rebuild(message: str, row: int | None, column: str | None, hint: str) -> DataError:
    return DataError(message, row=row, column=column, hint=hint)


def check_unique(names: Sequence[str], problem: str, hint: str, row: int | None = None) -> None:
    """Raise a `DataError` about the first name that occurs twice."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise DataError(problem, row=row, column=twice, hint=hint)


def quoted(text: str, limit: int = 80) -> str:
    """Return text for an error message: printable, and cut to at most ``limit`` characters."""
    if len(text) > limit:
        text = text[: limit - 1] + "…"
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
