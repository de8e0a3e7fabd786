"""Limits on the size of data, checked before memory is used for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nestviz.data.errors import DataError, quoted

MEGABYTE = 1_000_000
BYTES_PER_CELL = 8
UNCOUNTED_ROWS = 1_000_000
"""Rows whose numbers do not count as memory of a table."""
MAX_CELL_LENGTH = 131_072
"""Characters of a cell; the limit of Python's reader of CSV, here for all formats."""
MAX_NAME_LENGTH = 1_000
"""Characters of the name of a column."""


@dataclass(frozen=True)
class Limits:
    """Upper bounds on the size of data.

    Attributes
    ----------
    max_bytes : int
        Size of the file.
    max_decompressed_bytes : int
        Size after decompression.
    max_table_bytes : int
        Size of the table in memory: eight bytes per cell, and per row beyond the first million
        for its number, and each different text of a column once. At most
        ``max_decompressed_bytes``, if that is less.
    max_rows, max_columns : int
        Shape of the table. A row of text takes two bytes at least, so that the size of the file
        and of the table in memory are the limits that count.
    subsample_above : int
        Number of rows above which a subsample is proposed.
    """

    max_bytes: int = 50 * MEGABYTE
    max_decompressed_bytes: int = 200 * MEGABYTE
    max_rows: int = 25_000_000
    max_columns: int = 1_000
    subsample_above: int = 5_000
    max_table_bytes: int = 200 * MEGABYTE

    @property
    def table_bytes(self) -> int:
        """Return the largest size of a table in memory."""
        return min(self.max_table_bytes, self.max_decompressed_bytes)

    def check_file_size(self, size: int) -> None:
        """Raise a DataError if a file of ``size`` bytes is too large."""
        if size > self.max_bytes:
            raise DataError(
                f"The file has {_megabytes(size)}; at most {_megabytes(self.max_bytes)} are read.",
                hint="Save fewer rows or columns to a smaller file.",
            )

    def check_unpacked_size(self, size: int) -> None:
        """Raise a DataError if ``size`` decompressed bytes are too many."""
        if size > self.max_decompressed_bytes:
            allowed = _megabytes(self.max_decompressed_bytes)
            raise DataError(
                f"The file unpacks to more than {allowed}, which is the most that is read.",
                hint="Save fewer rows or columns to a smaller file.",
            )

    def check_shape(self, rows: int, columns: int) -> None:
        """Raise a DataError if a table of this shape is too large."""
        if columns > self.max_columns:
            raise DataError(
                f"The table has {columns:,} columns; at most {self.max_columns:,} are read.",
                hint="Keep only the columns you need.",
            )
        if rows > self.max_rows:
            raise DataError(
                f"The table has more than {self.max_rows:,} rows, which is the most that is read.",
                hint="Save a random part of the rows to a new file.",
            )
        size = self.cells_size(rows, columns)
        if size > self.table_bytes:
            raise DataError(
                f"A table of {rows:,} rows and {columns:,} columns takes {_megabytes(size)} of "
                f"memory; at most {_megabytes(self.table_bytes)} are used.",
                hint="Keep fewer rows or columns.",
            )

    def cells_size(self, rows: int, columns: int) -> int:
        """Return the bytes of the cells of a table, and of the numbers of very many rows."""
        return BYTES_PER_CELL * (rows * columns + max(rows - UNCOUNTED_ROWS, 0))

    def check_memory(self, size: int) -> None:
        """Raise a DataError if a table of ``size`` bytes takes too much memory."""
        if size > self.table_bytes:
            allowed = _megabytes(self.table_bytes)
            raise DataError(
                f"The table takes more than {allowed} of memory, which is the most that is used.",
                hint="Leave out columns of long text, or keep fewer rows.",
            )

    def check_cell(self, length: int, row: int | None = None, column: str | None = None) -> None:
        """Raise a DataError if a cell has too many characters."""
        if length > MAX_CELL_LENGTH:
            raise DataError(
                f"The cell has {length:,} characters; at most {MAX_CELL_LENGTH:,} are read.",
                row=row,
                column=None if column is None else quoted(column),
                hint="Shorten it, or leave out the column.",
            )

    def check_names(self, names: Sequence[str]) -> None:
        """Raise a DataError if the name of a column has too many characters."""
        for name in names:
            if len(name) > MAX_NAME_LENGTH:
                raise DataError(
                    f"The name of a column has {len(name):,} characters; at most "
                    f"{MAX_NAME_LENGTH:,} are read.",
                    column=quoted(name),
                    hint="Shorten it, or set that the file has no header.",
                )


def _megabytes(size: int) -> str:
    return f"{size / MEGABYTE:,.1f} MB"


SERVED = Limits(max_table_bytes=75 * MEGABYTE)
"""Limits of the app. A file, its table, and the points made of it before and after a change of
roles are in memory at once, and take less than 300 MB together."""
