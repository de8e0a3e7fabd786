"""Thinning: keep points that lie far from each other (Davenport 2007, section 5.1.1).

Of the two closest points the one that is closer to any third is removed, until few enough are
left.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import SLICE, FloatArray, slices
from nestviz.compiled import njit

IndexArray = NDArray[np.int64]


def thin(points: ArrayLike, n: int) -> IndexArray:
    """Return the rows of the n points that thinning leaves, in increasing order.

    Of several closest pairs the one with the first row is taken, and of two points that are equally
    close to a third the later row is removed. Each removal passes once through the points left, and
    once more for each point whose neighbour was removed: a few in a fixed dimension.

    Parameters
    ----------
    points : array-like of shape (n_points, n_features)
        Points to choose from.
    n : int
        Number of points to keep, at least 1; all if there are no more.

    Returns
    -------
    ndarray of shape (n_kept,)
        Row numbers.

    Raises
    ------
    ValueError
        If the points are no table of finite numbers, or n is below 1.

    Examples
    --------
    >>> thin([[0.0], [0.1], [1.0], [2.0]], 3)
    array([0, 2, 3])
    """
    table = np.ascontiguousarray(points, dtype=np.float64)
    if table.ndim != 2 or not table.size or not np.all(np.isfinite(table)):
        raise ValueError("Points to thin must be a table of finite numbers with rows.")
    if n < 1:
        raise ValueError(f"Thinning must leave at least one point, not {n}.")
    left, cost = len(table), table.shape[1] + 2
    rows, near, gap = np.arange(left), np.full(left, -1), np.full(left, np.inf)
    if left <= n:
        return rows
    for part in slices(left, left * cost):
        _find_neighbours(table, rows, near, gap, part.start, part.stop)
    while left > n:
        most = max(1, SLICE // (8 * left * cost))
        left = _remove(table, rows, near, gap, left, max(n, left - most))
    return rows[:left].copy()


@njit(cache=True, nogil=True)
def _find_neighbours(
    X: FloatArray, rows: IndexArray, near: IndexArray, gap: FloatArray, begin: int, end: int
) -> None:
    """Write the nearest neighbours of the points from ``begin`` to ``end`` among all."""
    for i in range(begin, end):
        near[i], gap[i] = _nearest(X, rows, len(X), i, -1)


@njit(cache=True, nogil=True)
def _remove(
    X: FloatArray, rows: IndexArray, near: IndexArray, gap: FloatArray, left: int, n: int
) -> int:
    """Remove points until n are left; ``rows[:left]`` are those left, with their neighbours."""
    while left > n:
        first = rows[0]
        for k in range(1, left):
            if gap[rows[k]] < gap[first]:
                first = rows[k]
        second = near[first]
        gone = max(first, second)
        third = _nearest(X, rows, left, first, second)[1]
        other = _nearest(X, rows, left, second, first)[1]
        if third != other:
            gone = first if third < other else second
        kept = 0
        for k in range(left):
            rows[kept] = rows[k]
            kept += rows[k] != gone
        left -= 1
        for k in range(left):
            if near[rows[k]] == gone:
                near[rows[k]], gap[rows[k]] = _nearest(X, rows, left, rows[k], -1)
    return left


@njit(cache=True, nogil=True)
def _nearest(X: FloatArray, rows: IndexArray, left: int, i: int, without: int) -> tuple[int, float]:
    """Return the nearest point left to point i, except one, and its squared distance."""
    best, least = -1, np.inf
    for k in range(left):
        j = rows[k]
        if j in (i, without):
            continue
        total = 0.0
        for c in range(X.shape[1]):
            step = X[i, c] - X[j, c]
            total += step * step
        if total < least:
            best, least = j, total
    return best, least
