"""Points that are equal, evaluated once.

A matrix product adds up in an order that depends on the size of the batch and on the place in it:
in one and the same call a point that occurs twice can get two values that differ in the last bit,
and with them two ranks. Evaluating distinct rows and spreading the results rules that out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray, IndexArray


class DistinctRows(NamedTuple):
    """Rows without repetition, and the way back.

    Attributes
    ----------
    rows : (n, d) array
        Distinct rows in the order in which they first occur; the array as given if none repeats.
    inverse : (N,) array of int, or None
        Place in ``rows`` of each row as given; None if none repeats.
    """

    rows: FloatArray
    inverse: IndexArray | None

    def spread(self, values: NDArray) -> NDArray:
        """Values of all rows as given, from those of the distinct ones along the last axis."""
        return values if self.inverse is None else values[..., self.inverse]


def distinct_rows(X: FloatArray) -> DistinctRows:
    """Rows of X that differ as numbers; −0 and +0 do not.

    Parameters
    ----------
    X : (N, d) array
        Points.

    Returns
    -------
    DistinctRows

    Examples
    --------
    >>> import numpy as np
    >>> found = distinct_rows(np.array([[1.0, 0.0], [2.0, 0.0], [1.0, -0.0]]))
    >>> found.rows.tolist(), found.spread(np.array([10.0, 20.0])).tolist()
    ([[1.0, 0.0], [2.0, 0.0]], [10.0, 20.0, 10.0])
    """
    # Adding zero turns −0 into +0: they are equal numbers of different bytes.
    X = np.ascontiguousarray(X, dtype=np.float64) + 0.0
    keys = row_keys(X)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    if not np.array_equal(X[first][inverse], X):
        # Two different rows with one key, or numbers that do not equal themselves: look at rows.
        _, first, inverse = np.unique(X, axis=0, return_index=True, return_inverse=True)
    if len(first) == len(X):
        return DistinctRows(X, None)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return DistinctRows(X[first[order]], rank[inverse.ravel()])


def row_keys(X: FloatArray) -> NDArray[np.uint64]:
    """One whole number for each row, the same for equal rows; sorting these is fast."""
    odd = np.uint64(0x9E3779B97F4A7C15)
    keys = np.zeros(len(X), dtype=np.uint64)
    for column in X.T:
        keys ^= np.ascontiguousarray(column).view(np.uint64)
        # Whole numbers differ in their high bits alone, which a product would push out.
        keys ^= keys >> np.uint64(32)
        keys *= odd
        keys ^= keys >> np.uint64(29)
    return keys
