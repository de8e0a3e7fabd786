"""Newton steps on the coefficients between their bounds, for all quantiles at once.

Pairs are slow where K is nearly singular. There the coefficients strictly between their bounds
settle first, and among them the problem is a quadratic with one equation Σ_i η_ji = 1 for each
quantile. One of them, the pivot of the quantile, balances the others, which leaves

    H_{(j,i),(p,s)} = 1/q ⟨Φ(x_i) − Φ(x_π(j)), Φ(x_s) − Φ(x_π(p))⟩,      g_(j,i) = F_i − F_π(j).

A point that is free for two quantiles makes H singular; the factorisation adds a tiny ridge.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.compiled import njit
from nestviz.distances import inner
from nestviz.solvers.cholesky import RIDGES, ridge_cholesky, solve_transposed, solve_upper
from nestviz.solvers.columns import combine_rows

#: Bisections for the shift that restores the sum of a row.
HALVINGS = 80
#: Beyond this many free coefficients a factorisation costs more than the pairs it saves.
MOST_FREE = 400


class Free(NamedTuple):
    """Free coefficients except pivots: quantile, point, and the pivot of the quantile."""

    quantile: IndexArray
    point: IndexArray
    pivot: IndexArray


def free_coefficients(eta: FloatArray, bounds: FloatArray) -> Free:
    """Return coefficients strictly between their bounds; the farthest from them is the pivot."""
    reach = np.minimum(eta, bounds - eta)
    pivots = reach.argmax(axis=1)
    free = reach > 0
    free[np.arange(len(eta)), pivots] = False
    quantile, point = np.nonzero(free)
    return Free(quantile, point, pivots[quantile])


@njit(cache=True, nogil=True)
def reduced_system(
    K: FloatArray, F: FloatArray, point: IndexArray, pivot: IndexArray, q: int
) -> tuple[FloatArray, FloatArray]:
    """Return the upper triangle of the Hessian H, and the gradient g."""
    n = len(point)
    H, g = np.zeros((n, n)), np.empty(n)
    for c in range(n):
        i, a = point[c], pivot[c]
        g[c] = F[i] - F[a]
        for d in range(c, n):
            s, b = point[d], pivot[d]
            H[c, d] = (K[i, s] - K[i, b] - K[a, s] + K[a, b]) / q
    return H, g


@njit(cache=True, nogil=True)
def nearest_with_sum(x: FloatArray, high: FloatArray, total: float) -> FloatArray:
    """Return the nearest values to x within [0, high] that add up to ``total``.

    All are shifted, then clipped. Clipped entries equal their bound exactly.
    """
    low, top = -x.max(), (high - x).max()
    for _ in range(HALVINGS):
        shift = 0.5 * (low + top)
        if np.minimum(np.maximum(x + shift, 0.0), high).sum() < total:
            low = shift
        else:
            top = shift
    return np.minimum(np.maximum(x + 0.5 * (low + top), 0.0), high)


def newton_step(K: FloatArray, eta: FloatArray, F: FloatArray, bounds: FloatArray) -> None:
    """Move towards the minimum over the free coefficients, in place; the objective never grows.

    The minimum is projected onto the bounds, followed by an exact line search.
    """
    free = free_coefficients(eta, bounds)
    if not 0 < len(free.point) <= MOST_FREE:
        return
    H, g = reduced_system(K, F, free.point, free.pivot, len(eta))
    U, works = ridge_cholesky(H, RIDGES)
    if not works:
        return
    w, move = -g, np.empty(len(g))
    solve_transposed(U, len(w), w)
    solve_upper(U, len(w), w, move)
    goal = eta.copy()
    np.add.at(goal, (free.quantile, free.point), move)
    np.subtract.at(goal, (free.quantile, free.pivot), move)
    for j in np.unique(free.quantile):
        mine = np.flatnonzero((eta[j] > 0) & (eta[j] < bounds[j]))
        goal[j, mine] = nearest_with_sum(goal[j, mine], bounds[j, mine], float(eta[j, mine].sum()))
    step = goal - eta
    total = step.sum(axis=0)
    points = np.flatnonzero(total)
    change = combine_rows(K, points, total[None, points] / len(eta))[0]
    slope, bend = inner(F, total), inner(change, total)
    if slope < 0:
        reach = min(1.0, -slope / bend) if bend > 0 else 1.0
        eta[:] = goal if reach == 1.0 else np.clip(eta + reach * step, 0.0, bounds)
        F += reach * change
