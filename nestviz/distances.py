"""Matrix products and squared distances whose digits depend on the numbers alone.

Linear algebra libraries add in an order that depends on their number of threads. `product` adds in
the order of the terms, whatever the number of threads or the layout in memory.

‖a‖² − 2⟨a, b⟩ + ‖b‖² takes one matrix product but rounds in units of ‖a‖² + ‖b‖²: the distance of
two near points is lost when both are far from the origin. Differences of the coordinates lose
nothing, and in up to `FEW_FEATURES` dimensions they are also faster. In more dimensions the product
is taken around the centre of the points, and entries whose rounding could matter are recomputed.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray, slices
from nestviz.compiled import fma, njit

#: Up to so many features differences are at least as fast as a matrix product.
FEW_FEATURES = 16
#: Rounding of a squared distance, in squared units, up to which a product is good enough.
NEGLIGIBLE = 2e-13
#: Squared distances from here on need no digits: exp(−D/2) is below 1e-21.
FAR = 100.0
EPS = float(np.finfo(np.float64).eps)
#: Squared distances round by about this many times ‖a‖² + ‖b‖²; (d + 4)ε times that at most.
ROUNDINGS = 2.0 * EPS
#: Operations besides those for each feature that an entry of a matrix of distances costs.
ENTRY = 16
#: Columns and terms of a product at a time: these fit the processor's cache.
WIDTH, WIDTH_OF_FEW, DEPTH = 256, 2048, 128


def product(A: FloatArray, B: FloatArray, out: FloatArray | None = None) -> FloatArray:
    """Return the matrix product A B.

    Parameters
    ----------
    A : ndarray of shape (n_rows, n_terms)
        First factor.
    B : ndarray of shape (n_terms, n_columns)
        Second factor.
    out : ndarray of shape (n_rows, n_columns), optional
        Zeros to write the product to.

    Returns
    -------
    ndarray of shape (n_rows, n_columns)
        Each entry is a sum over the terms in their order.
    """
    A, B = np.ascontiguousarray(A), np.ascontiguousarray(B)
    C = np.zeros((len(A), B.shape[1])) if out is None else out
    # The loads of a row of B count as much as a few products with it.
    for rows in slices(len(A), DEPTH * C.shape[1]):
        for terms in slices(len(B), C.shape[1] * (rows.stop - rows.start + 8)):
            add_product(A[rows], B, C, rows.start, 0, terms.start, terms.stop)
    return C


def inner(x: FloatArray, y: FloatArray) -> float:
    """Return Σ_i x_i y_i."""
    return float((x * y).sum())


@njit(cache=True, nogil=True)
def add_product(
    A: FloatArray, B: FloatArray, C: FloatArray, row: int, column: int, begin: int, end: int
) -> None:
    """Add terms ``begin`` to ``end`` of A B to the part of C from ``row`` and ``column`` on.

    All entries of C get their terms one by one: tiles and their edges do not show in the digits.
    """
    n, few = B.shape[1], len(A) % 4
    width = WIDTH if len(A) > 3 else WIDTH_OF_FEW
    for left in range(0, n, width):
        right = min(left + width, n)
        for first in range(begin, end, DEPTH):
            last = min(first + DEPTH, end)
            for i in range(0, len(A) - few, 4):
                _add_to_four(A, B, C, i, row, column, first, last, left, right)
            for i in range(len(A) - few, len(A)):
                target = C[row + i, column + left : column + right]
                _add_to_one(A[i], B, target, first, last, left, right)


@njit(cache=True, nogil=True)
def _add_to_one(
    a: FloatArray, B: FloatArray, c: FloatArray, first: int, last: int, left: int, right: int
) -> None:
    """Add Σ_p a_p B_p to one row, four terms at a time."""
    whole = last - (last - first) % 4
    for p in range(first, whole, 4):
        b0, b1 = B[p, left:right], B[p + 1, left:right]
        b2, b3 = B[p + 2, left:right], B[p + 3, left:right]
        a0, a1, a2, a3 = a[p], a[p + 1], a[p + 2], a[p + 3]
        for j in range(len(c)):
            c[j] = fma(a3, b3[j], fma(a2, b2[j], fma(a1, b1[j], fma(a0, b0[j], c[j]))))
    for p in range(whole, last):
        factor, b = a[p], B[p, left:right]
        for j in range(len(c)):
            c[j] = fma(factor, b[j], c[j])


@njit(cache=True, nogil=True)
def _add_to_four(
    A: FloatArray,
    B: FloatArray,
    C: FloatArray,
    i: int,
    row: int,
    column: int,
    first: int,
    last: int,
    left: int,
    right: int,
) -> None:
    """Do the same for four rows at once: what is read of B serves them all."""
    begin, end = column + left, column + right
    c0, c1 = C[row + i, begin:end], C[row + i + 1, begin:end]
    c2, c3 = C[row + i + 2, begin:end], C[row + i + 3, begin:end]
    r0, r1, r2, r3 = A[i], A[i + 1], A[i + 2], A[i + 3]
    whole = last - (last - first) % 4
    for p in range(first, whole, 4):
        b0, b1 = B[p, left:right], B[p + 1, left:right]
        b2, b3 = B[p + 2, left:right], B[p + 3, left:right]
        a00, a01, a02, a03 = r0[p], r0[p + 1], r0[p + 2], r0[p + 3]
        a10, a11, a12, a13 = r1[p], r1[p + 1], r1[p + 2], r1[p + 3]
        a20, a21, a22, a23 = r2[p], r2[p + 1], r2[p + 2], r2[p + 3]
        a30, a31, a32, a33 = r3[p], r3[p + 1], r3[p + 2], r3[p + 3]
        for j in range(len(c0)):
            x0, x1, x2, x3 = b0[j], b1[j], b2[j], b3[j]
            c0[j] = fma(a03, x3, fma(a02, x2, fma(a01, x1, fma(a00, x0, c0[j]))))
            c1[j] = fma(a13, x3, fma(a12, x2, fma(a11, x1, fma(a10, x0, c1[j]))))
            c2[j] = fma(a23, x3, fma(a22, x2, fma(a21, x1, fma(a20, x0, c2[j]))))
            c3[j] = fma(a33, x3, fma(a32, x2, fma(a31, x1, fma(a30, x0, c3[j]))))
    for p in range(whole, last):
        b = B[p, left:right]
        a0, a1, a2, a3 = r0[p], r1[p], r2[p], r3[p]
        for j in range(len(c0)):
            c0[j] = fma(a0, b[j], c0[j])
            c1[j] = fma(a1, b[j], c1[j])
            c2[j] = fma(a2, b[j], c2[j])
            c3[j] = fma(a3, b[j], c3[j])


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
        a, b, norms_a, norms_b = _centred(A, B, np.ascontiguousarray(A).mean(axis=0), scale)
        threatened = _threatened(norms_a, norms_b)
        if threatened:
            # A point far away draws the mean along, but not the median.
            a, b, norms_a, norms_b = _centred(A, B, np.median(A, axis=0), scale)
            threatened = _threatened(norms_a, norms_b)
        D = product(-2.0 * a, b.T)
        A, B = _read_only(A), _read_only(B)
        for rows in slices(len(A), len(B) * (ENTRY + threatened * A.shape[1])):
            part, norms = D[rows], norms_a[rows]
            part += norms[:, None]
            part += norms_b[None, :]
            np.maximum(part, 0.0, out=part)
            if threatened:
                _repair(part, A[rows], B, scale, norms, norms_b)
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
    A, B = _read_only(A), _read_only(B.T)
    for rows in slices(len(A), D.shape[1] * (ENTRY + A.shape[1])):
        _differences(A[rows], B, _inverse(unit), D[rows])
    return D


def _read_only(points: FloatArray) -> FloatArray:
    """Return the points, contiguous, as a view that cannot be written to.

    Numba compiles a kernel anew for each combination of writable and read-only arrays, of which
    the kernels that were compiled ahead are only some.
    """
    view = np.ascontiguousarray(points).view()
    view.flags.writeable = False
    return view


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
