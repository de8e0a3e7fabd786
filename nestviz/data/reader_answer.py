"""The answer of the process that reads files: a table or an error, as bytes.

A header in JSON comes first, after its length. The row numbers and the columns follow as raw
arrays. A column of text is each different text once (lengths, then UTF-8) and one code per row.
All sizes are checked before memory is allocated, and no part of an answer can run code.
"""

from __future__ import annotations

import json
import sys
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from nestviz.data.errors import DataError
from nestviz.data.limits import MAX_CELL_LENGTH, MAX_NAME_LENGTH, Limits
from nestviz.data.tables import Column, Guess, Table

_LENGTH_BYTES = 8
# Sentences and guesses; the names of the columns come on top.
_HEADER_BYTES = 100_000
_BYTES_PER_CHARACTER = 4
# Rows of text taken at a time; between two pieces other threads can run.
_PIECE = 50_000
# Lone surrogates pass unchanged.
_ENCODING = ("utf-8", "surrogatepass")


class DamagedAnswerError(Exception):
    """An answer that ends early, or that does not describe a table."""


def write_error(error: DataError, stream: IO[bytes]) -> None:
    """Write an error as the answer."""
    _write_header({"error": [error.message, error.row, error.column, error.hint]}, stream)


def write_table(table: Table, limits: Limits, stream: IO[bytes]) -> None:
    """Write a table as the answer.

    Raises
    ------
    DataError
        If a cell or the table is too large. Nothing has been written then.
    """
    limits.check_shape(table.n_rows, len(table.columns))
    size = limits.cells_size(table.n_rows, len(table.columns))
    coded = [_coded(values) if values.dtype == object else None for values in table.values]
    for name, column in zip(table.columns, coded, strict=True):
        if column is not None:
            _check_cells(*column, name, table.row_numbers, limits)
            size += sum(map(sys.getsizeof, column[0]))
            limits.check_memory(size)
    header = {
        "name": table.name,
        "source": table.source,
        "guesses": [[guess.what, guess.value, guess.why] for guess in table.guesses],
        "rows": table.n_rows,
        "columns": table.columns,
        "different_texts": [None if column is None else len(column[0]) for column in coded],
    }
    _write_header(header, stream)
    _write_array(table.row_numbers, np.int64, stream)
    for values, column in zip(table.values, coded, strict=True):
        if column is None:
            _write_array(values, np.float64, stream)
        else:
            encoded = [text.encode(*_ENCODING) for text in column[0]]
            _write_array(list(map(len, encoded)), np.int32, stream)
            stream.writelines(encoded)
            _write_array(column[1], np.int32, stream)


def read_answer(stream: IO[bytes], limits: Limits) -> Table:
    """Read an answer, with memory bounded by the limits whatever the stream contains.

    Raises
    ------
    DataError
        If the answer is an error, or a table beyond the limits.
    DamagedAnswerError
        If the answer ends early, or does not describe a table.
    """
    try:
        header = _read_header(stream, limits)
        if "error" in header:
            raise _error(*header["error"])
        columns = tuple(_text(name) for name in header["columns"])
        rows = _whole(header["rows"])
        limits.check_shape(rows, len(columns))
        limits.check_names(columns)
        row_numbers = _read_array(stream, rows, np.int64)
        values, size = [], limits.cells_size(rows, len(columns))
        for _, count in zip(columns, header["different_texts"], strict=True):
            if count is None:
                values.append(_read_array(stream, rows, np.float64))
            else:
                texts, size = _read_texts(stream, _whole(count), size, limits)
                values.append(_decoded(stream, rows, texts))
        guesses = tuple(_guess(*guess) for guess in header["guesses"])
        name, source = _text(header["name"]), _text(header["source"])
    except DataError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, RecursionError) as fault:
        raise DamagedAnswerError from fault
    return Table(columns, tuple(values), row_numbers, name, guesses, source)


