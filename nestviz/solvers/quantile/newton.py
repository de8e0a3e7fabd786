"""Newton steps on the coefficients between their bounds, for all quantiles at once.

Pairs are slow where K is nearly singular. There the coefficients strictly between their bounds
settle first, and among them the problem is a quadratic with one equation Σ_i η_ji = 1 for each
quantile. One of them, the pivot of the quantile, balances the others, which leaves

    H_{(j,i),(p,s)} = 1/q ⟨Φ(x_i) − Φ(x_π(j)), Φ(x_s) − Φ(x_π(p))⟩,      g_(j,i) = F_i − F_π(j).

A point that is free for two quantiles makes H singular; the factorisation adds a tiny ridge. Where
K has low rank (one feature, large σ) pairs free many more coefficients than its rank. Steps within
parts of one quantile then move them to their bounds, until few enough are left for one step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import SLICE, FloatArray, IndexArray
from nestviz.compiled import njit
from nestviz.distances import inner
from nestviz.solvers.cholesky import (
    RIDGES,
    remove_column,
    ridge_cholesky,
    solve_transposed,
    solve_upper,
)
from nestviz.solvers.columns import combine_rows
from nestviz.solvers.quantile.smo import FLAT

#: Free coefficients of one factorisation; more of them are divided into parts.
MOST_FREE = 400
#: Steps within parts that leave more than this share of the coefficients free are the last.
FEWER = 0.8
#: Part of the gain of the best step length from which on the full step is good enough.
FULL_STEP = 0.2


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
        # A point may coincide with its pivot.
        H[c, c] = max(H[c, c], FLAT * (K[i, i] + K[a, a]) / q)
    return H, g


@njit(cache=True, nogil=True)
def balances(
    eta: FloatArray,
    bounds: FloatArray,
    free: Free,
    moving: IndexArray,
    pivots: IndexArray,
    solution: FloatArray,
    balance: FloatArray,
) -> tuple[float, int]:
    """Write the moves of the pivots, and return the longest step ≤ 1 and what ends it there.

    That is an index into ``moving``; beyond it, the quantile of a pivot; or −1.
    """
    quantile, point, _ = free
    t, stopped, m = 1.0, -1, len(moving)
    balance[:] = 0.0
    for k in range(m):
        j, i, d = quantile[moving[k]], point[moving[k]], solution[k]
        balance[j] -= d
        reach = (bounds[j, i] if d > 0 else 0.0) - eta[j, i]
        if d != 0 and reach / d < t:
            t, stopped = reach / d, k
    for j in range(len(balance)):
        i, d = pivots[j], balance[j]
        reach = (bounds[j, i] if d > 0 else 0.0) - eta[j, i]
        if d != 0 and reach / d < t:
            t, stopped = reach / d, m + j
    return max(t, 0.0), stopped


@njit(cache=True, nogil=True)
def replace_pivot(U: FloatArray, quantile: IndexArray, moving: IndexArray, j: int) -> int:
    """Make the first moving coefficient of quantile j its pivot; return its index.

    With Φ(x_π) replaced, the columns of the others lose that of the new pivot. It is the first, so
    U stays triangular, and U⁻ᵀ(−g) the same. Its own column is left to be removed.
    """
    m, first = len(moving), 0
    while quantile[moving[first]] != j:
        first += 1
    for r in range(first + 1):
        row = U[r]
        for k in range(first + 1, m):
            if quantile[moving[k]] == j:
                row[k] -= row[first]
    return first


@njit(cache=True, nogil=True)
def pass_bounds(
    U: FloatArray,
    w: FloatArray,
    eta: FloatArray,
    bounds: FloatArray,
    free: Free,
    pivots: IndexArray,
    moving: IndexArray,
    most: int,
) -> int:
    """Move η towards the minimum, past ``most`` bounds; return how many may still move.

    ``moving`` holds those of the ``free`` coefficients, ``pivots`` the pivot of each quantile; both
    are kept up to date. After a step of length t the gradient is (1 − t) g, so w = U⁻ᵀ(−g) follows
    without H. A coefficient that meets a bound stays there, which removes one column of U in O(n²).
    """
    quantile, point, _ = free
    m, q = len(moving), len(eta)
    solution, z, balance = np.empty(len(w)), np.empty(len(w)), np.empty(q)
    for _ in range(most):
        solve_upper(U, m, w, solution)
        t, stopped = balances(eta, bounds, free, moving[:m], pivots, solution, balance)
        for k in range(m):
            eta[quantile[moving[k]], point[moving[k]]] += t * solution[k]
        for j in range(q):
            if balance[j] != 0:
                eta[j, pivots[j]] += t * balance[j]
        if stopped < 0:
            return 0
        # Rounding would leave the coefficient next to its bound, and so free.
        if stopped < m:
            j, i = quantile[moving[stopped]], point[moving[stopped]]
            eta[j, i] = bounds[j, i] if solution[stopped] > 0 else 0.0
        else:
            j = stopped - m
            eta[j, pivots[j]] = bounds[j, pivots[j]] if balance[j] > 0 else 0.0
            stopped = replace_pivot(U, quantile, moving[:m], j)
            pivots[j] = point[moving[stopped]]
        if m == 1:
            return 0
        w *= 1.0 - t
        remove_column(U, w, z, m, stopped)
        moving[stopped : m - 1] = moving[stopped + 1 : m].copy()
        m -= 1
    return m


def minimum_within_bounds(
    U: FloatArray, w: FloatArray, eta: FloatArray, bounds: FloatArray, free: Free
) -> None:
    """Move η to the minimum over the free coefficients within their bounds, in place.

    U : upper Cholesky factor of H. w : U⁻ᵀ(−g). Both are overwritten.

    All bounds on the way are passed. Where K has low rank, only they end the descent along
    directions of no curvature.
    """
    pivots = np.zeros(len(eta), dtype=np.intp)
    pivots[free.quantile] = free.pivot
    moving, m = np.arange(len(w)), len(w)
    while m > 0:
        most = max(1, SLICE // (4 * m * m))
        m = pass_bounds(U, w, eta, bounds, free, pivots, moving[:m], most)
    np.clip(eta, 0.0, bounds, out=eta)


def face_step(
    K: FloatArray, eta: FloatArray, F: FloatArray, bounds: FloatArray, free: Free
) -> None:
    """Move towards the minimum over some free coefficients, in place; the objective never grows."""
    H, g = reduced_system(K, F, free.point, free.pivot, len(eta))
    U, works = ridge_cholesky(H, RIDGES)
    if not works:
        return
    w = -g
    solve_transposed(U, len(w), w)
    goal = eta.copy()
    minimum_within_bounds(U, w, goal, bounds, free)
    step = goal - eta
    total = step.sum(axis=0)
    points = np.flatnonzero(total)
    change = combine_rows(K, points, total[None, points] / len(eta))[0]
    slope, bend = inner(F, total), inner(change, total)
    if slope < 0:
        # Rounding, or the ridge, must not increase the objective. A full step that gains nearly
        # as much as the best one is taken as it is: only then are bounds reached.
        reach = min(1.0, -slope / bend) if bend > 0 else 1.0
        if slope + 0.5 * bend < FULL_STEP * 0.5 * reach * slope:
            reach = 1.0
        eta[:] = goal if reach == 1.0 else np.clip(eta + reach * step, 0.0, bounds)
        F += reach * change


def parts(eta: FloatArray, bounds: FloatArray) -> list[Free]:
    """Divide the free coefficients of each quantile into parts with a pivot of their own."""
    found = []
    reach = np.minimum(eta, bounds - eta)
    for j, row in enumerate(reach):
        mine = np.flatnonzero(row > 0)
        for part in np.array_split(mine, max(1, -(-len(mine) // MOST_FREE))):
            if len(part) > 1:
                pivot = part[row[part].argmax()]
                points = part[part != pivot]
                found.append(Free(np.full_like(points, j), points, np.full_like(points, pivot)))
    return found


def newton_step(K: FloatArray, eta: FloatArray, F: FloatArray, bounds: FloatArray) -> bool:
    """Move towards the minimum over the free coefficients, in place; the objective never grows.

    Where there are too many for one factorisation, steps within parts come first. Returns False if
    they leave too many.
    """
    free = free_coefficients(eta, bounds)
    while len(free.point) > MOST_FREE:
        before = len(free.point)
        for part in parts(eta, bounds):
            face_step(K, eta, F, bounds, part)
        free = free_coefficients(eta, bounds)
        if len(free.point) > FEWER * before:
            return False
    if len(free.point) > 0:
        face_step(K, eta, F, bounds, free)
    return True
