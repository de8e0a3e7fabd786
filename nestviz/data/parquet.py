"""Parquet files, read in batches of rows."""

from __future__ import annotations

import importlib.util
import sys
from typing import TYPE_CHECKING

import numpy as np

from nestviz.data.cells import texts
from nestviz.data.errors import DataError, check_unique, quoted
from nestviz.data.limits import BYTES_PER_CELL, MEGABYTE, Limits
from nestviz.data.tables import Column

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

PARQUET_MAGIC = b"PAR1"
_BATCH_ROWS, _BATCH_BYTES = 16_384, 16 * MEGABYTE
# Bytes set aside for each text where the batch repeats it.
_TEXT_WIDTH = 2_000


def read_parquet(content: bytes, limits: Limits) -> tuple[tuple[str, ...], tuple[Column, ...]]:
    """Read names and columns of a Parquet file."""
    if importlib.util.find_spec("pyarrow") is None:
        raise DataError(
            "Parquet files need the package pyarrow, which is not installed.",
            hint='Install it with: pip install "nestviz[io]"',
        )
    import pyarrow as pa

    try:
        return _read(content, limits)
    except (DataError, MemoryError):
        raise
    except (pa.ArrowException, OSError, ValueError, TypeError, LookupError, RuntimeError) as fault:
        raise DataError(
            "The Parquet file is damaged or uses a feature that cannot be read here.",
            hint="Save it again, or write the table to CSV.",
        ) from fault


def _read(content: bytes, limits: Limits) -> tuple[tuple[str, ...], tuple[Column, ...]]:
    file = _open(content, [])
    _check_size(file.metadata, limits)
    schema = file.schema_arrow
    names = tuple(str(name) for name in schema.names)
    check_unique(names, "Two columns have the same name.", "Rename one.")
    for field in schema:
        _refuse_nested(field)
    text = [j for j, field in enumerate(schema) if _width(field.type) is None]
    width = sum(_width(field.type) or BYTES_PER_CELL for field in schema)
    if _delta_encoded(file.metadata, text):
        width += len(text) * _TEXT_WIDTH
    else:
        # Text comes as a dictionary and codes: no text is repeated for each of its rows.
        file = _open(content, [names[j] for j in text])
    rows_at_once = min(max(_BATCH_BYTES // max(width, 1), 1), _BATCH_ROWS)
    counter = _TextCounter(limits)
    parts: list[list[Column]] = [[] for _ in names]
    rows = 0
    for batch in file.iter_batches(rows_at_once, use_threads=False):
        rows += batch.num_rows
        limits.check_shape(rows, len(names))
        for name, values, done in zip(names, batch.columns, parts, strict=True):
            done.append(_column(values, name, counter))
    if rows == 0 or not names:
        raise DataError("The Parquet file has no rows.", hint="Save at least one row.")
    return names, tuple(np.concatenate(done) for done in parts)


def _open(content: bytes, as_dictionary: list[str]) -> pq.ParquetFile:
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Pages carry checksums only if the writer put them there; verify those that are.
    return pq.ParquetFile(
        pa.BufferReader(content), read_dictionary=as_dictionary, page_checksum_verification=True
    )


def _check_size(metadata: pq.FileMetaData, limits: Limits) -> None:
    limits.check_shape(metadata.num_rows, metadata.num_columns)
    groups = (metadata.row_group(i) for i in range(metadata.num_row_groups))
    limits.check_unpacked_size(sum(group.total_byte_size for group in groups))


def _delta_encoded(metadata: pq.FileMetaData, columns: list[int]) -> bool:
    """Return whether text is stored as differences, which Arrow cannot read as a dictionary."""
    groups = (metadata.row_group(i) for i in range(metadata.num_row_groups if columns else 0))
    encodings = (group.column(j).encodings for group in groups for j in columns)
    return any(name.startswith("DELTA") for some in encodings for name in some)


def _refuse_nested(field: pa.Field) -> None:
    import pyarrow as pa

    kind = getattr(field.type, "storage_type", field.type)
    if pa.types.is_nested(kind.value_type if pa.types.is_dictionary(kind) else kind):
        raise DataError(
            "A cell of this column has several values; a table has one value per cell.",
            column=quoted(field.name),
            hint="Save each of the values as a column of its own, or leave out the column.",
        )


def _width(kind: pa.DataType) -> int | None:
    """Return the bytes of a value; None for text."""
    try:
        return -(-kind.bit_width // 8)
    except ValueError:
        return None


class _TextCounter:
    """Keep equal texts once, and count the memory they take."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._seen: dict[str, str] = {}
        self._size = 0

    def keep(self, value: object, column: str) -> str:
        text = "" if value is None else str(value)
        known = self._seen.get(text)
        if known is None:
            self._limits.check_cell(len(text), column=column)
            self._size += sys.getsizeof(text)
            self._limits.check_memory(self._size)
            known = self._seen[text] = text
        return known


def _column(values: pa.Array, name: str, counter: _TextCounter) -> Column:
    """Return the values of one batch of a column."""
    import pyarrow as pa

    kind = values.type
    if pa.types.is_dictionary(kind) and _width(kind.value_type) is not None:
        values = values.dictionary_decode()
        kind = values.type
    numeric = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    if any(test(kind) for test in numeric):
        # Unsafe only in that integers beyond 2**53 are rounded, as in any file of text.
        numbers = values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        return np.array(numbers, dtype=np.float64)
    if pa.types.is_null(kind):
        return np.full(len(values), np.nan)
    if not pa.types.is_dictionary(kind):
        return texts([counter.keep(value.as_py(), name) for value in values])
    codes = values.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    used, inverse = np.unique(codes, return_inverse=True)
    words = values.dictionary
    kept = [counter.keep(words[k].as_py() if k >= 0 else None, name) for k in used.tolist()]
    return texts(kept)[inverse]
