"""Newton steps on the free coefficients, where moving pairs alone would crawl.

On the face where bounded coefficients rest, one free coefficient of each group, its *pivot*, is
what the sum leaves over. In the others the problem is an unconstrained quadratic whose Hessian is
made of differences φ_i − φ_p; one Cholesky factor leads to its minimum, past the bounds met on the
way.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from nestviz.arrays import FloatArray, IndexArray
from nestviz.solvers.box_sum.records import PairProblem
from nestviz.solvers.nested.triangle import drop_unknown, solve_lower, solve_upper

#: Beyond this many free points a factorisation costs more than the pairs it saves.
MOST_FREE = 800
#: Coefficients that may meet a bound before a walk is broken off.
MOST_STEPS = 100
#: Ridge on a singular Hessian, relative to its diagonal, tried from the smallest.
RIDGES = (1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2)


@njit(cache=True, nogil=True)
def free_points(problem: PairProblem, c: FloatArray) -> tuple[IndexArray, IndexArray]:
    """Free points that are not pivots, and the pivot of each group (−1: none).

    The pivot is the free point with the most room on both sides: it is the last to meet a bound.
    """
    _, low, high, group, total = problem
    pivot, room = np.full(len(total), -1), np.zeros(len(total))
    for i in range(len(c)):
        mine = min(c[i] - low[i], high[i] - c[i])
        if mine > room[group[i]]:
            pivot[group[i]], room[group[i]] = i, mine
    free = np.empty(len(c), dtype=np.intp)
    count = 0
    for i in range(len(c)):
        if low[i] < c[i] < high[i] and pivot[group[i]] != i:
            free[count] = i
            count += 1
    return free[:count].copy(), pivot


@njit(cache=True, nogil=True)
def face_system(
    K: FloatArray,
    problem: PairProblem,
    F: FloatArray,
    free: IndexArray,
    pivot: IndexArray,
) -> tuple[FloatArray, FloatArray]:
    """The Hessian ⟨φ_i − φ_p, φ_j − φ_q⟩, its upper triangle only, and the gradient."""
    s, group = problem.s, problem.group
    n = len(free)
    H, g = np.zeros((n, n)), np.empty(n)
    for a in range(n):
        i = free[a]
        p = pivot[group[i]]
        g[a] = F[i] - s[i] - F[p] + s[p]
        mine, base = K[i], K[p]
        for b in range(a, n):
            j = free[b]
            q = pivot[group[j]]
            H[a, b] = (mine[j] - mine[q]) - (base[j] - base[q])
    return H, g


@njit(cache=True, nogil=True)
def factorise(H: FloatArray) -> tuple[FloatArray, bool]:
    """Upper Cholesky factor of a matrix given by its upper triangle, with the least ridge.

    The second answer says whether there is one.
    """
    n = len(H)
    for ridge in RIDGES:
        U, works = H.copy(), True
        for i in range(n):
            U[i, i] += ridge * H[i, i]
        for i in range(n):
            # What cancellation has left of a diagonal below the ridge is not to be trusted.
            if not U[i, i] > 0.1 * ridge * H[i, i]:
                works = False
                break
            row = U[i, i:]
            row /= np.sqrt(row[0])
            for k in range(1, n - i):
                factor, below = row[k], U[i + k, i + k :]
                for j in range(len(below)):
                    below[j] -= factor * row[k + j]
        if works:
            return U, True
    return H, False


@njit(cache=True, nogil=True)
def first_bound(
    problem: PairProblem, c: FloatArray, d: FloatArray, points: IndexArray
) -> tuple[float, int]:
    """Largest t ≤ 1 for which c + t d keeps to its bounds at ``points``, and what stops it or −1.

    The answer is a place in ``points``.
    """
    t, stopped = 1.0, -1
    for k in range(len(points)):
        i = points[k]
        room = (problem.high[i] if d[i] > 0 else problem.low[i]) - c[i]
        if d[i] != 0 and room / d[i] < t:
            t, stopped = room / d[i], k
    return max(t, 0.0), stopped


@njit(cache=True, nogil=True)
def walk(
    problem: PairProblem,
    U: FloatArray,
    w: FloatArray,
    free: IndexArray,
    pivot: IndexArray,
    x: FloatArray,
) -> None:
    """Walk to the minimum on the face; a coefficient that meets a bound rests there. In place.

    U : Cholesky factor of the Hessian. w : U⁻ᵀ(−g). After a step of length t the gradient is down
    to (1 − t) g, so w follows without the Hessian. The walk ends when a pivot meets a bound.
    """
    m, G = len(free), len(pivot)
    moving = np.concatenate((free, pivot[pivot >= 0]))
    pivots = len(moving) - m
    solution, d, carried = np.empty(m), np.zeros(len(x)), np.empty(G)
    for _ in range(MOST_STEPS):
        if m == 0:
            return
        solve_upper(U, w, m, solution)
        carried[:] = 0.0
        for k in range(m):
            d[moving[k]] = solution[k]
            carried[problem.group[moving[k]]] -= solution[k]
        for k in range(m, m + pivots):
            d[moving[k]] = carried[problem.group[moving[k]]]
        t, stopped = first_bound(problem, x, d, moving[: m + pivots])
        for k in range(m + pivots):
            x[moving[k]] += t * d[moving[k]]
        if stopped >= 0:
            i = moving[stopped]
            x[i] = problem.high[i] if d[i] > 0 else problem.low[i]
        if stopped < 0 or stopped >= m:
            return
        w *= 1.0 - t
        drop_unknown(U, w, m, stopped)
        moving[stopped : m + pivots - 1] = moving[stopped + 1 : m + pivots].copy()
        m -= 1


@njit(cache=True, nogil=True)
def face_step(K: FloatArray, problem: PairProblem, c: FloatArray, F: FloatArray) -> None:
    """Move towards the minimum on the current face, in place; the objective never increases."""
    free, pivot = free_points(problem, c)
    if not 0 < len(free) <= MOST_FREE:
        return
    H, w = face_system(K, problem, F, free, pivot)
    U, works = factorise(H)
    if not works:
        return
    w *= -1.0
    solve_lower(U, w)
    goal = c.copy()
    walk(problem, U, w, free, pivot, goal)
    change, slope, bend = np.zeros(len(F)), 0.0, 0.0
    for i in range(len(c)):
        step = goal[i] - c[i]
        if step != 0.0:
            row = K[i]
            for k in range(len(F)):
                change[k] += step * row[k]
    for i in range(len(c)):
        step = goal[i] - c[i]
        slope += (F[i] - problem.s[i]) * step
        bend += change[i] * step
    if slope < 0:
        # Exact line search: rounding, or the ridge, must not let the objective grow.
        reach = 1.0 if -slope >= bend else -slope / bend
        for i in range(len(c)):
            c[i] = goal[i] if reach == 1.0 else c[i] + reach * (goal[i] - c[i])
            F[i] += reach * change[i]
