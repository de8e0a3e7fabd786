"""Squared distances that keep their digits, however far apart some of the points are.

‖a‖² − 2⟨a, b⟩ + ‖b‖² takes one matrix product but rounds in units of ‖a‖² + ‖b‖²: the distance of
two near points is lost when both are far from the origin. Differences of the coordinates lose
nothing, and in up to `FEW_FEATURES` dimensions they are also faster. In more dimensions the product
is taken around the centre of the points, and entries whose rounding could matter are recomputed.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.compiled import njit

#: Up to so many features differences are at least as fast as a matrix product.
FEW_FEATURES = 16
#: Rounding of a squared distance, in squared units, up to which a product is good enough.
NEGLIGIBLE = 2e-13
#: Squared distances from here on need no digits: exp(−D/2) is below 1e-21.
FAR = 100.0
EPS = float(np.finfo(np.float64).eps)
#: Squared distances round by about this many times ‖a‖² + ‖b‖²; (d + 4)ε times that at most.
ROUNDINGS = 2.0 * EPS


def squared_distances(A: FloatArray, B: FloatArray, unit: float = 1.0) -> FloatArray:
    """Return ‖a_i − b_j‖²/unit², never negative and never NaN; what overflows is inf.

    Parameters
    ----------
    A : ndarray of shape (n_first, n_features)
        Finite numbers.
    B : ndarray of shape (n_second, n_features)
        Finite numbers.
    unit : float
        The length in which distances are measured, positive: σ for a Gaussian kernel.

    Returns
    -------
    ndarray of shape (n_first, n_second)
        Absolute error of an entry below `FAR`: a few 1e-14, and a few roundings of the entry
        itself. Further away only the size is right.
    """
    if A.shape[1] <= FEW_FEATURES:
        return differences_squared(A, B, unit)
    scale = _inverse(unit)
    with np.errstate(over="ignore", invalid="ignore"):
        a, b, norms_a, norms_b = _centred(A, B, A.mean(axis=0), scale)
        threatened = _threatened(norms_a, norms_b)
        if threatened:
            # A point far away draws the mean along, but not the median.
            a, b, norms_a, norms_b = _centred(A, B, np.median(A, axis=0), scale)
            threatened = _threatened(norms_a, norms_b)
        D = (-2.0 * a) @ b.T
        D += norms_a[:, None]
        D += norms_b[None, :]
        np.maximum(D, 0.0, out=D)
    if threatened:
        _repair(D, np.ascontiguousarray(A), np.ascontiguousarray(B), scale, norms_a, norms_b)
    return D


def _centred(
    A: FloatArray, B: FloatArray, centre: FloatArray, scale: float
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return scaled points around a centre, and their squared norms."""
    a, b = (A - centre) * scale, (B - centre) * scale
    return a, b, np.einsum("ij,ij->i", a, a), np.einsum("ij,ij->i", b, b)


def _threatened(norms_a: FloatArray, norms_b: FloatArray) -> bool:
    """Return whether rounding could matter anywhere; NaN, from overflow, counts as yes."""
    return not ROUNDINGS * (norms_a.max(initial=0.0) + norms_b.max(initial=0.0)) <= NEGLIGIBLE


def differences_squared(A: FloatArray, B: FloatArray, unit: float = 1.0) -> FloatArray:
    """Return ‖a_i − b_j‖²/unit² from the differences of all coordinates: no digits cancel.

    Parameters
    ----------
    A, B, unit
        As in `squared_distances`, which uses a matrix product in many dimensions.

    Returns
    -------
    ndarray of shape (n_first, n_second)
        Squared distances, each right to a few roundings.
    """
    D = np.empty((len(A), len(B)))
    _differences(np.ascontiguousarray(A), np.ascontiguousarray(B.T), _inverse(unit), D)
    return D


def _inverse(unit: float) -> float:
    """Return 1/unit; the largest number instead of inf, which times 0 would be NaN."""
    return min(1.0 / unit, float(np.finfo(np.float64).max))


@njit(cache=True, nogil=True)
def _differences(A: FloatArray, B: FloatArray, scale: float, D: FloatArray) -> None:
    """Fill D; B has one row per feature, so that the inner loop is contiguous in memory."""
    for i in range(len(A)):
        row = D[i]
        row[:] = 0.0
        for k in range(A.shape[1]):
            x, others = A[i, k], B[k]
            for j in range(row.size):
                step = (x - others[j]) * scale
                row[j] += step * step


@njit(cache=True, nogil=True)
def _repair(
    D: FloatArray,
    A: FloatArray,
    B: FloatArray,
    scale: float,
    norms_a: FloatArray,
    norms_b: FloatArray,
) -> None:
    """Recompute the entries that may be near and have lost digits, in place."""
    most = (A.shape[1] + 4) * EPS
    for i in range(len(A)):
        for j in range(len(B)):
            size = norms_a[i] + norms_b[j]
            if D[i, j] > FAR + most * size or ROUNDINGS * size <= NEGLIGIBLE:
                continue
            total = 0.0
            for k in range(A.shape[1]):
                step = (A[i, k] - B[j, k]) * scale
                total += step * step
            D[i, j] = total
