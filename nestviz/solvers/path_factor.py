"""A Cholesky factor that follows a changing set of points.

The margin set E of a solution path gains or loses one point at an event. With K_EE = UᵀU the
upper factor U is updated in O(m²) by a bordered row or by plane rotations, both backward stable,
so thousands of events pass without a refactorisation. Rows of U are contiguous in memory, which is
why every inner loop below runs along a row.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

# Sums may be reordered, which lets the compiler use vector registers. NaN and infinity keep their
# meaning.
SUMS = {"reassoc", "contract", "nsz"}


@njit(cache=True, nogil=True, fastmath=SUMS)
def solve_transposed(U: FloatArray, m: int, x: FloatArray) -> None:
    """Overwrite ``x[:m]`` with the solution z of Uᵀ z = x."""
    for i in range(m):
        xi = x[i] / U[i, i]
        x[i] = xi
        # Slices, because an index that may be negative keeps the loop from being vectorised.
        row, rest = U[i, i + 1 : m], x[i + 1 : m]
        for j in range(len(row)):
            rest[j] -= xi * row[j]


@njit(cache=True, nogil=True, fastmath=SUMS)
def solve_upper(U: FloatArray, m: int, w: FloatArray, b: FloatArray) -> None:
    """Write into ``b[:m]`` the solution of U b = w."""
    for i in range(m - 1, -1, -1):
        row, known = U[i, i + 1 : m], b[i + 1 : m]
        total = 0.0
        for j in range(len(row)):
            total += row[j] * known[j]
        b[i] = (w[i] - total) / U[i, i]


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
def remove_column(U: FloatArray, w: FloatArray, m: int, q: int) -> None:
    """Take point ``q`` out of U and out of w = U⁻ᵀ r, so that both fit the remaining points.

    Dropping a column leaves an upper Hessenberg matrix; rotations of neighbouring rows make it
    triangular again. The same rotations turn w.
    """
    for i in range(q):
        row = U[i, q:m]
        for j in range(len(row) - 1):
            row[j] = row[j + 1]
    for i in range(q, m - 1):
        above, below = U[i, i:m], U[i + 1, i + 1 : m]
        length = np.sqrt(above[1] ** 2 + below[0] ** 2)
        cosine, sine = above[1] / length, below[0] / length
        for j in range(len(below)):
            first, second = above[j + 1], below[j]
            above[j] = cosine * first + sine * second
            below[j] = cosine * second - sine * first
        first, second = w[i], w[i + 1]
        w[i] = cosine * first + sine * second
        w[i + 1] = cosine * second - sine * first
