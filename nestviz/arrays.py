"""Name the array types that signatures share, and cut long work into slices."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
IndexArray = NDArray[np.intp]
CodeArray = NDArray[np.int8]
BoolArray = NDArray[np.bool_]

SLICE = 1 << 27
"""Operations of one compiled call, a few hundredths of a second; none can be interrupted."""
COPY = 16
"""Operations that a copied number counts for: new memory is slow."""


def slices(count: int, cost: int) -> Iterator[slice]:
    """Yield consecutive ranges of ``count`` items of ``cost`` operations each, none too long.

    Python handles signals between two calls only: where work is cut into these ranges, Ctrl-C stops
    it at once.
    """
    step = max(1, SLICE // max(1, cost))
    for begin in range(0, count, step):
        yield slice(begin, min(begin + step, count))


def joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Return one-dimensional arrays of one type in a row, copied a slice at a time."""
    whole = np.empty(sum(map(len, parts)), parts[0].dtype)
    begin = 0
    for part in parts:
        target = whole[begin : begin + len(part)]
        for piece in slices(len(part), COPY):
            target[piece] = part[piece]
        begin += len(part)
    return whole
