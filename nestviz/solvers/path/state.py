"""The state of a walk along a solution path, and the two moves that change it.

See ``path_walk.py`` for the problem and the meaning of the sets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from nestviz.arrays import FloatArray, IntArray
from nestviz.solvers.path.factor import (
    SUMS,
    append_column,
    dot,
    remove_column,
    solve_transposed,
    solve_upper,
)

L, E, R = 0, 1, 2
"""Codes of the three sets: at the upper bound, on the margin, at zero."""

EPS = float(np.finfo(np.float64).eps)
# The shortest step in T, relative to the whole path: one unit in the last place of a level.
SHORTEST = 2.0**-52

# A point of which less than this share is left by the others may need a ridge; a pivot has to be
# this many times the noise.
NEARLY = 1e-9
ABOVE_NOISE = 8.0

# Places in Walk.tally and Walk.clock.
MARGIN, WATCHED, LEFT, IDLE, TOUCHED, SINCE = 0, 1, 2, 3, 4, 5
NOW, END, LENGTH, SCALE, ADRIFT, ZERO_GAP, ZERO_SLOPE = 0, 1, 2, 3, 4, 5, 6
SYNC, ARC, LIMIT, HEAD, SPREAD, MARK, WRITTEN, LAST = 7, 8, 9, 10, 11, 12, 13, 14

# What ended a run of events, and what an event is.
MORE, FULL, DONE, TIED, OFF = 0, 1, 2, 3, 4
FINISH, ENTER, TO_R, TO_L, PAUSE = 0, 1, 2, 3, 4


class Walk(NamedTuple):
    """Everything that changes along the path, as arrays (m points in E, n outside and watched).

    Constant: ``bound`` + T · ``bound_rate`` is B(T) and ``size`` its largest length on the path;
    ``target_rate`` is the rate of q; ``floor`` is the smallest squared pivot allowed to a point;
    ``weight`` bounds |K_ij| and ``span`` √K_ii, both from the diagonal of K. A point with ``y`` = 0
    has no bounds and never leaves the margin.

    Arrays over all points: ``code``; ``c``, up to date in E; ``pull``, the rate of q minus what the
    points of L add to Kc; ``rho`` as it was at the last synchronisation, and ``mark``, the c of
    that moment, for the points ``touched`` since. ``held`` is the residual of a point on the
    margin. ``ridge`` is added to K_ii while a nearly dependent point is on the margin. It pulls
    towards ``anchor``, the rate of the bound the point came from, so that the point leaves that
    bound in the direction it was called.

    Arrays in the order of ``margin``: the factor ``U``, ``w`` with Uᵀw = pull_E, the direction
    ``b``, and room for two more vectors, ``z`` and ``v``. Arrays in the order of ``watched``:
    ``side`` (the sign that makes side · ρ ≥ 0 right), ``gap`` = side · ρ and its rate ``slope``.
    Row ``row[k]`` of ``panel`` holds K between the k-th point of E and all points watched, so that
    the costly product K[watched, E] b runs over contiguous memory.
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
    v: FloatArray
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
def _explain(walk: Walk, m: int) -> tuple[float, float, float]:
    """What is left of K_ii when the m margin points before it are given; floor and noise of that.

    Fills ``z`` with U⁻ᵀ K_Ei. The noise is what rounding of K makes of the rest: large where the m
    points nearly depend on one another, and looked at only where it could matter.
    """
    K, z, v, i = walk.K, walk.z, walk.v, walk.margin[m]
    for k in range(m):
        z[k] = K[i, walk.margin[k]]
    solve_transposed(walk.U, m, z)
    left, floor, noise = K[i, i] - dot(z, z, m), walk.floor[i], 0.0
    if left < NEARLY * K[i, i]:
        solve_upper(walk.U, m, z, v)
        total, trace = np.sqrt(K[i, i]), 0.0
        for k in range(m):
            diagonal = K[walk.margin[k], walk.margin[k]]
            total += abs(v[k]) * np.sqrt(diagonal)
            trace += diagonal
        noise = ABOVE_NOISE * EPS * total * total
        # Below this a Cholesky factor of m points is rounding noise, and could break down.
        floor = max(floor, ABOVE_NOISE * EPS * m * trace)
    return left, floor, noise


