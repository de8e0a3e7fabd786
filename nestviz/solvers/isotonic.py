"""Bounded isotonic regression: the subproblem of both decomposition algorithms.

    minimise Σ_m q_m (a_m − z_m)²   over   0 ≤ a_1 ≤ a_2 ≤ … ≤ a_M,   a_m ≤ h_m,

with bounds h that do not decrease. Pool-adjacent-violators solves it exactly in O(M) when the value
of a block is its weighted mean *clipped to the block's own bounds*, here [0, h of its first level].
Clipping the unbounded answer afterwards would be wrong: targets (5, 0) under bounds (1, 10) give
(1, 1), not (1, 2.5).
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from nestviz.solvers.records import FloatArray, IndexArray


@njit(cache=True, nogil=True)
def pool(
    z: FloatArray,
    q: FloatArray,
    h: FloatArray,
    a: FloatArray,
    start: IndexArray,
    total: FloatArray,
    weight: FloatArray,
) -> None:
    """Write the solution into ``a``; the last three arrays are scratch of length M.

    z : targets. q : weights. h : bounds. Block k begins at ``start[k]``, holds ``weight[k]`` = Σ q
    and ``total[k]`` = Σ q z, and keeps its value in ``a[k]`` until the blocks are written out.
    """
    M = len(z)
    k = -1
    for m in range(M):
        k += 1
        start[k] = m
        total[k] = q[m] * z[m]
        weight[k] = q[m]
        a[k] = min(max(z[m], 0.0), h[m])
        while k > 0 and a[k - 1] > a[k]:
            total[k - 1] += total[k]
            weight[k - 1] += weight[k]
            k -= 1
            a[k] = min(max(total[k] / weight[k], 0.0), h[start[k]])
    end = M
    for block in range(k, -1, -1):
        # Backwards, because a block's value sits at an index no later than its first level.
        value = a[block]
        for m in range(start[block], end):
            a[m] = value
        end = start[block]


def bounded_isotonic(targets: ArrayLike, weights: ArrayLike, bounds: ArrayLike) -> FloatArray:
    """Closest non-decreasing sequence within [0, bounds], in the weighted least-squares sense.

    Parameters
    ----------
    targets : array-like (M,)
        What the sequence should be near.
    weights : array-like (M,)
        Positive weights of the squared differences.
    bounds : array-like (M,)
        Upper bounds, non-negative and not decreasing.

    Returns
    -------
    array (M,)
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
    a = np.empty_like(z)
    pool(z, q, h, a, np.empty(len(z), dtype=np.intp), np.empty_like(z), np.empty_like(z))
    return a
