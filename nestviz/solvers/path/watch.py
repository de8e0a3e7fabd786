"""Watch only the points that could meet the margin soon.

The rate of a residual is at most |rate of q_i| + √K_ii ‖d‖, where ‖d‖ is the norm of the field of
the direction, known at every event in O(m). The state sums this up in ``ARC``. Points whose gap is
beyond a ``LIMIT`` cannot meet the margin before the arc has reached it, and are left out. Then all
residuals are updated by one product with the coefficients that changed, and the points to watch are
chosen again.
"""

from __future__ import annotations

import numpy as np

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
    while k + 1 < count:
        i, j = state.touched[k], state.touched[k + 1]
        row, next_row, change, next_change = K[i], K[j], mark[i], mark[j]
        for p in range(len(rho)):
            rho[p] = fma(-next_change, next_row[p], fma(-change, row[p], rho[p]))
        k += 2
    if k < count:
        i = state.touched[k]
        row, change = K[i], mark[i]
        for p in range(len(rho)):
            rho[p] = fma(-change, row[p], rho[p])
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
    n = 0
    for i in range(len(state.rho)):
        if state.code[i] != E:
            side = state.y[i] if state.code[i] == L else -state.y[i]
            if side * state.rho[i] <= limit * state.span[i]:
                state.watched[n], state.side[n], state.gap[n] = i, side, side * state.rho[i]
                n += 1
    for k in range(state.tally[at.MARGIN]):
        state.row[k] = k
        source, target = state.K[state.margin[k]], state.panel[k]
        for j in range(n):
            target[j] = source[state.watched[j]]
    state.tally[at.WATCHED] = n
    state.clock[at.LIMIT], state.clock[at.ARC], state.tally[at.SINCE] = limit, 0.0, 0


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
    watch(state, limit)
