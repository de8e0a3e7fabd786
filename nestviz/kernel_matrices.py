"""Check that a matrix can hold kernel values; decompose matrices the same way everywhere."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from nestviz.arrays import FloatArray, slices

#: Differences up to this share of the largest entry count as symmetric.
ASYMMETRY = 1e-8
#: Negative eigenvalues down to this part of the largest absolute row sum are rounding.
NEGATIVE = 1e-8
#: With more points, so many evenly spaced ones are checked for negative eigenvalues.
BLOCK = 2000
#: Rows and columns compared with their transpose at a time.
TILE = 128
#: Matrices up to this order are decomposed in less time than Ctrl-C may take.
SHORT = 300
WAY_OUT = (
    "Such values are not those of a kernel, and the problem has no unique solution. Check how the "
    "matrix was made: similarities that are no inner products can be squared (K @ K.T), or their "
    "negative eigenvalues set to zero."
)


Result = TypeVar("Result")


class _OneBlasThread:
    """Limit the linear algebra library to one thread while any caller asks for it.

    The limit applies to the whole process. Counting callers keeps overlapping requests from
    restoring each other's limit instead of the original one.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.users = 0
        self._limit: Any = None

    @cached_property
    def _libraries(self) -> Any:
        # A limit applies to loaded libraries, and SciPy brings one of its own.
        import scipy.linalg  # noqa: F401
        from threadpoolctl import ThreadpoolController

        return ThreadpoolController()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Run matrix products on one thread inside this block."""
        with self.lock:
            if not self.users:
                self._limit = self._libraries.limit(limits=1, user_api="blas")
            self.users += 1
        try:
            yield
        finally:
            with self.lock:
                self.users -= 1
                if not self.users:
                    self._limit.restore_original_limits()

    def after_fork(self) -> None:
        """Forget the callers of the parent process, none of which runs in this one."""
        self.lock = threading.Lock()
        if self.users:
            self.users = 0
            self._limit.restore_original_limits()


ONE_BLAS_THREAD = _OneBlasThread()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=ONE_BLAS_THREAD.after_fork)


def decomposed(work: Callable[[], Result], order: int) -> Result:
    """Run a decomposition of a matrix of this order: same digits everywhere, and interruptible.

    The library works on one thread, as its sums depend on the number of threads. It cannot be
    interrupted, so what is long runs beside the main thread, which waits for it or for Ctrl-C.
    """
    with ONE_BLAS_THREAD.held():
        if order <= SHORT or threading.current_thread() is not threading.main_thread():
            return work()
        found: list[Result] = []
        failed: list[BaseException] = []

        def run() -> None:
            try:
                found.append(work())
            except BaseException as error:
                failed.append(error)

        helper = threading.Thread(target=run, daemon=True)
        helper.start()
        while helper.is_alive():
            helper.join(0.05)
    if failed:
        raise failed[0]
    return found[0]


def check_kernel_matrix(K: FloatArray) -> None:
    """Refuse a matrix that is not square, finite, symmetric, positive semi-definite and not zero.

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points)
        Values k(x_i, x_j) between training points.

    Raises
    ------
    ValueError
        If the matrix is not that of a kernel; the message says why, and what to do.
    """
    check_symmetric(K)
    largest = max(float(K.max()), -float(K.min()))
    if largest == 0.0:
        raise ValueError(
            "The kernel matrix is zero: all points are at the origin of the feature space. Use "
            "another kernel."
        )
    diagonal = K.diagonal()
    if diagonal.min() < 0:
        i = int(diagonal.argmin())
        raise ValueError(
            f"The kernel matrix has the negative entry {diagonal[i]:g} on its diagonal (row {i}), "
            f"where squared lengths belong. {WAY_OUT}"
        )
    _check_pairs(K, diagonal, largest)
    _check_curvature(K)


def check_symmetric(K: FloatArray) -> None:
    """Refuse a matrix that is not square, finite and symmetric."""
    if K.ndim != 2 or K.shape[0] != K.shape[1] or len(K) == 0:
        raise ValueError(f"A precomputed kernel needs a square matrix, not shape {K.shape}.")
    low, high = K.min(), K.max()
    if not np.isfinite([low, high]).all():
        i, j = np.argwhere(~np.isfinite(K))[0]
        raise ValueError(
            f"The kernel matrix has the value {K[i, j]} in row {i}, column {j}. Kernel values must "
            f"be finite: remove the points in question, or correct their values."
        )
    if _asymmetry(K) > ASYMMETRY * max(-low, high):
        i, j = divmod(int(np.abs(K - K.T).argmax()), len(K))
        raise ValueError(
            f"A precomputed kernel matrix must be symmetric, and K[{i}, {j}] = {K[i, j]:g} but "
            f"K[{j}, {i}] = {K[j, i]:g}. Pass (K + K.T) / 2 if the difference means nothing."
        )


def _asymmetry(K: FloatArray) -> float:
    """Return the largest |K_ij − K_ji|; in tiles, because reading whole columns is slow."""
    largest = 0.0
    for i in range(0, len(K), TILE):
        for j in range(i, len(K), TILE):
            uneven = K[i : i + TILE, j : j + TILE] - K[j : j + TILE, i : i + TILE].T
            largest = max(largest, float(uneven.max()), -float(uneven.min()))
    return largest


def _check_pairs(K: FloatArray, diagonal: FloatArray, largest: float) -> None:
    """Refuse a value larger than the product of the lengths of its two points."""
    lengths = np.sqrt(diagonal)
    for rows in slices(len(K), 32 * len(K)):
        excess = np.abs(K[rows]) - lengths[rows, None] * lengths
        i, j = divmod(int(excess.argmax()), len(K))
        if excess[i, j] > NEGATIVE * largest:
            i += rows.start
            raise ValueError(
                f"The kernel matrix is indefinite: |K[{i}, {j}]| = {abs(K[i, j]):g} is more than "
                f"√(K[{i}, {i}] K[{j}, {j}]) = {lengths[i] * lengths[j]:g}, the largest inner "
                f"product of two points of these lengths. {WAY_OUT}"
            )


def _check_curvature(K: FloatArray) -> None:
    """Refuse a matrix with a negative eigenvalue beyond rounding."""
    from scipy.linalg import eigvalsh
    from scipy.linalg.lapack import dpotrf

    if len(K) > BLOCK:
        rows = np.linspace(0, len(K) - 1, BLOCK).astype(np.intp)
        K = K[np.ix_(rows, rows)]
    allowed = NEGATIVE * float(np.abs(K).sum(axis=1).max())
    shifted = K + allowed * np.eye(len(K))
    if decomposed(lambda: dpotrf(shifted, lower=1, overwrite_a=1)[1], len(K)) == 0:
        return
    lowest = float(decomposed(lambda: eigvalsh(K, subset_by_index=(0, 0)), len(K))[0])
    if lowest < -allowed:
        raise ValueError(
            f"The kernel matrix is indefinite: it has the negative eigenvalue {lowest:.3g}, beyond "
            f"the {allowed:.1g} that rounding explains. {WAY_OUT}"
        )
