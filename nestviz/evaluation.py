"""Fields at points, so that rounding decides neither ties nor sides.

A matrix product adds up in an order that depends on the size of the batch and on the place in it:
the same point can get two values that differ in the last bit, and with them two ranks. So points
that are equal are evaluated once (:func:`distinct_rows`). And a value that is zero up to rounding
of its own terms is zero: the point lies on the boundary (:func:`settle_on_boundary`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IndexArray = NDArray[np.intp]


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

    def spread(self, values: NDArray) -> NDArray:  # type: ignore[type-arg]
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
    keys = _keys(X)
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


def _keys(X: FloatArray) -> NDArray[np.uint64]:
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


def largest_coefficients(coefficients: FloatArray) -> FloatArray | None:
    """The largest |c_i| over all rows, (N,); None if no coefficient is negative.

    Σ_i c_i k(x_i, x) without negative terms is its own measure of rounding.
    """
    if not np.any(coefficients < 0):
        return None
    largest: FloatArray = np.abs(coefficients).max(axis=0)
    return largest


def settle_on_boundary(
    sums: FloatArray, offsets: FloatArray, magnitude: FloatArray | None, tolerance: float
) -> FloatArray:
    """Put sums that differ from their offset by rounding on the offset, in place.

    Parameters
    ----------
    sums : (M, n) array
        Σ_i c_i k(x_i, x) at M breakpoints and n points.
    offsets : (M,) array
        r at each breakpoint.
    magnitude : (n,) array, or None
        Σ_i max_m |c_im| k(x_i, x) where terms of both signs cancel; see
        :func:`largest_coefficients`.
    tolerance : float
        Part of the terms' size up to which a difference is rounding. Relative, so that small levels
        and places far from the data keep their own small numbers.

    Returns
    -------
    (M, n) array
        ``sums``.
    """
    if tolerance > 0:
        r = offsets[:, None]
        size = np.abs(sums) if magnitude is None else magnitude
        np.copyto(sums, r, where=np.abs(sums - r) <= tolerance * (size + np.abs(r)))
    return sums
