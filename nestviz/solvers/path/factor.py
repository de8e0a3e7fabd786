"""A Cholesky factor that follows a changing set of points.

The margin set E of a solution path gains or loses one point at an event. With K_EE = UᵀU the
upper factor U is updated in O(m²) by a bordered row or by plane rotations, both backward stable,
so thousands of events pass without a refactorisation. Rows of U are contiguous in memory, which is
why every inner loop below runs along a row.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from nestviz.arrays import FloatArray

# Sums may be reordered, which lets the compiler use vector registers. NaN and infinity keep their
# meaning.
SUMS = {"reassoc", "contract", "nsz"}


@njit(cache=True, nogil=True, fastmath=SUMS)
def solve_transposed(U: FloatArray, m: int, x: FloatArray) -> None:
    """Overwrite ``x[:m]`` with the solution z of Uᵀ z = x, two rows of U at a time."""
    i = 0
    while i + 1 < m:
        x0 = x[i] / U[i, i]
        x1 = (x[i + 1] - x0 * U[i, i + 1]) / U[i + 1, i + 1]
        x[i], x[i + 1] = x0, x1
        # Slices, because an index that may be negative keeps the loop from being vectorised.
        row, next_row, rest = U[i, i + 2 : m], U[i + 1, i + 2 : m], x[i + 2 : m]
        for j in range(len(rest)):
            rest[j] -= x0 * row[j] + x1 * next_row[j]
        i += 2
    if i < m:
        x[i] /= U[i, i]


@njit(cache=True, nogil=True, fastmath=SUMS)
def solve_upper(U: FloatArray, m: int, w: FloatArray, b: FloatArray) -> None:
    """Write into ``b[:m]`` the solution of U b = w, two rows of U at a time."""
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
    """Σ_{i<m} x_i y_i."""
    total = 0.0
    for i in range(m):
        total += x[i] * y[i]
    return total


@njit(cache=True, nogil=True)
def append_column(U: FloatArray, m: int, z: FloatArray, pivot: float) -> None:
    """Border U by one point: z solves Uᵀ z = K_Ee and pivot² = K_ee − zᵀz."""
    for i in range(m):
        U[i, m] = z[i]
    U[m, m] = pivot


@njit(cache=True, nogil=True, fastmath=SUMS)
def remove_column(U: FloatArray, w: FloatArray, z: FloatArray, m: int, q: int) -> None:
    """Take point ``q`` out of U and out of w = U⁻ᵀ r, so that both fit the remaining points.

    Dropping a column leaves an upper Hessenberg matrix; rotations of neighbouring rows make it
    triangular again. The same rotations turn w. They also turn the dropped column itself into
    z = U⁻ᵀ K_Eq for the remaining points, without a solve.
    """
    for i in range(q):
        row = U[i, q:m]
        z[i] = row[0]
        for j in range(len(row) - 1):
            row[j] = row[j + 1]
    z[q] = U[q, q]
    for i in range(q, m - 1):
        above, below = U[i, i:m], U[i + 1, i + 1 : m]
        length = np.sqrt(above[1] ** 2 + below[0] ** 2)
        cosine, sine = above[1] / length, below[0] / length
        for j in range(len(below)):
            first, second = above[j + 1], below[j]
            above[j] = cosine * first + sine * second
            below[j] = cosine * second - sine * first
        first, second = w[i], w[i + 1]
        w[i], w[i + 1] = cosine * first + sine * second, cosine * second - sine * first
        z[i], z[i + 1] = cosine * z[i], -sine * z[i]
