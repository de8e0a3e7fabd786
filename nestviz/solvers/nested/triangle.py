"""Solving with an upper Cholesky factor U, H = UᵀU, while unknowns are dropped one by one.

Rows of U are contiguous in memory, so every inner loop runs along a row.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from nestviz.arrays import FloatArray


@njit(cache=True, nogil=True)
def solve_lower(U: FloatArray, w: FloatArray) -> None:
    """Overwrite w by the solution of Uᵀ v = w."""
    for i in range(len(w)):
        w[i] /= U[i, i]
        row, rest = U[i, i + 1 :], w[i + 1 :]
        for j in range(len(rest)):
            rest[j] -= w[i] * row[j]


@njit(cache=True, nogil=True)
def solve_upper(U: FloatArray, w: FloatArray, m: int, d: FloatArray) -> None:
    """Write into d[:m] the solution of U d = w, for the leading m × m part of U."""
    for i in range(m - 1, -1, -1):
        row, known = U[i, i + 1 : m], d[i + 1 : m]
        total = 0.0
        for j in range(len(row)):
            total += row[j] * known[j]
        d[i] = (w[i] - total) / U[i, i]


@njit(cache=True, nogil=True)
def drop_unknown(U: FloatArray, w: FloatArray, m: int, k: int) -> None:
    """Take unknown k out of the leading m × m part of U and out of w = U⁻ᵀ r, in O(m²).

    Without its column U has one entry below the diagonal in each row from k on; rotating pairs of
    neighbouring rows removes them, and w is rotated along.
    """
    for i in range(m):
        row = U[i]
        for j in range(max(i - 1, k), m - 1):
            row[j] = row[j + 1]
    for i in range(k, m - 1):
        radius = np.hypot(U[i, i], U[i + 1, i])
        c, s = U[i, i] / radius, U[i + 1, i] / radius
        upper, lower = U[i, i : m - 1], U[i + 1, i : m - 1]
        for j in range(len(upper)):
            up, low = upper[j], lower[j]
            upper[j] = c * up + s * low
            lower[j] = c * low - s * up
        w[i], w[i + 1] = c * w[i] + s * w[i + 1], c * w[i + 1] - s * w[i]
