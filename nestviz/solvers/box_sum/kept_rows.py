"""Rows of a kernel matrix that are computed when they are first needed, and kept."""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.kernels import Kernel
from nestviz.solvers.columns import CHUNK_BUDGET, MATRIX_BUDGET, KernelRows, combine_rows


class KeptRows(KernelRows):
    """A kernel matrix of which only the rows at points that ever had a coefficient are stored.

    A solve at ν needs about a fraction ν of the rows, some of them several times.

    Parameters
    ----------
    kernel : Kernel
        For example a :class:`nestviz.kernels.GaussianKernel`.
    X : array (N, d)
        Points.
    budget : int
        Bytes of rows to keep; beyond, rows are computed each time.
    """

    def __init__(self, kernel: Kernel, X: FloatArray, *, budget: int = MATRIX_BUDGET) -> None:
        super().__init__(kernel, X)
        N = len(self.X)
        self._room = budget // (8 * max(1, N))
        self.parts: list[FloatArray] = []
        # Which part holds the row of a point, −1 if none, and where in it.
        self._part = np.full(N, -1, dtype=np.intp)
        self._place = np.zeros(N, dtype=np.intp)

    def rows(self, points: IndexArray) -> FloatArray:
        """The rows of K at ``points``."""
        return self._across(points, np.arange(len(self.X)))

    def block(self, points: IndexArray) -> FloatArray:
        """The rows and columns of K at ``points``, out of the rows that are kept where they are."""
        return self._across(points, points)

    def product_of(self, points: IndexArray, b: FloatArray) -> FloatArray:
        """The product b K for coefficients that vanish outside ``points``; keeps their rows."""
        self._keep(points)
        part = self._part[points]
        lone = np.flatnonzero(part < 0)
        F = super().product_of(points[lone], np.ascontiguousarray(b[:, lone]))
        for k in np.unique(part[part >= 0]):
            mine = np.flatnonzero(part == k)
            place = self._place[points[mine]]
            F += combine_rows(self.parts[k], place, np.ascontiguousarray(b[:, mine]))
        return F

    def _across(self, points: IndexArray, others: IndexArray) -> FloatArray:
        """The rows at ``points``, their columns at ``others``."""
        found = np.empty((len(points), len(others)))
        part = self._part[points]
        for k in np.unique(part):
            mine = np.flatnonzero(part == k)
            if k < 0:
                found[mine] = self.kernel.gram(self.X[points[mine]], self.X[others])
            else:
                found[mine] = self.parts[k][np.ix_(self._place[points[mine]], others)]
        return found

    def _keep(self, points: IndexArray) -> None:
        """Compute the rows of ``points`` that are missing, as many as there is room for."""
        missing = points[self._part[points] < 0][: self._room]
        step = max(1, CHUNK_BUDGET // (8 * len(self.X)))
        for begin in range(0, len(missing), step):
            chunk = missing[begin : begin + step]
            self._part[chunk] = len(self.parts)
            self._place[chunk] = np.arange(len(chunk))
            self.parts.append(self.kernel.gram(self.X[chunk], self.X))
        self._room -= len(missing)
