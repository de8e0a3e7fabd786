"""Factorise H = UᵀU, solve with U, and add or remove unknowns one at a time.

An update takes O(m²) and is backward stable. Rows of U are contiguous in memory, so every inner
loop runs along a row.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.compiled import apart, fma, njit
from nestviz.distances import add_product

#: Ridges on a singular matrix, relative to its diagonal, tried from the smallest.
RIDGES = (1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2)
#: Sums may be reordered for vector registers; NaN and infinity keep their meaning. Only for kernels
#: that are kept `apart`: inside a caller the compiler may choose another order.
SUMS = {"reassoc", "contract", "nsz"}
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
            left = -np.ascontiguousarray(panel[:, k : k + PANEL].T)
            right = np.ascontiguousarray(panel[:, k:])
            add_product(left, right, U, end + k, end + k, 0, end - begin)
    return True


@njit(cache=True, nogil=True)
def solve_transposed(U: FloatArray, m: int, x: FloatArray) -> None:
    """Overwrite ``x[:m]`` with the solution z of Uᵀ z = x, four rows of U at a time."""
    i = 0
    while i + 3 < m:
        x0, x1 = _solve_pair(U, i, x)
        for k in range(i + 2, i + 4):
            x[k] = fma(-x1, U[i + 1, k], fma(-x0, U[i, k], x[k]))
        x2, x3 = _solve_pair(U, i + 2, x)
        # Slices, because an index that may be negative keeps the loop from being vectorised.
        row0, row1, rest = U[i, i + 4 : m], U[i + 1, i + 4 : m], x[i + 4 : m]
        row2, row3 = U[i + 2, i + 4 : m], U[i + 3, i + 4 : m]
        for j in range(len(rest)):
            half = fma(-x1, row1[j], fma(-x0, row0[j], rest[j]))
            rest[j] = fma(-x3, row3[j], fma(-x2, row2[j], half))
        i += 4
    if i + 1 < m:
        x0, x1 = _solve_pair(U, i, x)
        if i + 2 < m:
            x[i + 2] = fma(-x1, U[i + 1, i + 2], fma(-x0, U[i, i + 2], x[i + 2]))
        i += 2
    if i < m:
        x[i] /= U[i, i]


@njit(cache=True, nogil=True)
def _solve_pair(U: FloatArray, i: int, x: FloatArray) -> tuple[float, float]:
    """Overwrite ``x[i]`` and ``x[i + 1]`` with their solutions, and return them."""
    x[i] /= U[i, i]
    x[i + 1] = (x[i + 1] - x[i] * U[i, i + 1]) / U[i + 1, i + 1]
    return x[i], x[i + 1]


@njit(cache=True, nogil=True, fastmath=SUMS)
def solve_upper(U: FloatArray, m: int, w: FloatArray, b: FloatArray) -> None:
    """Write into ``b[:m]`` the solution of U b = w, two rows of U at a time."""
    apart()
    i = m - 1
    while i > 0:
        row, upper_row, known = U[i, i + 1 : m], U[i - 1, i + 1 : m], b[i + 1 : m]
        total, upper_total = 0.0, 0.0
        for j in range(len(known)):
            total += row[j] * known[j]
            upper_total += upper_row[j] * known[j]
        b[i] = (w[i] - total) / U[i, i]
        b[i - 1] = (w[i - 1] - upper_total - U[i - 1, i] * b[i]) / U[i - 1, i - 1]
        i -= 2
    if i == 0:
        row, known = U[0, 1:m], b[1:m]
        total = 0.0
        for j in range(len(known)):
            total += row[j] * known[j]
        b[0] = (w[0] - total) / U[0, 0]


@njit(cache=True, nogil=True, fastmath=SUMS)
def dot(x: FloatArray, y: FloatArray, m: int) -> float:
    """Return Σ_{i<m} x_i y_i."""
    apart()
    total = 0.0
    for i in range(m):
        total += x[i] * y[i]
    return total


@njit(cache=True, nogil=True)
def append_column(U: FloatArray, m: int, z: FloatArray, pivot: float) -> None:
    """Add one unknown e to U: z solves Uᵀ z = H_e, and pivot² = H_ee − zᵀz."""
    for i in range(m):
        U[i, m] = z[i]
    U[m, m] = pivot


@njit(cache=True, nogil=True)
def remove_column(U: FloatArray, w: FloatArray, z: FloatArray, m: int, q: int) -> None:
    """Remove unknown ``q`` of m from U and from w = U⁻ᵀ r, so that both fit the others.

    Without its column U is upper Hessenberg; rotations of neighbouring rows make it triangular
    again, and are applied to w. They also turn the column itself into z = U⁻ᵀ H_q of the others,
    without a solve.
    """
    for i in range(q):
        row = U[i, q:m]
        z[i] = row[0]
        for j in range(len(row) - 1):
            row[j] = row[j + 1]
    z[q] = U[q, q]
    # The row to rotate next is kept apart: loops over arrays that overlap are not vectorised.
    turned = U[q, :m].copy()
    for i in range(q, m - 1):
        above, below, target = turned[i + 1 :], U[i + 1, i + 1 : m], U[i, i : m - 1]
        length = np.sqrt(above[0] ** 2 + below[0] ** 2)
        cosine, sine = above[0] / length, below[0] / length
        for j in range(len(above)):
            first, second = above[j], below[j]
            target[j] = fma(cosine, first, sine * second)
            above[j] = fma(cosine, second, -sine * first)
        first, second = w[i], w[i + 1]
        w[i], w[i + 1] = cosine * first + sine * second, cosine * second - sine * first
        z[i], z[i + 1] = cosine * z[i], -sine * z[i]
