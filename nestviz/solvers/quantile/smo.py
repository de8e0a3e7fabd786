"""Steps between pairs of points, for all quantiles.

Every point has a coefficient η_ji for each quantile j, but the objective depends on their sums over
j only: one field F serves all quantiles, and moving t from point s to point i costs one update of
it for any choice of quantiles. So a pair found for one quantile moves the coefficients of the
others as well, up to the best total.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.compiled import njit

#: Curvature below this part of the diagonal counts as zero: the two points coincide.
FLAT = 1e-12
#: Coefficients this close to a bound, relative to it, count as equal to it.
SNAP = 1e-13
#: Pairs for a quantile before the next one.
PAIRS = 2


@njit(cache=True, nogil=True)
def may_grow(eta: FloatArray, F: FloatArray, bound: FloatArray) -> int:
    """Return the point of lowest field whose coefficient is below its bound, or −1."""
    lowest, i = np.inf, -1
    for t in range(len(F)):
        if F[t] < lowest and eta[t] < (1.0 - SNAP) * bound[t]:
            lowest, i = F[t], t
    return i


@njit(cache=True, nogil=True)
def giver(
    row: FloatArray,
    diagonal: FloatArray,
    eta: FloatArray,
    F: FloatArray,
    bound: FloatArray,
    i: int,
    q: int,
) -> int:
    """Return the point s whose transfer to i lowers the objective most, or −1.

    A transfer of t lowers it by t (F_s − F_i) − t² χ/(2q) with the curvature
    χ = k_ii + k_ss − 2 k_is; t is limited by the bounds of s and i.
    """
    best, s, reach = 0.0, -1, bound[i] - eta[i]
    for t in range(len(F)):
        slope = F[t] - F[i]
        most = min(eta[t], reach)
        # An upper bound of the gain rules out most points without a division.
        if most * slope > best and eta[t] > SNAP * bound[t]:
            curvature = max(diagonal[i] + diagonal[t] - 2.0 * row[t], FLAT * diagonal[i])
            step = min(most, q * slope / curvature)
            gain = step * (slope - 0.5 * step * curvature / q)
            if gain > best:
                best, s = gain, t
    return s


@njit(cache=True, nogil=True)
def transfer(
    eta: FloatArray, bounds: FloatArray, i: int, s: int, wanted: float, first: int
) -> float:
    """Move up to ``wanted`` from s to i, quantile by quantile from ``first`` on; return the amount.

    Bounds are reached to the last bit.
    """
    q, moved = len(eta), 0.0
    for turn in range(q):
        j = (first + turn) % q
        reach, stock = bounds[j, i] - eta[j, i], eta[j, s]
        step = min(wanted - moved, reach, stock)
        if step > 0:
            eta[j, i] = bounds[j, i] if step == reach else eta[j, i] + step
            eta[j, s] = 0.0 if step == stock else stock - step
            moved += step
    return moved


@njit(cache=True, nogil=True)
def pair_steps(
    K: FloatArray, diagonal: FloatArray, eta: FloatArray, F: FloatArray, bounds: FloatArray
) -> float:
    """Move pairs of every quantile once, in place; return the decrease of the objective (5).

    K : kernel matrix (n, n). eta : coefficients (q, n). F : the field 1/q Σ_ji η_ji k(x_i, ·) at
    these points, kept up to date; other points may contribute to it. bounds : u_i/ν_j (q, n).
    """
    q, n = eta.shape
    fallen = 0.0
    for j in range(q):
        for _ in range(PAIRS):
            i = may_grow(eta[j], F, bounds[j])
            if i < 0:
                break
            row = K[i]
            s = giver(row, diagonal, eta[j], F, bounds[j], i, q)
            if s < 0:
                break
            slope = F[s] - F[i]
            curvature = max(diagonal[i] + diagonal[s] - 2.0 * row[s], FLAT * diagonal[i])
            moved = transfer(eta, bounds, i, s, q * slope / curvature, j)
            other, share = K[s], moved / q
            for t in range(n):
                F[t] += share * (row[t] - other[t])
            fallen += moved * (slope - 0.5 * share * curvature)
    return fallen
