"""Finish a solve: from nearly optimal to optimal up to rounding.

Once the decomposition is within its tolerance the active set is known, or almost so: which levels
of a point share one value, and which of these blocks are at a bound. The rest is a linear system,
solved by Newton steps with nearly no ridge. Where a block meets a limit the step drops it; where a
multiplier has the wrong sign a sweep over the point releases it. So margins hold up to rounding:
F_im = s_i for a free coefficient, Σ_m q_m (F_im − s_i) = 0 for a block of levels.

Every step lowers the objective, and a result is used only if its worst condition is better than
before. With more than :data:`MOST_POINTS` free points, or too many blocks for a factor, the
coefficients stay as they are.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.compiled import njit
from nestviz.solvers.columns import Columns, combine_rows
from nestviz.solvers.nested.coordinate_descent import sweep
from nestviz.solvers.nested.isotonic import close_ranks
from nestviz.solvers.nested.kkt import TIE
from nestviz.solvers.nested.newton import face_step, free_blocks
from nestviz.solvers.records import Chains

#: Conditions met to this part of the margin are met up to rounding.
GOAL = 1e-14
#: Times that points are chosen, and steps each time.
ROUNDS = 30
STEPS = 30
#: Steps without a better worst condition after which only rounding is left.
PATIENCE = 8
MOST_POINTS = 2000
#: Ridges relative to the diagonal, from rounding upwards.
RIDGES = (1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8)


@njit(cache=True, nogil=True)
def point_defects(chains: Chains, b: FloatArray, F: FloatArray) -> FloatArray:
    """Return the largest violation of each point's conditions, in units of its margin, (N,).

    As :func:`nestviz.solvers.nested.kkt.violations`, with the largest term instead of the sum, so
    that a level of tiny weight counts as much as any other.
    """
    q, s, h = chains
    M, N = b.shape
    found = np.zeros(N)
    for i in range(N):
        up = s[i] > 0
        sign = 1.0 if up else -1.0
        handed = 0.0
        for step in range(M):
            m, before = (M - 1 - step, M - 2 - step) if up else (step, step + 1)
            r = sign * q[m] * (F[m, i] - s[i]) + handed
            a = sign * b[m, i]
            below = sign * b[before, i] if step < M - 1 else 0.0
            handed = r if r > 0 and a - below <= TIE * a else 0.0
            if handed == 0.0 and not (r < 0 and a == h[m, i]):
                found[i] = max(found[i], abs(r) / (q[m] * abs(s[i])))
    return found


def polish(columns: Columns, chains: Chains, b: FloatArray, F: FloatArray) -> None:
    """Meet the optimality conditions up to rounding, in place; b and F = b K stay if that fails.

    Each round finishes some points with the others fixed. That can violate conditions of the
    others, which are then added, so the worst condition need not improve in every round.
    """
    now, field, defects = b, F, point_defects(chains, b, F)
    least = defects.max()
    for _ in range(ROUNDS):
        points = active_points(chains, now, defects)
        if defects.max() <= GOAL or len(points) > MOST_POINTS:
            return
        part = Chains(chains.q, chains.s[points], np.ascontiguousarray(chains.h[:, points]))
        mine = np.ascontiguousarray(now[:, points])
        finish(columns.block(points), part, mine, np.ascontiguousarray(field[:, points]))
        change = mine - now[:, points]
        moved = np.flatnonzero(change.any(axis=0))
        if not len(moved):
            return
        field = field + columns.product_of(points[moved], np.ascontiguousarray(change[:, moved]))
        now = now.copy()
        now[:, points] = mine
        defects = point_defects(chains, now, field)
        if defects.max() < least:
            b[:], F[:], least = now, field, defects.max()


def active_points(chains: Chains, b: FloatArray, defects: FloatArray) -> IndexArray:
    """Return points with free blocks, and those with a condition that is not met."""
    chosen = defects > GOAL
    chosen[free_blocks(chains, b).point] = True
    return np.flatnonzero(chosen)


def finish(K: FloatArray, chains: Chains, b: FloatArray, F: FloatArray) -> None:
    """Alternate Newton steps and sweeps that change the active set, in place; keep the best."""
    start = b.copy()
    close_ranks(chains, b)
    F += combine_rows(K, np.arange(len(K)), b - start)
    best, least, idle = b.copy(), np.inf, 0
    for _ in range(STEPS):
        down_to_face_minimum(K, chains, b, F)
        defects = point_defects(chains, b, F)
        worst = float(defects.max())
        best, least, idle = (b.copy(), worst, 0) if worst < least else (best, least, idle + 1)
        if worst <= GOAL or idle >= PATIENCE:
            break
        sweep(K, chains, b, F, np.flatnonzero(defects > GOAL))
    b[:] = best


def down_to_face_minimum(K: FloatArray, chains: Chains, b: FloatArray, F: FloatArray) -> None:
    """Take Newton steps, in place, until one meets no limit."""
    free = len(free_blocks(chains, b).point)
    for _ in range(STEPS):
        face_step(K, chains, b, F, ridges=RIDGES)
        before, free = free, len(free_blocks(chains, b).point)
        if free in (0, before):
            return
