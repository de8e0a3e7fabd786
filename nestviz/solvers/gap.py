"""The primal–dual gap, point by point.

For given coefficients the primals of section VII of Lee & Scott (2010) have a best slack that comes
greedily: one-class and positive points from m = M down, negative points from m = 1 up, paying the
running deficit of the margin with ξ_m, the cheapest slack that the constraint allows. In the
oriented view of :mod:`nestviz.solvers.records` both are the same walk.

The gap is a sum over points of non-negative terms, each the most that a first-order step in that
point's coefficients could still gain. So the same numbers stop the solver and tell it where to
work.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from nestviz.solvers.records import Chains, FloatArray

#: Deficits below this part of the margin are rounding. They need not be paid: the primal multiplied
#: by one plus this has none of them, and its value is larger by no more than the same part.
ROUNDING = 1e-12


@njit(cache=True, nogil=True)
def point_gaps(chains: Chains, b: FloatArray, F: FloatArray) -> FloatArray:
    """Contribution of each point to primal minus dual, (N,).

    b : coefficients (M, N). F : the field b K (M, N). D : running deficit Σ q (s − F) of the
    margin, paid at price h_m as soon as it is positive. Q : the margin Σ q |s| it is part of.
    """
    q, s, h = chains
    M, N = b.shape
    gaps = np.zeros(N)
    for sign in (1.0, -1.0):
        if (sign * s).max() <= 0:
            continue
        deficit, margin = np.zeros(N), np.zeros(N)
        for step in range(M):
            m = M - 1 - step if sign > 0 else step
            weight, bound, mine, field = q[m], h[m], b[m], F[m]
            # Selections instead of branches: several points go through this loop abreast.
            for i in range(N):
                r = sign * weight * (s[i] - field[i]) if sign * s[i] > 0 else 0.0
                D, Q = deficit[i] + r, margin[i] + sign * weight * s[i]
                due = D > ROUNDING * Q
                gaps[i] += (bound[i] * D if due else 0.0) - sign * mine[i] * r
                deficit[i] = 0.0 if due else D
                margin[i] = 0.0 if due else Q
    return gaps


@njit(cache=True, nogil=True)
def dual_objective(chains: Chains, b: FloatArray, F: FloatArray) -> float:
    """Σ_m q_m [½ b_mᵀ K b_m − sᵀ b_m], the dual as the paper writes it."""
    q, s, _ = chains
    value = 0.0
    for m in range(len(q)):
        level = 0.0
        for i in range(len(s)):
            level += b[m, i] * (0.5 * F[m, i] - s[i])
        value += q[m] * level
    return value


def relative_gap(gap: float, objective: float) -> float:
    """The gap relative to the dual value; 0 when both vanish, inf when only the latter does."""
    gap = max(gap, 0.0)
    if gap == 0.0:
        return 0.0
    return gap / abs(objective) if objective != 0.0 else np.inf
