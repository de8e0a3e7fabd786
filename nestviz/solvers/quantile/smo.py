"""Steps between pairs of points that all quantiles take part in.

Every point has a coefficient η_ji for each quantile j, but the objective depends on their sums over
j only: one field F serves all quantiles, and moving t from point s to point i costs one update of
it whichever quantiles the amount is taken from. So a pair found for one quantile moves all that the
others have to give as well, up to the best total.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from nestviz.arrays import FloatArray

#: Curvature below this part of the diagonal is taken for none: the two points coincide.
FLAT = 1e-12
#: Coefficients this close to a bound, relative to it, are taken to be there.
SNAP = 1e-13
#: Pairs for a quantile before the next one has its turn.
PAIRS = 2


@njit(cache=True, nogil=True)
def may_grow(eta: FloatArray, F: FloatArray, bound: FloatArray) -> int:
    """The point of lowest field whose coefficient is below its bound; −1 if there is none."""
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
    """The point that lowers the objective most if it gives to i; −1 if none does.

    Giving t lowers it by t (F_s − F_i) − t² χ/(2q) with the curvature χ = k_ii + k_ss − 2 k_is; t
    is limited by what s has and by the room that i has.
    """
    best, s, room = 0.0, -1, bound[i] - eta[i]
    for t in range(len(F)):
        slope = F[t] - F[i]
        most = min(eta[t], room)
        # No more than this can be gained; most points are ruled out without a division.
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
    """Move up to ``wanted`` from s to i, quantile by quantile from ``first`` on; what was moved.

    Bounds are reached to the last bit, so that a point at its bound is seen to be there.
    """
    q, moved = len(eta), 0.0
    for turn in range(q):
        j = (first + turn) % q
        room, stock = bounds[j, i] - eta[j, i], eta[j, s]
        step = min(wanted - moved, room, stock)
        if step > 0:
            eta[j, i] = bounds[j, i] if step == room else eta[j, i] + step
            eta[j, s] = 0.0 if step == stock else stock - step
            moved += step
    return moved


@njit(cache=True, nogil=True)
def pair_steps(
    K: FloatArray, diagonal: FloatArray, eta: FloatArray, F: FloatArray, bounds: FloatArray
) -> float:
    """One turn of every quantile, in place; how far the objective (5) fell.

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
