"""Factorise H = UᵀU, solve with U, and drop unknowns from it one by one.

Rows of U are contiguous in memory, so every inner loop runs along a row.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from nestviz.arrays import FloatArray

#: Ridges on a singular matrix, relative to its diagonal, tried from the smallest.
RIDGES = (1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2)
#: Rows factorised before the rows below are updated by one matrix product.
PANEL = 32


@njit(cache=True, nogil=True)
def ridge_cholesky(H: FloatArray, ridges: tuple[float, ...]) -> tuple[FloatArray, bool]:
    """Return the upper factor of a matrix given by its upper triangle, and whether there is one.

    A singular H (coincident points, large σ) gets the first ridge with which it factorises.
    """
    diagonal = np.diag(H).copy()
    for ridge in ridges:
        U = H.copy()
        for i in range(len(H)):
            U[i, i] += ridge * diagonal[i]
        # A pivot below the ridge is what cancellation has left, and no digit of it is right.
        if factorise(U, 0.1 * ridge * diagonal):
            return U, True
    return H, False


@njit(cache=True, nogil=True)
def factorise(U: FloatArray, floor: FloatArray) -> bool:
    """Overwrite the upper triangle by its factor; return False if a pivot is not above its floor.

    LAPACK would have to be called from Python, which takes longer than factorising a small matrix.
    """
    n = len(U)
    for begin in range(0, n, PANEL):
        end = min(begin + PANEL, n)
        for i in range(begin, end):
            if not U[i, i] > floor[i]:
                return False
            row = U[i, i:]
            row /= np.sqrt(row[0])
            for k in range(1, end - i):
                factor, below = row[k], U[i + k, i + k :]
                for j in range(len(below)):
                    below[j] -= factor * row[k + j]
        panel = U[begin:end, end:].copy()
        for k in range(0, n - end, PANEL):
            left = np.ascontiguousarray(panel[:, k : k + PANEL].T)
            strip = U[end + k : end + k + PANEL, end + k :]
            strip -= left @ np.ascontiguousarray(panel[:, k:])
    return True


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
    """Remove unknown k from the leading m × m part of U and from w = U⁻ᵀ r, in O(m²).

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
