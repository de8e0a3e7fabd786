"""Watch only the points that could meet the margin soon.

The rate of a residual is at most |rate of q_i| + √K_ii ‖d‖, where ‖d‖ is the norm of the field of
the direction, known at every event in O(m). The state sums this up in ``ARC``. Points whose gap is
beyond a ``LIMIT`` cannot meet the margin before the arc has reached it, and are left out. Then all
residuals are updated by one product with the coefficients that changed, and the points to watch are
chosen again.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import IntArray
from nestviz.compiled import fma, njit
from nestviz.solvers.path import slots as at
from nestviz.solvers.path.state import E, L, PathState, touch

# Events that a choice of points should last, and may last at most.
USUAL_WATCH, LONGEST_WATCH = 12, 48
# Above this share of points, leaving out the others does not pay.
WATCH_ALL = 0.6


@njit(cache=True, nogil=True)
def spend(state: PathState, m: int, t: float) -> float:
    """Add a step of length ``t`` to the arc; return the part of it that the limit allows."""
    clock = state.clock
    squared, size = clock[at.SPREAD], abs(clock[at.SPREAD])
    for k in range(m):
        i = state.margin[k]
        squared += state.w[k] ** 2 + 2.0 * state.b[k] * (state.target_rate[i] - state.pull[i])
        size += state.w[k] ** 2
    # The norm is a difference of large numbers: add more than its rounding.
    speed = clock[at.HEAD] + np.sqrt(max(squared, 0.0) + 1e-12 * size)
    allowed = t
    if clock[at.ARC] + t * speed > clock[at.LIMIT]:
        allowed = (clock[at.LIMIT] - clock[at.ARC]) / speed
    clock[at.ARC] += allowed * speed
    return allowed


@njit(cache=True, nogil=True)
def synchronise(state: PathState) -> None:
    """Update ``rho`` of all points.

    Points of L that were not touched moved with their bound, which ``pull`` accounts for.
    """
    rho, mark, K, clock = state.rho, state.mark, state.K, state.clock
    elapsed, count = clock[at.NOW] - clock[at.SYNC], state.tally[at.TOUCHED]
    for i in range(len(rho)):
        rho[i] += elapsed * state.pull[i]
    for k in range(count):
        i = state.touched[k]
        if state.code[i] == L:
            mark[i] = state.bound[i] + clock[at.SYNC] * state.bound_rate[i] - mark[i]
        else:
            mark[i] = (state.c[i] if state.code[i] == E else 0.0) - mark[i]
    k = 0
    while k + 3 < count:
        i0, i1 = state.touched[k], state.touched[k + 1]
        i2, i3 = state.touched[k + 2], state.touched[k + 3]
        row0, row1, row2, row3 = K[i0], K[i1], K[i2], K[i3]
        change0, change1, change2, change3 = mark[i0], mark[i1], mark[i2], mark[i3]
        for p in range(len(rho)):
            half = fma(-change1, row1[p], fma(-change0, row0[p], rho[p]))
            rho[p] = fma(-change3, row3[p], fma(-change2, row2[p], half))
        k += 4
    while k < count:
        i = state.touched[k]
        row, change = K[i], mark[i]
        for p in range(len(rho)):
            rho[p] = fma(-change, row[p], rho[p])
        k += 1
    mark_margin(state)


@njit(cache=True, nogil=True)
def mark_margin(state: PathState) -> None:
    """Reset the touched points to the margin, with its present coefficients."""
    for k in range(state.tally[at.TOUCHED]):
        state.is_touched[state.touched[k]] = False
    state.tally[at.TOUCHED] = 0
    state.clock[at.SYNC] = state.clock[at.NOW]
    for k in range(state.tally[at.MARGIN]):
        i = state.margin[k]
        touch(state, i)
        state.mark[i] = state.c[i]
        state.held[i] = state.rho[i]


@njit(cache=True, nogil=True)
def watch(state: PathState, limit: float) -> None:
    """Watch the points whose gap is within ``limit``, and copy their part of K."""
    state.tally[at.WATCHED] = 0
    for k in range(state.tally[at.MARGIN]):
        state.row[k] = k
    watch_again(state, limit)


@njit(cache=True, nogil=True)
def watch_again(state: PathState, limit: float) -> None:
    """Watch the points whose gap is within ``limit``; copy K only of those not watched before.

    The panel has to hold K of the points watched so far: most of them remain.
    """
    changed = _choose(state, limit)
    for k in range(state.tally[at.MARGIN]):
        source, target = state.K[state.margin[k]], state.panel[state.row[k]]
        for j in changed:
            target[j] = source[state.watched[j]]
    for j in range(state.tally[at.WATCHED]):
        i = state.watched[j]
        state.side[j] = state.y[i] if state.code[i] == L else -state.y[i]
        state.gap[j] = state.side[j] * state.rho[i]
    state.clock[at.LIMIT], state.clock[at.ARC], state.tally[at.SINCE] = limit, 0.0, 0


@njit(cache=True, nogil=True)
def _choose(state: PathState, limit: float) -> IntArray:
    """Choose the points to watch; return the places in ``watched`` that hold another point."""
    watched, n = state.watched, state.tally[at.WATCHED]
    missing = np.zeros(len(state.rho), np.bool_)
    for i in range(len(state.rho)):
        if state.code[i] != E:
            side = state.y[i] if state.code[i] == L else -state.y[i]
            missing[i] = side * state.rho[i] <= limit * state.span[i]
    free, holes = np.empty(len(state.rho), np.int64), 0
    for j in range(n):
        if not missing[watched[j]]:
            free[holes] = j
            holes += 1
        missing[watched[j]] = False
    count = 0
    for i in range(len(state.rho)):
        if missing[i]:
            if count == holes:
                free[holes] = n
                holes, n = holes + 1, n + 1
            watched[free[count]] = i
            count += 1
    # The last points move into the places that are still free.
    while count < holes:
        n -= 1
        if free[holes - 1] == n:
            holes -= 1
        else:
            watched[free[count]] = watched[n]
            count += 1
    state.tally[at.WATCHED] = n
    return free[:count]


@njit(cache=True, nogil=True)
def _count_within(state: PathState, limit: float) -> int:
    n = 0
    for i in range(len(state.rho)):
        if state.code[i] != E and abs(state.rho[i]) <= limit * state.span[i]:
            n += 1
    return n


@njit(cache=True, nogil=True)
def renew(state: PathState) -> None:
    """Synchronise, and choose the points to watch for the next events."""
    limit, events = np.inf, state.tally[at.SINCE]
    if events > 0 and state.clock[at.ARC] > 0.0:
        limit = USUAL_WATCH * state.clock[at.ARC] / events
    synchronise(state)
    outside = len(state.rho) - state.tally[at.MARGIN]
    if limit < np.inf and _count_within(state, limit) > WATCH_ALL * outside:
        limit = np.inf
    watch_again(state, limit)
