"""Newton steps on the free coefficients, where moving pairs alone converges slowly.

One free coefficient of each group, its *pivot*, balances the sum. In the others the problem is an
unconstrained quadratic whose Hessian is made of differences φ_i − φ_p. One Cholesky factor leads
to its minimum, past the bounds met on the way.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.compiled import njit
from nestviz.solvers.box_sum.records import PairProblem
from nestviz.solvers.cholesky import (
    RIDGES,
    remove_column,
    ridge_cholesky,
    solve_transposed,
    solve_upper,
)
from nestviz.solvers.columns import add_rows

#: Coefficients that may meet a bound before a step ends.
MOST_BOUNDS = 100


@njit(cache=True, nogil=True)
def free_points(problem: PairProblem, c: FloatArray) -> tuple[IndexArray, IndexArray]:
    """Return the free points that are not pivots, and the pivot of each group (−1: none).

    The pivot is the free point farthest from its bounds: it is the last to meet one.
    """
    _, low, high, group, total = problem
    pivot, farthest = np.full(len(total), -1), np.zeros(len(total))
    for i in range(len(c)):
        nearest = min(c[i] - low[i], high[i] - c[i])
        if nearest > farthest[group[i]]:
            pivot[group[i]], farthest[group[i]] = i, nearest
    free = np.empty(len(c), dtype=np.intp)
    count = 0
    for i in range(len(c)):
        if low[i] < c[i] < high[i] and pivot[group[i]] != i:
            free[count] = i
            count += 1
    return free[:count].copy(), pivot


@njit(cache=True, nogil=True)
def face_system(
    K: FloatArray, problem: PairProblem, F: FloatArray, free: IndexArray, pivot: IndexArray
) -> tuple[FloatArray, FloatArray]:
    """Return the upper triangle of the Hessian ⟨φ_i − φ_p, φ_j − φ_q⟩, and the gradient."""
    s, group = problem.s, problem.group
    n = len(free)
    H, g = np.zeros((n, n)), np.empty(n)
    for a in range(n):
        i = free[a]
        p = pivot[group[i]]
        g[a] = F[i] - s[i] - F[p] + s[p]
        row, base = K[i], K[p]
        for b in range(a, n):
            j = free[b]
            q = pivot[group[j]]
            H[a, b] = (row[j] - row[q]) - (base[j] - base[q])
    return H, g


@njit(cache=True, nogil=True)
def first_bound(
    problem: PairProblem, c: FloatArray, d: FloatArray, points: IndexArray
) -> tuple[float, int]:
    """Return the largest t ≤ 1 for which c + t d keeps its bounds, and the index of what stops it.

    The index is one into ``points``; −1 if nothing does.
    """
    t, stopped = 1.0, -1
    for k in range(len(points)):
        i = points[k]
        reach = (problem.high[i] if d[i] > 0 else problem.low[i]) - c[i]
        if d[i] != 0 and reach / d[i] < t:
            t, stopped = reach / d[i], k
    return max(t, 0.0), stopped


@njit(cache=True, nogil=True)
def step_within_bounds(
    problem: PairProblem,
    U: FloatArray,
    w: FloatArray,
    free: IndexArray,
    pivot: IndexArray,
    x: FloatArray,
) -> None:
    """Move x to the minimum over the free points, in place; a point that meets a bound stays there.

    U : Cholesky factor of the Hessian. w : U⁻ᵀ(−g). After a step of length t the gradient is
    (1 − t) g, so w follows without the Hessian. It ends when a pivot meets a bound.
    """
    m, G = len(free), len(pivot)
    moving = np.concatenate((free, pivot[pivot >= 0]))
    pivots = len(moving) - m
    solution, z, d, balance = np.empty(m), np.empty(m), np.zeros(len(x)), np.empty(G)
    for _ in range(MOST_BOUNDS):
        if m == 0:
            return
        solve_upper(U, m, w, solution)
        balance[:] = 0.0
        for k in range(m):
            d[moving[k]] = solution[k]
            balance[problem.group[moving[k]]] -= solution[k]
        for k in range(m, m + pivots):
            d[moving[k]] = balance[problem.group[moving[k]]]
        t, stopped = first_bound(problem, x, d, moving[: m + pivots])
        for k in range(m + pivots):
            x[moving[k]] += t * d[moving[k]]
        if stopped >= 0:
            i = moving[stopped]
            x[i] = problem.high[i] if d[i] > 0 else problem.low[i]
        if stopped < 0 or stopped >= m:
            return
        w *= 1.0 - t
        remove_column(U, w, z, m, stopped)
        moving[stopped : m + pivots - 1] = moving[stopped + 1 : m + pivots].copy()
        m -= 1


@njit(cache=True, nogil=True)
def newton_step(
    K: FloatArray, problem: PairProblem, c: FloatArray, F: FloatArray, most_free: int
) -> None:
    """Move towards the minimum over the free points, in place; the objective never increases.

    Nothing is done with more than ``most_free`` free points.
    """
    free, pivot = free_points(problem, c)
    if not 0 < len(free) <= most_free:
        return
    H, w = face_system(K, problem, F, free, pivot)
    U, works = ridge_cholesky(H, RIDGES)
    if not works:
        return
    w *= -1.0
    solve_transposed(U, len(w), w)
    goal = c.copy()
    step_within_bounds(problem, U, w, free, pivot, goal)
    step = goal - c
    changes = np.zeros((1, len(c)))
    add_rows(K, np.arange(len(c)), step.reshape(1, -1), changes, 0, len(c))
    change = changes[0]
    slope, bend = ((F - problem.s) * step).sum(), (change * step).sum()
    if slope < 0:
        # Exact line search: rounding, or the ridge, must not increase the objective.
        reach = 1.0 if -slope >= bend else -slope / bend
        c[:] = goal if reach == 1.0 else c + reach * step
        F += reach * change
