"""Kernel matrices for solvers: stored, or computed a few rows at a time."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from nestviz.arrays import FloatArray, IndexArray, slices
from nestviz.compiled import apart, njit
from nestviz.distances import product
from nestviz.kernel_matrices import check_symmetric
from nestviz.kernels import Kernel
from nestviz.solvers.cholesky import SUMS

#: Above this many bytes the kernel matrix is not stored.
MATRIX_BUDGET = 1 << 30
#: Bytes of kernel rows in memory at a time when it is not.
CHUNK_BUDGET = 1 << 24


def combine_rows(K: FloatArray, points: IndexArray, b: FloatArray) -> FloatArray:
    """Return Σ_k b_mk K[points[k]] for each m; zeros, most of b after a round, cost nothing."""
    F = np.zeros((len(b), K.shape[1]))
    for part in slices(len(points), F.size + F.shape[1]):
        add_rows(K, points, b, F, part.start, part.stop)
    return F


@njit(cache=True, nogil=True)
def add_rows(
    K: FloatArray, points: IndexArray, b: FloatArray, F: FloatArray, begin: int, end: int
) -> None:
    """Add the terms from ``begin`` to ``end`` of the sum of `combine_rows` to F."""
    for k in range(begin, end):
        row = K[points[k]]
        for m in range(len(b)):
            if b[m, k] != 0.0:
                field, value = F[m], b[m, k]
                for j in range(len(row)):
                    field[j] += value * row[j]


@njit(cache=True, nogil=True, fastmath=SUMS)
def add_dots(K: FloatArray, first: int, b: FloatArray, F: FloatArray, begin: int) -> None:
    """Add Σ_j b_mj K[r, first + j] to F[m, begin + r] for every row r of K."""
    apart()
    for r in range(len(K)):
        row = K[r, first : first + b.shape[1]]
        for m in range(len(b)):
            mine, total = b[m], 0.0
            for j in range(len(row)):
                total += mine[j] * row[j]
            F[m, begin + r] += total


@njit(cache=True, nogil=True)
def submatrix(K: FloatArray, points: IndexArray) -> FloatArray:
    """Return the rows and columns of K at ``points``, faster than NumPy's indexing."""
    n = len(points)
    block = np.empty((n, n))
    for k in range(n):
        source, target = K[points[k]], block[k]
        for j in range(n):
            target[j] = source[points[j]]
    return block


class Columns(Protocol):
    """Interface of solvers to a symmetric positive semi-definite matrix K of order N."""

    diagonal: FloatArray

    def rows(self, points: IndexArray) -> FloatArray:
        """Return the rows of K at ``points``."""

    def block(self, points: IndexArray) -> FloatArray:
        """Return the rows and columns of K at ``points``."""

    def product(self, b: FloatArray) -> FloatArray:
        """Return b K for coefficients b (M, N)."""

    def product_of(self, points: IndexArray, b: FloatArray) -> FloatArray:
        """Return b K for coefficients b (M, len(points)) that are zero outside ``points``."""


class StoredMatrix:
    """A kernel matrix in memory."""

    def __init__(self, K: FloatArray) -> None:
        self.K = np.ascontiguousarray(K, dtype=np.float64)
        self.diagonal = self.K.diagonal().copy()

    def rows(self, points: IndexArray) -> FloatArray:
        """Return the rows of K at ``points``."""
        return self.K[points]

    def block(self, points: IndexArray) -> FloatArray:
        """Return the rows and columns of K at ``points``; K itself if these are all."""
        if len(points) == len(self.K):
            return self.K
        return submatrix(self.K, points)

    def product(self, b: FloatArray) -> FloatArray:
        """Return b K for coefficients b (M, N)."""
        return product(b, self.K)

    def product_of(self, points: IndexArray, b: FloatArray) -> FloatArray:
        """Return b K for coefficients that are zero outside ``points``."""
        return combine_rows(self.K, points, b)


class KernelRows:
    """A kernel matrix that is not stored: rows are computed when needed."""

    def __init__(self, kernel: Kernel, X: FloatArray, *, chunk_budget: int = CHUNK_BUDGET) -> None:
        self.kernel = kernel
        self.X = np.ascontiguousarray(X, dtype=np.float64)
        self.diagonal = kernel.diagonal(self.X)
        self._step = max(1, chunk_budget // (8 * max(1, len(self.X))))

    def gram(self, X: FloatArray, Y: FloatArray) -> FloatArray:
        """Return the kernel values between the rows of X and Y."""
        return self.kernel.gram(X, Y)

    def rows(self, points: IndexArray) -> FloatArray:
        """Return the rows of K at ``points``."""
        return self.gram(self.X[points], self.X)

    def block(self, points: IndexArray) -> FloatArray:
        """Return the rows and columns of K at ``points``."""
        return self.gram(self.X[points], self.X[points])

    def product(self, b: FloatArray) -> FloatArray:
        """Return b K for coefficients b (M, N); each pair is computed at most once."""
        used = b.any(axis=0)
        count = int(used.sum())
        order = np.argsort(~used, kind="stable")
        X, b = self.X[order], b[:, order]
        F = np.zeros_like(b)
        for begin in range(0, count, self._step):
            end = min(begin + self._step, count)
            K = self.gram(X[begin:end], X[begin:])
            F[:, begin:] += product(b[:, begin:end], K)
            add_dots(K, end - begin, np.ascontiguousarray(b[:, end:count]), F, begin)
        G = np.empty_like(F)
        G[:, order] = F
        return G

    def product_of(self, points: IndexArray, b: FloatArray) -> FloatArray:
        """Return b K for coefficients that are zero outside ``points``."""
        F = np.zeros((len(b), len(self.X)))
        for begin in range(0, len(points), self._step):
            chunk = slice(begin, begin + self._step)
            F += product(b[:, chunk], self.rows(points[chunk]))
        return F


def columns_of(
    kernel: Kernel, X: FloatArray, *, matrix_budget: int = MATRIX_BUDGET
) -> StoredMatrix | KernelRows:
    """Return the kernel matrix of the rows of X, stored if its bytes fit the budget."""
    if 8 * len(X) ** 2 <= matrix_budget:
        return StoredMatrix(kernel.gram(X, X))
    return KernelRows(kernel, X)


def as_columns(K: FloatArray | Columns) -> Columns:
    """Return a provider of rows: ``K`` itself, or a matrix wrapped."""
    if not isinstance(K, np.ndarray):
        return K
    if K.ndim != 2 or K.shape[0] != K.shape[1] or len(K) == 0:
        raise ValueError(f"K must be a square matrix of at least one row, got shape {K.shape}.")
    check_symmetric(K)
    return StoredMatrix(K)


def field_of(columns: Columns, c: FloatArray) -> FloatArray:
    """Return K c, from the rows of the points that have a coefficient."""
    points = np.flatnonzero(c)
    return columns.product_of(points, np.ascontiguousarray(c[None, points]))[0]
