"""Parquet files, read after checking their declared size."""

from __future__ import annotations

import importlib.util
import io
from typing import TYPE_CHECKING

import numpy as np

from nestviz.data.cells import texts
from nestviz.data.errors import DataError, check_unique
from nestviz.data.limits import Limits
from nestviz.data.tables import Column

if TYPE_CHECKING:
    import pyarrow as pa

PARQUET_MAGIC = b"PAR1"


def read_parquet(content: bytes, limits: Limits) -> tuple[tuple[str, ...], tuple[Column, ...]]:
    """Read names and columns of a Parquet file."""
    if importlib.util.find_spec("pyarrow") is None:
        raise DataError(
            "Parquet files need the package pyarrow, which is not installed.",
            hint='Install it with: pip install "nestviz[io]"',
        )
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # Pages carry checksums only if the writer put them there; verify those that are.
        file = pq.ParquetFile(io.BytesIO(content), page_checksum_verification=True)
        _check_size(file.metadata, limits)
        table = file.read(use_threads=False)
        names = tuple(str(name) for name in table.column_names)
        _check_table(names, table.num_rows)
        return names, tuple(_column(column) for column in table.columns)
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError) as fault:
        if isinstance(fault, DataError):
            raise
        raise DataError(
            "The Parquet file is damaged or uses a feature that cannot be read here.",
            hint="Save it again, or write the table to CSV.",
        ) from fault


def _check_size(metadata: pa.parquet.FileMetaData, limits: Limits) -> None:
    limits.check_shape(metadata.num_rows, metadata.num_columns)
    groups = (metadata.row_group(i) for i in range(metadata.num_row_groups))
    limits.check_unpacked_size(sum(group.total_byte_size for group in groups))


def _check_table(names: tuple[str, ...], rows: int) -> None:
    if rows == 0 or not names:
        raise DataError("The Parquet file has no rows.", hint="Save at least one row.")
    check_unique(names, "Two columns have the same name.", "Rename one.")


def _column(values: pa.ChunkedArray) -> Column:
    import pyarrow as pa

    kind = values.type
    if pa.types.is_dictionary(kind):
        values = values.cast(kind.value_type)
        kind = values.type
    numeric = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    if any(test(kind) for test in numeric):
        # Unsafe only in that integers beyond 2**53 are rounded, as in any file of text.
        return np.array(values.cast(pa.float64(), safe=False).to_numpy(), dtype=np.float64)
    if pa.types.is_null(kind):
        return np.full(len(values), np.nan)
    return texts(["" if value is None else str(value) for value in values.to_pylist()])
