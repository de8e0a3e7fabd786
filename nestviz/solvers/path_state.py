"""The state of a walk along a solution path, and the two moves that change it.

See ``path_walk.py`` for the problem and the meaning of the sets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from nestviz.solvers.path_factor import (
    SUMS,
    append_column,
    dot,
    remove_column,
    solve_transposed,
)

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

L, E, R = 0, 1, 2
"""Codes of the three sets: at the upper bound, on the margin, at zero."""

EPS = float(np.finfo(np.float64).eps)

# Places in Walk.tally and Walk.clock.
MARGIN, WATCHED, LEFT, IDLE, TOUCHED, SINCE = 0, 1, 2, 3, 4, 5
NOW, END, LENGTH, SCALE, CAUTION, ZERO_GAP, ZERO_SLOPE = 0, 1, 2, 3, 4, 5, 6
SYNC, ARC, LIMIT, HEAD, SPREAD = 7, 8, 9, 10, 11

# What ended a run of events, and what an event is.
MORE, FULL, DONE = 0, 1, 2
FINISH, ENTER, TO_R, TO_L, PAUSE = 0, 1, 2, 3, 4


class Walk(NamedTuple):
    """Everything that changes along the path, as arrays (m points in E, n outside and watched).

    Constant: ``bound`` + T · ``bound_rate`` is B(T) and ``size`` its largest length on the path;
    ``target_rate`` is the rate of q; ``floor`` is the smallest squared pivot allowed to a point;
    ``weight`` bounds |K_ij| and ``span`` √K_ii, both from the diagonal of K.

    Arrays over all points: ``code``; ``c``, up to date in E; ``pull``, the rate of q minus what the
    points of L add to Kc; ``rho`` as it was at the last synchronisation, and ``mark``, the c of
    that moment, for the points ``touched`` since. ``held`` is the residual of a point on the
    margin. ``ridge`` is added to K_ii while a nearly dependent point is on the margin. It pulls
    towards ``anchor``, the rate of the bound the point came from, so that the point leaves that
    bound in the direction it was called.

    Arrays in the order of ``margin``: the factor ``U``, ``w`` with Uᵀw = pull_E, the direction
    ``b``. Arrays in the order of ``watched``: ``side`` (the sign that makes side · ρ ≥ 0 right),
    ``gap`` = side · ρ and its rate ``slope``. Row ``row[k]`` of ``panel`` holds K between the k-th
    point of E and all points watched, so that the costly product K[watched, E] b runs over
    contiguous memory.
    """

    K: FloatArray
    y: FloatArray
    bound: FloatArray
    bound_rate: FloatArray
    target_rate: FloatArray
    size: FloatArray
    weight: FloatArray
    span: FloatArray
    floor: FloatArray
    ridge: FloatArray
    anchor: FloatArray
    code: NDArray[np.int8]
    c: FloatArray
    pull: FloatArray
    rho: FloatArray
    mark: FloatArray
    touched: IntArray
    is_touched: NDArray[np.bool_]
    held: FloatArray
    margin: IntArray
    row: IntArray
    U: FloatArray
    w: FloatArray
    b: FloatArray
    z: FloatArray
    watched: IntArray
    side: FloatArray
    gap: FloatArray
    slope: FloatArray
    panel: FloatArray
    tally: IntArray
    clock: FloatArray


class Tape(NamedTuple):
    """Where one run of events writes its record; ``used`` = steps, margin entries, events."""

    moment: FloatArray
    residual: FloatArray
    end: IntArray
    point: NDArray[np.int32]
    value: FloatArray
    event: NDArray[np.int32]
    used: IntArray


@njit(cache=True, nogil=True, fastmath=SUMS)
def shift_pull(walk: Walk, point: int, sign: float) -> None:
    """Add to ``pull`` what a point brings (−1) or takes away (+1) by moving with its bound.

    ``SPREAD`` is the squared norm of the field of all points that move with their bound.
    """
    rate = sign * walk.bound_rate[point]
    if rate != 0.0:
        row = walk.K[point]
        field = walk.target_rate[point] - walk.pull[point]
        walk.clock[SPREAD] += rate * (rate * row[point] - 2.0 * field)
        for i in range(len(row)):
            walk.pull[i] += rate * row[i]


@njit(cache=True, nogil=True)
def touch(walk: Walk, point: int) -> None:
    """Remember the coefficient a point had at the last synchronisation."""
    if not walk.is_touched[point]:
        walk.is_touched[point] = True
        at_bound = walk.bound[point] + walk.clock[SYNC] * walk.bound_rate[point]
        walk.mark[point] = at_bound if walk.code[point] == L else 0.0
        walk.touched[walk.tally[TOUCHED]] = point
        walk.tally[TOUCHED] += 1


@njit(cache=True, nogil=True)
def pivot_of(walk: Walk, point: int, m: int, explained: float) -> float:
    """Pivot of a point when m margin points explain ``explained`` of K_ii; with a ridge if need be.

    A ridge is never made smaller. So the matrix behind a run of empty steps settles, and
    least-index pivoting on it ends.
    """
    trace = 0.0
    for k in range(m):
        trace += walk.K[walk.margin[k], walk.margin[k]]
    # Below this a Cholesky factor of m points is rounding noise, and could break down.
    floor = max(walk.floor[point], 8.0 * EPS * m * trace)
    left = walk.K[point, point] - explained
    if left + walk.ridge[point] < floor:
        walk.ridge[point] = floor
    return float(np.sqrt(max(left, 0.0) + walk.ridge[point]))


@njit(cache=True, nogil=True)
def enter(walk: Walk, place: int) -> None:
    """Move the point at ``place`` of ``watched`` onto the margin, at the bound it comes from."""
    K, margin, watched, z, tally = walk.K, walk.margin, walk.watched, walk.z, walk.tally
    m, n, i = tally[MARGIN], tally[WATCHED], watched[place]
    for k in range(m):
        z[k] = K[i, margin[k]]
    solve_transposed(walk.U, m, z)
    touch(walk, i)
    walk.c[i], walk.anchor[i] = 0.0, 0.0
    if walk.code[i] == L:
        tally[LEFT] -= 1
        walk.anchor[i] = walk.bound_rate[i]
        walk.c[i] = walk.bound[i] + walk.clock[NOW] * walk.bound_rate[i]
        shift_pull(walk, i, 1.0)
        for k in range(m):
            walk.w[k] += walk.bound_rate[i] * z[k]
    pivot = pivot_of(walk, i, m, dot(z, z, m))
    walk.w[m] = (walk.pull[i] + walk.ridge[i] * walk.anchor[i] - dot(z, walk.w, m)) / pivot
    append_column(walk.U, m, z, pivot)
    walk.code[i] = E
    walk.held[i] = walk.side[place] * walk.gap[place]
    last = n - 1
    watched[place] = watched[last]
    walk.side[place] = walk.side[last]
    walk.gap[place] = walk.gap[last]
    for k in range(m):
        walk.panel[walk.row[k], place] = walk.panel[walk.row[k], last]
    margin[m] = i
    walk.row[m] = m
    for j in range(last):
        walk.panel[m, j] = K[i, watched[j]]
    tally[MARGIN], tally[WATCHED] = m + 1, last


@njit(cache=True, nogil=True)
def leave(walk: Walk, place: int, code: int) -> None:
    """Move the point at ``place`` of ``margin`` to L or R."""
    K, margin, row, tally, z = walk.K, walk.margin, walk.row, walk.tally, walk.z
    m, n, i, free = tally[MARGIN], tally[WATCHED], margin[place], row[place]
    remove_column(walk.U, walk.w, z, m, place)
    for k in range(place, m - 1):
        margin[k] = margin[k + 1]
        row[k] = row[k + 1]
    m -= 1
    for k in range(m):
        # Rows of the panel stay packed: the last one moves into the gap.
        if row[k] == m and free != m:
            for j in range(n):
                walk.panel[free, j] = walk.panel[m, j]
            row[k] = free
        walk.panel[row[k], n] = K[i, margin[k]]
    walk.code[i] = code
    walk.watched[n] = i
    walk.side[n] = walk.y[i] if code == L else -walk.y[i]
    walk.gap[n] = walk.side[n] * walk.held[i]
    if code == L:
        tally[LEFT] += 1
        shift_pull(walk, i, -1.0)
        for k in range(m):
            walk.w[k] -= walk.bound_rate[i] * z[k]
    tally[MARGIN], tally[WATCHED] = m, n + 1
