"""The primal–dual gap, point by point.

For given coefficients the best slacks in the primals of section VII of Lee & Scott (2010) are found
greedily: for one-class and positive points from m = M down, for negative points from m = 1 up, the
running deficit of the margin is covered by ξ_m, the cheapest slack that the constraint allows. In
the oriented view of :mod:`nestviz.solvers.records` both orders are the same.

The gap is a sum over points of non-negative terms, each the most that a first-order step in that
point's coefficients could gain. So the same terms choose the working set.

A slack costs u_i at every level, while the objective goes to zero with λ: at λ = 1e-8 margins
missed by 1e-9 would make a gap of the size of the objective. Since every w is feasible in the
primal, the best multiple t_m w_m at each level is used, which avoids such slacks by a longer w.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.compiled import apart, njit
from nestviz.solvers.records import Chains

#: Deficits below this part of the margin are rounding and are ignored: the primal multiplied by one
#: plus this has none of them, and its value is larger by no more than the same part.
ROUNDING = 1e-12
#: Largest multiple of w that is tried.
LONGEST = 4.0


@njit(cache=True, nogil=True)
def point_gaps(chains: Chains, b: FloatArray, F: FloatArray) -> FloatArray:
    """Return the contribution of each point to primal minus dual, (N,).

    b : coefficients (M, N). F : the field b K (M, N). D : running deficit Σ q (s − F) of the
    margin, covered at price h_m as soon as it is positive. Q : the margin Σ q |s| it is part of.
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
            # Selections instead of branches, so that the loop is vectorised.
            for i in range(N):
                r = sign * weight * (s[i] - field[i]) if sign * s[i] > 0 else 0.0
                D, Q = deficit[i] + r, margin[i] + sign * weight * s[i]
                due = D > ROUNDING * Q
                gaps[i] += (bound[i] * D if due else 0.0) - sign * mine[i] * r
                deficit[i] = 0.0 if due else D
                margin[i] = 0.0 if due else Q
    return gaps


@njit(cache=True, nogil=True)
def smallest_gap(chains: Chains, b: FloatArray, F: FloatArray, gap: float) -> float:
    """Return primal minus dual for the best multiple of each w_m, at most ``gap``, that for w.

    With t_m w_m for w_m the terms of :func:`point_gaps` are those of the field t_m F_m, and
    Σ_m q_m ½ (t_m − 1)² b_mᵀ K b_m is added.
    """
    t, lengths = best_multiples(chains, b, F)
    longer = 0.5 * (chains.q * (t - 1.0) ** 2 * lengths).sum()
    return min(gap, point_gaps(chains, b, t.reshape(-1, 1) * F).sum() + longer)


# Sums in any order: the compiler adds several points at once, four times as fast.
@njit(cache=True, nogil=True, fastmath={"reassoc", "nsz"})
def best_multiples(chains: Chains, b: FloatArray, F: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the t that minimises ½ t² bᵀKb + Σ_i h_i (|s_i| − t f_i)₊, and bᵀKb, (M,) each.

    f is the field times the sign of s. The derivative is t bᵀKb minus the pull Σ h_i f_i of the
    points with t f_i < |s_i|, which decreases with t. So the pull at one t bounds the root on the
    other side of t, and t = 1 leaves few points to look at.
    """
    apart()
    _, s, h = chains
    found, lengths = np.ones(len(b)), np.empty(len(b))
    target, side = np.abs(s), np.sign(s)
    jump, drop = np.empty(len(s)), np.empty(len(s))
    for m in range(len(b)):
        f, bound = side * F[m], h[m]
        length = lengths[m] = (b[m] * F[m]).sum()
        if length <= 0.0:
            continue
        pull = 0.0
        for i in range(len(f)):
            pull += bound[i] * f[i] if f[i] < target[i] else 0.0
        low, high = max(min(pull / length, 1.0), 0.0), min(max(pull / length, 1.0), LONGEST)
        beyond, count = 0.0, 0
        for i in range(len(f)):
            beyond += bound[i] * f[i] if high * f[i] <= target[i] else 0.0
            if low * f[i] < target[i] < high * f[i]:
                jump[count], drop[count] = target[i] / f[i], bound[i] * f[i]
                count += 1
        found[m] = root(length, beyond, low, high, jump[:count], drop[:count])
    return found, lengths


@njit(cache=True, nogil=True)
def root(
    length: float, beyond: float, low: float, high: float, jump: FloatArray, drop: FloatArray
) -> float:
    """Return the least t between ``low`` and ``high`` with t · length ≥ the pull at t.

    The pull is ``beyond`` plus the sum of ``drop`` over the points whose ``jump`` exceeds t. Both
    arrays are overwritten.
    """
    count = len(jump)
    while count > 0:
        # Either bound becomes this jump, which is then left out, so the loop ends.
        t = jump[count // 2]
        pull = beyond
        for k in range(count):
            pull += drop[k] if jump[k] > t else 0.0
        if t * length < pull:
            low, high = t, min(high, pull / length)
        else:
            low, high = max(low, pull / length), t
        left = 0
        for k in range(count):
            if jump[k] >= high:
                beyond += drop[k]
            elif jump[k] > low:
                jump[left], drop[left] = jump[k], drop[k]
                left += 1
        count = left
    return min(max(beyond / length, low), high)


@njit(cache=True, nogil=True)
def dual_objective(chains: Chains, b: FloatArray, F: FloatArray) -> float:
    """Return Σ_m q_m [½ b_mᵀ K b_m − sᵀ b_m], the dual as the paper writes it."""
    q, s, _ = chains
    value = 0.0
    for m in range(len(q)):
        level = 0.0
        for i in range(len(s)):
            level += b[m, i] * (0.5 * F[m, i] - s[i])
        value += q[m] * level
    return value


def relative_gap(gap: float, objective: float) -> float:
    """Return the gap relative to the dual value; 0 if both vanish, inf if only the latter does."""
    gap = max(gap, 0.0)
    if gap == 0.0:
        return 0.0
    return gap / abs(objective) if objective != 0.0 else np.inf
