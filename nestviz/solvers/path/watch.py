"""Watch only the points that could meet the margin soon.

The residual of a point moves no faster than |rate of q_i| + √K_ii ‖d‖, where ‖d‖ is the norm of the
field by which all coefficients move, known at every event in O(m). So a point whose gap is larger
than what this speed adds up to cannot meet the margin, and need not be looked at. The walk carries
the sum along (``ARC``); points with a gap beyond a ``LIMIT`` are left out until the arc has used it
up. Then all residuals are brought up to date by one product with the coefficients that changed, and
the points to watch are chosen anew.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from nestviz.solvers.path.factor import SUMS
from nestviz.solvers.path.state import (
    ARC,
    HEAD,
    LIMIT,
    MARGIN,
    NOW,
    SINCE,
    SPREAD,
    SYNC,
    TOUCHED,
    WATCHED,
    E,
    L,
    Walk,
    touch,
)

# Events a choice of points should last, and at most may last.
USUAL_WATCH, LONGEST_WATCH = 12, 48
# Beyond this share of points, leaving out the others does not pay.
WATCH_ALL = 0.6


@njit(cache=True, nogil=True)
def spend(walk: Walk, m: int, t: float) -> float:
    """Charge a step of length ``t`` to the arc; return the part of it the limit allows."""
    clock = walk.clock
    squared, size = clock[SPREAD], abs(clock[SPREAD])
    for k in range(m):
        i = walk.margin[k]
        squared += walk.w[k] ** 2 + 2.0 * walk.b[k] * (walk.target_rate[i] - walk.pull[i])
        size += walk.w[k] ** 2
    # The norm is a difference of large numbers: add more than rounding can have taken.
    speed = clock[HEAD] + np.sqrt(max(squared, 0.0) + 1e-12 * size)
    allowed = t
    if clock[ARC] + t * speed > clock[LIMIT]:
        allowed = (clock[LIMIT] - clock[ARC]) / speed
    clock[ARC] += allowed * speed
    return allowed


@njit(cache=True, nogil=True, fastmath=SUMS)
def synchronise(walk: Walk) -> None:
    """Bring ``rho`` of all points up to now.

    Points of L that were not touched moved with their bound, which ``pull`` accounts for.
    """
    rho, mark, K, clock = walk.rho, walk.mark, walk.K, walk.clock
    elapsed, count = clock[NOW] - clock[SYNC], walk.tally[TOUCHED]
    for i in range(len(rho)):
        rho[i] += elapsed * walk.pull[i]
    for k in range(count):
        i = walk.touched[k]
        if walk.code[i] == L:
            mark[i] = walk.bound[i] + clock[SYNC] * walk.bound_rate[i] - mark[i]
        else:
            mark[i] = (walk.c[i] if walk.code[i] == E else 0.0) - mark[i]
    k = 0
    while k + 1 < count:
        i, j = walk.touched[k], walk.touched[k + 1]
        row, next_row, change, next_change = K[i], K[j], mark[i], mark[j]
        for p in range(len(rho)):
            rho[p] -= change * row[p] + next_change * next_row[p]
        k += 2
    if k < count:
        i = walk.touched[k]
        row, change = K[i], mark[i]
        for p in range(len(rho)):
            rho[p] -= change * row[p]
    mark_margin(walk)


@njit(cache=True, nogil=True)
def mark_margin(walk: Walk) -> None:
    """Start anew: only the margin counts as touched, from its present coefficients on."""
    for k in range(walk.tally[TOUCHED]):
        walk.is_touched[walk.touched[k]] = False
    walk.tally[TOUCHED] = 0
    walk.clock[SYNC] = walk.clock[NOW]
    for k in range(walk.tally[MARGIN]):
        i = walk.margin[k]
        touch(walk, i)
        walk.mark[i] = walk.c[i]
        walk.held[i] = walk.rho[i]


@njit(cache=True, nogil=True)
def watch(walk: Walk, limit: float) -> None:
    """Choose the points whose gap is within ``limit``, and copy their part of K."""
    n = 0
    for i in range(len(walk.rho)):
        if walk.code[i] != E:
            side = walk.y[i] if walk.code[i] == L else -walk.y[i]
            if side * walk.rho[i] <= limit * walk.span[i]:
                walk.watched[n], walk.side[n], walk.gap[n] = i, side, side * walk.rho[i]
                n += 1
    for k in range(walk.tally[MARGIN]):
        walk.row[k] = k
        source, target = walk.K[walk.margin[k]], walk.panel[k]
        for j in range(n):
            target[j] = source[walk.watched[j]]
    walk.tally[WATCHED] = n
    walk.clock[LIMIT], walk.clock[ARC], walk.tally[SINCE] = limit, 0.0, 0


@njit(cache=True, nogil=True)
def _count_within(walk: Walk, limit: float) -> int:
    n = 0
    for i in range(len(walk.rho)):
        if walk.code[i] != E and abs(walk.rho[i]) <= limit * walk.span[i]:
            n += 1
    return n


@njit(cache=True, nogil=True)
def renew(walk: Walk) -> None:
    """Synchronise, and choose the points to watch for the next few events."""
    limit, events = np.inf, walk.tally[SINCE]
    if events > 0 and walk.clock[ARC] > 0.0:
        limit = USUAL_WATCH * walk.clock[ARC] / events
    synchronise(walk)
    outside = len(walk.rho) - walk.tally[MARGIN]
    if limit < np.inf and _count_within(walk, limit) > WATCH_ALL * outside:
        limit = np.inf
    watch(walk, limit)