@njit(cache=True, nogil=True)
def _append(walk: Walk, m: int, left: float, floor: float) -> None:
    """Border the factor by the m-th margin point, with a ridge where too little is left of it.

    The factor remains that of K_EE plus ridges to the last digits, even where ``left`` is noise.
    """
    i = walk.margin[m]
    walk.ridge[i] = max(floor - left, 0.0)
    append_column(walk.U, m, walk.z, np.sqrt(left + walk.ridge[i]))


@njit(cache=True, nogil=True)
def _sort_margin(walk: Walk) -> None:
    """Put margin points in the order of a pivoted Cholesky factor: the most independent first."""
    K, U, v, margin, row, m = walk.K, walk.U, walk.v, walk.margin, walk.row, walk.tally[MARGIN]
    for k in range(m):
        v[k] = K[margin[k], margin[k]]
    for k in range(m):
        best = k
        for j in range(k + 1, m):
            if v[j] > v[best]:
                best = j
        # What follows depends on those before up to noise, and has no order.
        if v[best] <= NEARLY * K[margin[best], margin[best]]:
            return
        margin[k], margin[best] = margin[best], margin[k]
        row[k], row[best] = row[best], row[k]
        v[k], v[best] = v[best], v[k]
        for h in range(k):
            U[h, k], U[h, best] = U[h, best], U[h, k]
        pivot = np.sqrt(v[k])
        for j in range(k + 1, m):
            entry = K[margin[k], margin[j]]
            for h in range(k):
                entry -= U[h, k] * U[h, j]
            U[k, j] = entry / pivot
            v[j] -= U[k, j] ** 2


@njit(cache=True, nogil=True)
def refactor(walk: Walk) -> None:
    """The factor, the ridges and ``w`` from scratch."""
    _sort_margin(walk)
    m = walk.tally[MARGIN]
    for k in range(m):
        left, floor, noise = _explain(walk, k)
        _append(walk, k, left, max(floor, noise))
    weigh(walk)


@njit(cache=True, nogil=True)
def weigh(walk: Walk) -> None:
    """``w`` from scratch."""
    m = walk.tally[MARGIN]
    for k in range(m):
        i = walk.margin[k]
        walk.w[k] = walk.pull[i] + walk.ridge[i] * walk.anchor[i]
    solve_transposed(walk.U, m, walk.w)


@njit(cache=True, nogil=True)
def enter(walk: Walk, place: int) -> None:
    """Move the point at ``place`` of ``watched`` onto the margin, at the bound it comes from."""
    z, tally = walk.z, walk.tally
    m, i = tally[MARGIN], walk.watched[place]
    walk.margin[m] = i
    left, floor, noise = _explain(walk, m)
    touch(walk, i)
    walk.c[i], walk.anchor[i] = 0.0, 0.0
    if walk.code[i] == L:
        tally[LEFT] -= 1
        walk.anchor[i] = walk.bound_rate[i]
        walk.c[i] = walk.bound[i] + walk.clock[NOW] * walk.bound_rate[i]
        shift_pull(walk, i, 1.0)
        for k in range(m):
            walk.w[k] += walk.bound_rate[i] * z[k]
    walk.code[i] = E
    walk.held[i] = walk.side[place] * walk.gap[place]
    _swap_panel(walk, place)
    tally[MARGIN] = m + 1
    # A point that depends on the others up to noise wants others that do not: sort them.
    if noise > max(floor, left):
        refactor(walk)
        return
    _append(walk, m, left, floor)
    pivot = walk.U[m, m]
    walk.w[m] = (walk.pull[i] + walk.ridge[i] * walk.anchor[i] - dot(z, walk.w, m)) / pivot


@njit(cache=True, nogil=True)
def _swap_panel(walk: Walk, place: int) -> None:
    """Take the point at ``place`` out of the columns of the panel and give it a row."""
    watched, m, last = walk.watched, walk.tally[MARGIN], walk.tally[WATCHED] - 1
    row = walk.K[watched[place]]
    watched[place] = watched[last]
    walk.side[place] = walk.side[last]
    walk.gap[place] = walk.gap[last]
    for k in range(m):
        walk.panel[walk.row[k], place] = walk.panel[walk.row[k], last]
    walk.row[m] = m
    for j in range(last):
        walk.panel[m, j] = row[watched[j]]
    walk.tally[WATCHED] = last


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
