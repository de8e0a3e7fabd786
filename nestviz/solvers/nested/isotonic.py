"""Bounded isotonic regression: the subproblem of both decomposition algorithms.

    minimise Σ_m q_m (a_m − z_m)²   over   0 ≤ a_1 ≤ a_2 ≤ … ≤ a_M,   a_m ≤ h_m,

with bounds h that do not decrease. Pool-adjacent-violators solves it exactly in O(M) when the value
of a block is its weighted mean *clipped to the block's own bounds*, here [0, h of its first level].
Clipping the unbounded answer afterwards would be wrong: targets (5, 0) under bounds (1, 10) give
(1, 1), not (1, 2.5).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray, IndexArray
from nestviz.compiled import njit
from nestviz.solvers.records import Chains

#: Coefficients whose relative difference is smaller are equal.
CLOSE = 1e-14


class PoolSpace(NamedTuple):
    """Work space of :func:`pool`: first level, value, Σ q z and Σ q of each block, (M,) each."""

    first: IndexArray
    value: FloatArray
    total: FloatArray
    weight: FloatArray


@njit(cache=True, nogil=True)
def pool_space(M: int) -> PoolSpace:
    """Return work space for M levels."""
    return PoolSpace(np.empty(M, dtype=np.intp), np.empty(M), np.empty(M), np.empty(M))


@njit(cache=True, nogil=True)
def pool(chains: Chains, i: int, z: FloatArray, space: PoolSpace) -> None:
    """Replace z, target coefficients (M,) of point i, by the nearest feasible ones, weighted by q.

    A point with s_i < 0 is read backwards, with its signs changed.
    """
    q, s, h = chains
    first, value, total, weight = space
    M = len(q)
    up = s[i] > 0
    sign = 1.0 if up else -1.0
    k = -1
    for step in range(M):
        m = step if up else M - 1 - step
        k += 1
        first[k], total[k], weight[k] = m, q[m] * (sign * z[m]), q[m]
        a = min(max(sign * z[m], 0.0), h[m, i])
        while k > 0 and value[k - 1] > a:
            k -= 1
            total[k] += total[k + 1]
            weight[k] += weight[k + 1]
            a = min(max(total[k] / weight[k], 0.0), h[first[k], i])
        value[k] = a
    for step in range(M - 1, -1, -1):
        m = step if up else M - 1 - step
        z[m] = sign * value[k]
        if m == first[k]:
            k -= 1


@njit(cache=True, nogil=True)
def close_ranks(chains: Chains, b: FloatArray) -> None:
    """Set coefficients within rounding of a bound, or of the level before, to that value, in place.

    Otherwise each would count as a free block, and a Newton step would meet one limit after the
    other without progress.
    """
    _, s, h = chains
    M, n = b.shape
    for i in range(n):
        up = s[i] > 0
        sign = 1.0 if up else -1.0
        before = 0.0
        for step in range(M):
            m = step if up else M - 1 - step
            a = max(sign * b[m, i], before)
            if a - before <= CLOSE * a:
                a = before
            elif h[m, i] - a <= CLOSE * a:
                a = h[m, i]
            b[m, i] = sign * a
            before = a


def bounded_isotonic(targets: ArrayLike, weights: ArrayLike, bounds: ArrayLike) -> FloatArray:
    """Return the closest non-decreasing sequence within [0, bounds], in weighted least squares.

    Parameters
    ----------
    targets : array-like of shape (n_levels,)
        The sequence to approximate.
    weights : array-like of shape (n_levels,)
        Positive weights of the squared differences.
    bounds : array-like of shape (n_levels,)
        Upper bounds, non-negative and not decreasing.

    Returns
    -------
    ndarray of shape (n_levels,)
        The unique minimiser.

    Examples
    --------
    >>> bounded_isotonic([5.0, 0.0], [1.0, 1.0], [1.0, 10.0])
    array([1., 1.])
    """
    z, q, h = (np.ascontiguousarray(v, dtype=np.float64) for v in (targets, weights, bounds))
    if not (z.ndim == 1 and z.shape == q.shape == h.shape):
        raise ValueError(
            "targets, weights and bounds must be one-dimensional and of equal length, "
            f"got shapes {z.shape}, {q.shape} and {h.shape}."
        )
    if not (np.all(q > 0) and np.all(h >= 0) and np.all(np.diff(h) >= 0)):
        raise ValueError(
            "Weights must be positive, and bounds non-negative and not decreasing: sort the levels."
        )
    a = z.copy()
    pool(Chains(q, np.ones(1), h[:, None]), 0, a, pool_space(len(a)))
    return a
