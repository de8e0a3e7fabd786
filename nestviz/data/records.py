"""From rows of text cells to columns, in pieces to limit memory."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from nestviz.data.cells import encodable, is_missing, numbers, texts
from nestviz.data.dialect import guess_header
from nestviz.data.errors import DataError, check_unique, quoted
from nestviz.data.limits import Limits
from nestviz.data.tables import Column, Guess

# Small pieces stay in the processor's cache and keep garbage collection cheap.
_PIECE = 1_000
_LOOK = 200

Rows = Iterator[list[str]]


@dataclass(frozen=True)
class Frame:
    """Columns read from rows, without a name and a source."""

    columns: tuple[str, ...]
    values: tuple[Column, ...]
    row_numbers: npt.NDArray[np.int64]
    guesses: tuple[Guess, ...]


def read_records(
    open_rows: Callable[[], Rows],
    decimal: str,
    header: bool | None,
    limits: Limits,
    first_row: int = 1,
) -> Frame:
    """Read rows of cells into columns of numbers or text.

    ``open_rows`` returns the rows from the start and is called again when a column turns out to be
    text late. ``header`` says whether the first row has names; None guesses. ``first_row`` is its
    row number in the file.
    """
    top = [row for _, row in islice(_numbered(open_rows(), first_row), _LOOK)]
    if not top:
        raise DataError("There are no rows.", hint="Give at least one row of data.")
    width = Counter(len(row) for row in top).most_common(1)[0][0]
    limits.check_shape(1, width)
    guesses = []
    if header is None:
        header, why = guess_header(top, decimal)
        guesses.append(Guess("header", header, why))
    names = _names(top[0], width, first_row) if header else [f"x{j + 1}" for j in range(width)]
    if header and len(top) == 1:
        raise DataError(
            "There is a header row, but no row of data below it.",
            hint="Add rows, or set that the file has no header.",
        )

    def body() -> Iterator[tuple[int, list[str]]]:
        return islice(_numbered(open_rows(), first_row), int(header), None)

    values, row_numbers = _read_columns(body, width, decimal, limits)
    return Frame(tuple(names), tuple(values), row_numbers, tuple(guesses))


def _numbered(rows: Rows, first_row: int) -> Iterator[tuple[int, list[str]]]:
    """Yield rows that are not blank, each with its row number in the file."""
    number = first_row - 1
    try:
        for number, row in enumerate(rows, first_row):
            # The first cell alone settles it for nearly every row.
            if row and (row[0].strip() or any(cell.strip() for cell in row)):
                yield number, row
    except csv.Error as fault:
        raise DataError(
            f"The text cannot be split into cells here ({quoted(str(fault))}).",
            row=number + 1,
            hint="Look for a quote that is not closed, or choose another quoting character.",
        ) from fault


def _names(cells: list[str], width: int, row: int) -> list[str]:
    if len(cells) != width:
        raise DataError(
            f"The first row has {len(cells)} cells, but most rows have {width}.",
            row=row,
            hint="Remove lines above the header, or choose another delimiter.",
        )
    names = [encodable(cell.strip()) or f"column {j + 1}" for j, cell in enumerate(cells)]
    hint = "Rename one of them, or set that the file has no header."
    check_unique(names, "Two columns have the same name.", hint, row)
    return names


def _read_columns(
    body: Callable[[], Iterator[tuple[int, list[str]]]], width: int, decimal: str, limits: Limits
) -> tuple[list[Column], npt.NDArray[np.int64]]:
    parts: list[list[Column]] = [[] for _ in range(width)]
    number_parts = []
    text_columns: set[int] = set()
    total = 0
    for row_numbers, cells in _pieces(body(), width):
        total += len(row_numbers)
        limits.check_shape(total, width)
        number_parts.append(np.array(row_numbers, dtype=np.int64))
        for j in range(width):
            if j not in text_columns:
                piece = numbers(cells[j], decimal)
                if piece is None:
                    text_columns.add(j)
                else:
                    parts[j].append(piece)
    columns = {j: np.concatenate(parts[j]) for j in range(width) if j not in text_columns}
    if text_columns:
        columns.update(_read_texts(body, width, sorted(text_columns)))
    return [columns[j] for j in range(width)], np.concatenate(number_parts)


def _read_texts(
    body: Callable[[], Iterator[tuple[int, list[str]]]], width: int, which: list[int]
) -> dict[int, Column]:
    parts: dict[int, list[Column]] = {j: [] for j in which}
    for _, cells in _pieces(body(), width):
        for j in which:
            parts[j].append(texts(cells[j]))
    return {j: np.concatenate(parts[j]) for j in which}


def _pieces(
    rows: Iterator[tuple[int, list[str]]], width: int
) -> Iterator[tuple[tuple[int, ...], list[tuple[str, ...]]]]:
    """Yield row numbers and columns of text, about a thousand rows at a time."""
    size = max(_PIECE * 10 // max(width, 10), 100)
    while piece := list(islice(rows, size)):
        row_numbers, rows_of_cells = zip(*piece, strict=True)
        if set(map(len, rows_of_cells)) != {width}:
            _raise_ragged(*next(pair for pair in piece if len(pair[1]) != width), width)
        yield row_numbers, list(zip(*rows_of_cells, strict=True))


def _raise_ragged(number: int, row: list[str], width: int) -> None:
    cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
    extra = "" if len(row) <= width or not is_missing(row[-1]) else " The last cell is empty."
    raise DataError(
        f"This row has {cells}, but most rows have {width}.{extra}",
        row=number,
        hint="Add or remove cells there, or choose another delimiter or quote.",
    )
