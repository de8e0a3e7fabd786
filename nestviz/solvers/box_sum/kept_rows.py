"""A kernel matrix whose rows are computed when first needed, and stored."""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.kernels import Kernel
from nestviz.solvers.columns import CHUNK_BUDGET, MATRIX_BUDGET, KernelRows, combine_rows


class KeptRows(KernelRows):
    """A kernel matrix that stores only the rows of points that ever had a coefficient.

    A solve at ν needs about a fraction ν of the rows, some of them several times.

    Parameters
    ----------
    kernel : Kernel
        For example a :class:`nestviz.kernels.GaussianKernel`.
    X : ndarray of shape (n_points, n_features)
        Points.
    budget : int
        Bytes of rows to store; further rows are computed each time.
    """

    def __init__(self, kernel: Kernel, X: FloatArray, *, budget: int = MATRIX_BUDGET) -> None:
        super().__init__(kernel, X)
        N = len(self.X)
        self._left = budget // (8 * max(1, N))
        self.parts: list[FloatArray] = []
        # The part that has the row of a point, −1 if none, and the index in it.
        self._part = np.full(N, -1, dtype=np.intp)
        self._index = np.zeros(N, dtype=np.intp)

    def rows(self, points: IndexArray) -> FloatArray:
        """Return the rows of K at ``points``."""
        return self._across(points, np.arange(len(self.X)))

    def block(self, points: IndexArray) -> FloatArray:
        """Return the rows and columns of K at ``points``, from stored rows where there are."""
        return self._across(points, points)

    def product_of(self, points: IndexArray, b: FloatArray) -> FloatArray:
        """Return b K for coefficients that are zero outside ``points``; store their rows."""
        self._keep(points)
        part = self._part[points]
        lone = np.flatnonzero(part < 0)
        F = super().product_of(points[lone], np.ascontiguousarray(b[:, lone]))
        for k in np.unique(part[part >= 0]):
            mine = np.flatnonzero(part == k)
            index = self._index[points[mine]]
            F += combine_rows(self.parts[k], index, np.ascontiguousarray(b[:, mine]))
        return F

    def _across(self, points: IndexArray, others: IndexArray) -> FloatArray:
        """Return the rows at ``points`` and columns at ``others``."""
        found = np.empty((len(points), len(others)))
        part = self._part[points]
        for k in np.unique(part):
            mine = np.flatnonzero(part == k)
            if k < 0:
                found[mine] = self.kernel.gram(self.X[points[mine]], self.X[others])
            else:
                found[mine] = self.parts[k][np.ix_(self._index[points[mine]], others)]
        return found

    def _keep(self, points: IndexArray) -> None:
        """Compute and store missing rows of ``points``, as many as the budget allows."""
        missing = points[self._part[points] < 0][: self._left]
        step = max(1, CHUNK_BUDGET // (8 * len(self.X)))
        for begin in range(0, len(missing), step):
            chunk = missing[begin : begin + step]
            self._part[chunk] = len(self.parts)
            self._index[chunk] = np.arange(len(chunk))
            self.parts.append(self.kernel.gram(self.X[chunk], self.X))
        self._left -= len(missing)
