"""Check that a matrix can hold kernel values."""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray

#: Differences up to this share of the largest entry count as symmetric.
ASYMMETRY = 1e-8
#: Negative eigenvalues down to this part of the largest absolute row sum are rounding.
NEGATIVE = 1e-8
#: With more points, so many evenly spaced ones are checked for negative eigenvalues.
BLOCK = 2000
#: Rows and columns compared with their transpose at a time.
TILE = 128
WAY_OUT = (
    "Such values are not those of a kernel, and the problem has no unique solution. Check how the "
    "matrix was made: similarities that are no inner products can be squared (K @ K.T), or their "
    "negative eigenvalues set to zero."
)


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
    largest = float(np.abs(K).max())
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
    excess = np.abs(K) - lengths[:, None] * lengths
    worst = int(excess.argmax())
    if excess.flat[worst] > NEGATIVE * largest:
        i, j = divmod(worst, len(K))
        raise ValueError(
            f"The kernel matrix is indefinite: |K[{i}, {j}]| = {abs(K[i, j]):g} is more than "
            f"√(K[{i}, {i}] K[{j}, {j}]) = {lengths[i] * lengths[j]:g}, the largest inner product "
            f"of two points of these lengths. {WAY_OUT}"
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
    if dpotrf(shifted, lower=1, overwrite_a=1)[1] == 0:
        return
    lowest = float(eigvalsh(K, subset_by_index=(0, 0))[0])
    if lowest < -allowed:
        raise ValueError(
            f"The kernel matrix is indefinite: it has the negative eigenvalue {lowest:.3g}, beyond "
            f"the {allowed:.1g} that rounding explains. {WAY_OUT}"
        )
