"""Evaluate equal points once.

The order of summation in a matrix product depends on the row, so a point that occurs twice can get
two values that differ in the last bit, and with them two ranks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray, IndexArray


class DistinctRows(NamedTuple):
    """Distinct rows, and the way back.

    Attributes
    ----------
    rows : ndarray of shape (n_distinct, n_features)
        Distinct rows in the order in which they first occur; the array as given if none repeats.
    inverse : ndarray of shape (n_points,), or None
        Index into ``rows`` of each row as given; None if none repeats.
    """

    rows: FloatArray
    inverse: IndexArray | None

    def spread(self, values: NDArray) -> NDArray:
        """Return values of all rows as given, from those of distinct rows on the last axis."""
        return values if self.inverse is None else values[..., self.inverse]


def distinct_rows(X: FloatArray) -> DistinctRows:
    """Return the rows of X that differ as numbers; −0 equals +0.

    Parameters
    ----------
    X : ndarray of shape (n_points, n_features)
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
    # Adding zero turns −0 into +0, which have different bytes.
    X = np.ascontiguousarray(X, dtype=np.float64) + 0.0
    keys = row_keys(X)
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    if not np.array_equal(X[first][inverse], X):
        # Two different rows with one key, or NaN: compare the rows themselves.
        _, first, inverse = np.unique(X, axis=0, return_index=True, return_inverse=True)
    if len(first) == len(X):
        return DistinctRows(X, None)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return DistinctRows(X[first[order]], rank[inverse.ravel()])


def row_keys(X: FloatArray) -> NDArray[np.uint64]:
    """Hash each row to an integer, the same for equal rows; integers sort fast."""
    odd = np.uint64(0x9E3779B97F4A7C15)
    keys = np.zeros(len(X), dtype=np.uint64)
    for column in X.T:
        keys ^= np.ascontiguousarray(column).view(np.uint64)
        # Small integers differ in their high bits only, which a product would push out.
        keys ^= keys >> np.uint64(32)
        keys *= odd
        keys ^= keys >> np.uint64(29)
    return keys
