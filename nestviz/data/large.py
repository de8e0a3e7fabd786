"""Steps over large tables that take little memory, and let the threads of other sessions run.

A call into C keeps the interpreter until it ends, and sorting a million texts takes a second: here
such work is cut into pieces.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from nestviz.arrays import FloatArray

PIECE = 50_000
"""Texts in a piece."""
BLOCK_BYTES = 4_000_000
"""Bytes in a block of rows or columns."""
MIX = np.uint64(0x9E3779B97F4A7C15)
"""An odd number whose products mix the bits of a row."""
_SHIFT = np.uint64(29)


def distinct(texts: npt.NDArray[np.object_]) -> set[str]:
    """Return the different texts."""
    found: set[str] = set()
    for start in range(0, len(texts), PIECE):
        found.update(texts[start : start + PIECE].tolist())
    return found


def counted(texts: npt.NDArray[np.object_]) -> Iterator[tuple[str, int]]:
    """Yield the different texts in order, and how often each occurs."""
    counts: Counter[str] = Counter()
    for start in range(0, len(texts), PIECE):
        counts.update(texts[start : start + PIECE].tolist())
    items = list(counts.items())
    pieces = (items[start : start + PIECE] for start in range(0, len(items), PIECE))
    return heapq.merge(*map(sorted, pieces))


def by_columns(X: FloatArray, change: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """Change columns in place, and return the array.

    ``change`` treats each column on its own, and may use the memory of what it is given.
    """
    d = X.shape[1]
    # One column alone would be added up in another order than as one of several.
    wide = max(int(BLOCK_BYTES // (8 * len(X))), 2)
    starts = [*range(0, max(d - 1, 1), wide), d]
    for start, end in pairwise(starts):
        X[:, start:end] = change(np.ascontiguousarray(X[:, start:end]))
    return X


def keep(
    X: FloatArray, rows: npt.NDArray[np.bool_] | None, columns: npt.NDArray[np.bool_] | None
) -> FloatArray:
    """Return some rows and columns of an array that nobody else has, in its own memory."""
    flat, end = X.reshape(-1), 0
    high = max(BLOCK_BYTES // max(8 * X.shape[1], 1), 1)
    for start in range(0, len(X), high):
        part = X[start : start + high]
        part = part if rows is None else part[rows[start : start + high]]
        part = part if columns is None else part[:, columns]
        flat[end : end + part.size] = part.reshape(-1)
        end += part.size
    d = X.shape[1] if columns is None else int(np.count_nonzero(columns))
    del part, flat
    X.resize((end // d, d), refcheck=False)
    return X


def distinct_rows(columns: Sequence[npt.NDArray]) -> int:
    """Return the number of different rows of a table, given by its columns of finite numbers."""
    code = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        # Adding zero makes -0.0 and 0.0 the same bytes.
        code ^= (np.ascontiguousarray(column, dtype=np.float64) + 0.0).view(np.uint64)
        code *= MIX
        code ^= code >> _SHIFT
    order = np.argsort(code, kind="stable")
    code = code[order]
    same_code = code[1:] == code[:-1]
    same_row = same_code.copy()
    for column in columns:
        values = np.asarray(column)[order]
        same_row &= values[1:] == values[:-1]
    if np.array_equal(same_row, same_code):
        return len(order) - int(np.count_nonzero(same_row))
    # Different rows of one code, which only a table made for it has: look at the rows themselves.
    return len(set(zip(*(np.asarray(column).tolist() for column in columns), strict=True)))
