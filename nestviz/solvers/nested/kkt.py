"""Violation of the optimality conditions (appendices A and B, figures 14–16, of Lee & Scott 2010).

The tables of the paper choose the multipliers u (upper bounds) and v (nesting, and zero) that would
make the current coefficients optimal; the rest of ∂L/∂α_im is the error. It is measured in units of
the margin, and averaged with the upper bounds as weights:

    residual = Σ_im α_max,im |∂L/∂α_im| / Σ_im α_max,im.

It does not depend on the scale of K, λ or the weights, nor on merging coincident points, and bounds
the gap: primal minus dual is at most residual · Σ_im α_max,im.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.compiled import njit
from nestviz.distances import inner
from nestviz.solvers.records import Chains

#: Coefficients of neighbouring levels that agree to this relative accuracy count as equal: α/λ
#: rounds.
TIE = 1e-12


@njit(cache=True, nogil=True)
def violations(chains: Chains, b: FloatArray, F: FloatArray) -> FloatArray:
    """Return Σ_m h_im |∂L/∂b_im| for each point, (N,).

    b : coefficients (M, N). F : the field b K (M, N). In the oriented view, from the last level to
    the first: r = ∂L/∂b before this level's multipliers; u absorbs a negative r at the bound, v a
    positive one where the coefficient equals the one before, to whose r it is added.
    """
    q, s, h = chains
    M, N = b.shape
    found, ground = np.zeros(N), np.zeros(N)
    for sign in (1.0, -1.0):
        if (sign * s).max() <= 0:
            continue
        handed = np.zeros(N)
        for step in range(M):
            m, before = (M - 1 - step, M - 2 - step) if sign > 0 else (step, step + 1)
            below = b[before] if step < M - 1 else ground
            weight, bound, mine, field = q[m], h[m], b[m], F[m]
            # Selections instead of branches, so that the loop is vectorised.
            for i in range(N):
                r = sign * weight * (field[i] - s[i]) + handed[i] if sign * s[i] > 0 else 0.0
                a = sign * mine[i]
                u = r if r < 0 and a == bound[i] else 0.0
                v = r if r > 0 and a - sign * below[i] <= TIE * a else 0.0
                handed[i] = v
                found[i] += bound[i] * abs(r - u - v)
    return found


def largest_violation(chains: Chains) -> float:
    """Return Σ_im h_im q_m |s_i|, the unit of :func:`violations`: every margin missed fully."""
    return inner(chains.q, (chains.h * np.abs(chains.s)).sum(axis=1))


def residual(chains: Chains, violation: FloatArray) -> float:
    """Return the mean violation of the optimality conditions, 0 at the optimum."""
    unit = largest_violation(chains)
    return float(violation.sum()) / unit if unit > 0 else 0.0