def _write_header(header: dict[str, Any], stream: IO[bytes]) -> None:
    encoded = json.dumps(header, ensure_ascii=False).encode(*_ENCODING)
    stream.write(len(encoded).to_bytes(_LENGTH_BYTES, "little"))
    stream.write(encoded)


def _write_array(values: npt.ArrayLike, dtype: npt.DTypeLike, stream: IO[bytes]) -> None:
    stream.write(np.ascontiguousarray(values, dtype=dtype).data.cast("B"))


def _coded(values: Column) -> tuple[list[str], npt.NDArray[np.int32]]:
    """Return the different texts of a column, and the index of the text of each row."""
    seen: dict[str, int] = {}
    codes = np.fromiter((seen.setdefault(text, len(seen)) for text in values), np.int32)
    return list(seen), codes


def _check_cells(
    texts: list[str], codes: npt.NDArray, column: str, rows: npt.NDArray, limits: Limits
) -> None:
    for code, text in enumerate(texts):
        if len(text) > MAX_CELL_LENGTH:
            row = rows[np.argmax(codes == code)]
            limits.check_cell(len(text), row=int(row), column=column)


def _read_exactly(stream: IO[bytes], size: int) -> bytes:
    content = stream.read(size)
    if len(content) != size:
        raise ValueError("The answer ends early.")
    return content


def _read_header(stream: IO[bytes], limits: Limits) -> dict[str, Any]:
    size = int.from_bytes(_read_exactly(stream, _LENGTH_BYTES), "little")
    if size > _HEADER_BYTES + limits.max_columns * MAX_NAME_LENGTH * _BYTES_PER_CHARACTER:
        raise ValueError("The header is too long.")
    header = json.loads(_read_exactly(stream, size).decode(*_ENCODING))
    if not isinstance(header, dict):
        raise TypeError("The header is not an object.")
    return header


def _read_array(stream: IO[bytes], count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    values = np.empty(count, dtype=dtype)
    # Read into the array itself: no second copy, and the interpreter lock is free meanwhile.
    if stream.readinto(values.data.cast("B")) != values.nbytes:  # type: ignore[attr-defined]
        raise ValueError("The answer ends early.")
    return values


def _read_texts(
    stream: IO[bytes], count: int, size: int, limits: Limits
) -> tuple[npt.NDArray[np.object_], int]:
    """Return the different texts of a column, and ``size`` plus the memory that they take."""
    limits.check_shape(count, 1)
    lengths = _read_array(stream, count, np.int32)
    if lengths.min() < 0 or lengths.max() > MAX_CELL_LENGTH * _BYTES_PER_CHARACTER:
        raise ValueError("A text is too long.")
    texts = np.empty(count, dtype=object)
    for start in range(0, count, _PIECE):
        for k, length in enumerate(lengths[start : start + _PIECE].tolist(), start):
            texts[k] = text = _read_exactly(stream, length).decode(*_ENCODING)
            size += sys.getsizeof(text)
            if size > limits.table_bytes:
                limits.check_memory(size)
    return texts, size


def _decoded(stream: IO[bytes], rows: int, texts: npt.NDArray[np.object_]) -> Column:
    """Return the text of each row, from the codes in the stream."""
    column = np.empty(rows, dtype=object)
    for start in range(0, rows, _PIECE):
        codes = _read_array(stream, min(_PIECE, rows - start), np.int32)
        if codes.min() < 0:
            raise ValueError("A code is negative.")
        column[start : start + len(codes)] = texts[codes]
    return column


def _whole(value: object) -> int:
    if type(value) is not int or value < 1:
        raise TypeError("A number of rows or texts is not a positive whole number.")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("A text is expected.")
    return value


def _guess(what: object, value: object, why: object) -> Guess:
    return Guess(_text(what), value if isinstance(value, bool) else _text(value), _text(why))


def _error(message: object, row: object, column: object, hint: object) -> DataError:
    return DataError(
        _text(message),
        row=None if row is None else _whole(row),
        column=None if column is None else _text(column),
        hint=_text(hint),
    )
