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
MARGIN, OUTSIDE, LEFT, IDLE = 0, 1, 2, 3
NOW, END, LENGTH, SCALE, CAUTION, ZERO_GAP, ZERO_SLOPE = 0, 1, 2, 3, 4, 5, 6

# What ended a run of events, and what an event is.
MORE, FULL, DONE = 0, 1, 2
FINISH, ENTER, TO_R, TO_L = 0, 1, 2, 3


class Walk(NamedTuple):
    """Everything that changes along the path, as arrays (m points in E, n outside).

    Constant: ``bound`` + T · ``bound_rate`` is B(T), ``size`` its largest length on the path,
    ``weight`` the largest |K_ij| of a point, by the diagonal of K,
    ``floor`` the smallest squared pivot allowed to a point.

    Arrays over all points: ``c`` and ``rho`` (up to date for points of E), ``code``, and ``pull``,
    the rate of q minus what the points of L add to Kc. ``ridge`` is added to K_ii while a nearly
    dependent point is on the margin. It pulls towards ``anchor``, the rate of the bound the point
    came from, so that the point leaves that bound in the direction it was called.

    Arrays in the order of ``margin``: the factor ``U``, ``w`` with Uᵀw = pull_E, the direction
    ``b``. Arrays in the order of ``outside``: ``side`` (the sign that makes side · ρ ≥ 0 right),
    ``gap`` = side · ρ and its rate ``slope``. Row ``row[k]`` of ``panel`` holds K between the k-th
    point of E and all points outside, so that the costly product K[outside, E] b runs over
    contiguous memory.
    """

    K: FloatArray
    y: FloatArray
    bound: FloatArray
    bound_rate: FloatArray
    size: FloatArray
    weight: FloatArray
    floor: FloatArray
    ridge: FloatArray
    anchor: FloatArray
    c: FloatArray
    rho: FloatArray
    code: NDArray[np.int8]
    pull: FloatArray
    margin: IntArray
    row: IntArray
    U: FloatArray
    w: FloatArray
    b: FloatArray
    z: FloatArray
    outside: IntArray
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
    """Add to ``pull`` what a point brings (−1) or takes away (+1) by moving with its bound."""
    rate = sign * walk.bound_rate[point]
    if rate != 0.0:
        column = walk.K[point]
        for i in range(len(column)):
            walk.pull[i] += rate * column[i]


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
    """Move the point at ``place`` of ``outside`` onto the margin, at the bound it comes from."""
    K, margin, outside, z, tally = walk.K, walk.margin, walk.outside, walk.z, walk.tally
    m, n, i = tally[MARGIN], tally[OUTSIDE], outside[place]
    for k in range(m):
        z[k] = K[i, margin[k]]
    solve_transposed(walk.U, m, z)
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
    walk.rho[i] = walk.side[place] * walk.gap[place]
    last = n - 1
    outside[place] = outside[last]
    walk.side[place] = walk.side[last]
    walk.gap[place] = walk.gap[last]
    for k in range(m):
        walk.panel[walk.row[k], place] = walk.panel[walk.row[k], last]
    margin[m] = i
    walk.row[m] = m
    for j in range(last):
        walk.panel[m, j] = K[i, outside[j]]
    tally[MARGIN], tally[OUTSIDE] = m + 1, last


@njit(cache=True, nogil=True)
def leave(walk: Walk, place: int, code: int) -> None:
    """Move the point at ``place`` of ``margin`` to L or R."""
    K, margin, row, tally, z = walk.K, walk.margin, walk.row, walk.tally, walk.z
    m, n, i, free = tally[MARGIN], tally[OUTSIDE], margin[place], row[place]
    remove_column(walk.U, walk.w, m, place)
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
    walk.outside[n] = i
    walk.side[n] = walk.y[i] if code == L else -walk.y[i]
    walk.gap[n] = walk.side[n] * walk.rho[i]
    if code == L:
        tally[LEFT] += 1
        if walk.bound_rate[i] != 0.0:
            shift_pull(walk, i, -1.0)
            for k in range(m):
                z[k] = K[i, margin[k]]
            solve_transposed(walk.U, m, z)
            for k in range(m):
                walk.w[k] -= walk.bound_rate[i] * z[k]
    tally[MARGIN], tally[OUTSIDE] = m, n + 1
