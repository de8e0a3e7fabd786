"""A kernel matrix whose rows are computed when first needed, and stored."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nestviz.arrays import FloatArray, IndexArray, slices
from nestviz.compiled import njit
from nestviz.kernels import Kernel
from nestviz.solvers.columns import CHUNK_BUDGET, MATRIX_BUDGET, KernelRows, add_rows


@njit(cache=True, nogil=True)
def copy_rows(
    part: FloatArray, index: IndexArray, others: IndexArray, found: FloatArray, at: IndexArray
) -> None:
    """Write columns ``others`` of the rows ``index`` of a part to the rows ``at`` of ``found``."""
    for k in range(len(index)):
        source, target = part[index[k]], found[at[k]]
        for j in range(len(others)):
            target[j] = source[others[j]]


@njit(cache=True, nogil=True)
def complete(block: FloatArray, missing: IndexArray, own: FloatArray) -> None:
    """Fill the rows ``missing`` of a symmetric matrix from its columns and ``own``, their block."""
    for i in missing:
        for j in range(len(block)):
            block[i, j] = block[j, i]
    for k in range(len(missing)):
        for j in range(len(missing)):
            block[missing[k], missing[j]] = own[k, j]


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
        # Rows are stored one after another in parts of equal size: few parts take few calls.
        self._size = max(1, min(N, CHUNK_BUDGET // (8 * max(1, N))))
        self.parts: list[FloatArray] = []
        self._count = 0
        # The number of the stored row of a point, −1 if there is none.
        self._row = np.full(N, -1, dtype=np.intp)

    def rows(self, points: IndexArray) -> FloatArray:
        """Return the rows of K at ``points``."""
        found, missing = self._across(points, np.arange(len(self.X)))
        if len(missing):
            found[missing] = super().rows(points[missing])
        return found

    def block(self, points: IndexArray) -> FloatArray:
        """Return the rows and columns of K at ``points``, from stored rows where there are."""
        found, missing = self._across(points, points)
        if len(missing):
            complete(found, missing, super().block(points[missing]))
        return found

    def product_of(self, points: IndexArray, b: FloatArray) -> FloatArray:
        """Return b K for coefficients that are zero outside ``points``; store their rows."""
        row = self._keep(points)
        F = np.zeros((len(b), len(self.X)))
        for part, index, mine in self._stored(row):
            values = np.ascontiguousarray(b[:, mine])
            for piece in slices(len(index), F.size + F.shape[1]):
                add_rows(part, index, values, F, piece.start, piece.stop)
        lone = (row < 0).nonzero()[0]
        if len(lone):
            F += super().product_of(points[lone], np.ascontiguousarray(b[:, lone]))
        return F

    def _across(self, points: IndexArray, others: IndexArray) -> tuple[FloatArray, IndexArray]:
        """Return stored rows at ``points``, columns at ``others``; and which are still to fill."""
        found, row = np.empty((len(points), len(others))), self._row[points]
        for part, index, mine in self._stored(row):
            copy_rows(part, index, others, found, mine)
        return found, (row < 0).nonzero()[0]

    def _stored(self, row: IndexArray) -> Iterator[tuple[FloatArray, IndexArray, IndexArray]]:
        """Yield each part in use, the indices of rows in it, and where they are in ``row``."""
        for k, part in enumerate(self.parts):
            begin = k * self._size
            mine = ((row >= begin) & (row < begin + self._size)).nonzero()[0]
            if len(mine):
                yield part, row[mine] - begin, mine

    def _keep(self, points: IndexArray) -> IndexArray:
        """Store missing rows of ``points``, as many as the budget allows; return all numbers."""
        missing = points[self._row[points] < 0][: self._left]
        while len(missing):
            index = self._count % self._size
            if index == 0:
                self.parts.append(np.empty((min(self._size, self._left), len(self.X))))
            chunk = missing[: self._size - index]
            self.parts[-1][index : index + len(chunk)] = super().rows(chunk)
            self._row[chunk] = np.arange(self._count, self._count + len(chunk))
            self._count += len(chunk)
            self._left -= len(chunk)
            missing = missing[len(chunk) :]
        return self._row[points]
