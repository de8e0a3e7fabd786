"""The state of a solution path, and how points enter and leave the margin.

See :mod:`nestviz.solvers.path.events` for the problem and the three sets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray, IntArray
from nestviz.compiled import fma, njit
from nestviz.solvers.cholesky import (
    append_column,
    dot,
    remove_column,
    solve_transposed,
    solve_upper,
)
from nestviz.solvers.path import slots as at

L, E, R = 0, 1, 2
"""Codes of the three sets: at the upper bound, on the margin, at zero."""

EPS = float(np.finfo(np.float64).eps)
# The shortest step in T, relative to the whole path: one unit in the last place of a level.
SHORTEST = 2.0**-52

# A point whose squared pivot is below this share of K_ii may need a ridge; a pivot has to be this
# many times the noise.
NEARLY = 1e-9
ABOVE_NOISE = 8.0

# Reasons why a run of events ended, and kinds of events.
MORE, FULL, DONE, TIED, OFF = 0, 1, 2, 3, 4
FINISH, ENTER, TO_R, TO_L, PAUSE = 0, 1, 2, 3, 4


class PathState(NamedTuple):
    """All that compiled code needs, as arrays (m points in E, n outside and watched).

    Constant: ``bound`` + T · ``bound_rate`` is B(T) and ``size`` its largest length on the path;
    ``target_rate`` is the rate of q; ``floor`` is the smallest squared pivot allowed to a point;
    ``weight`` bounds |K_ij| and ``span`` √K_ii, both from the diagonal of K. A point with ``y`` = 0
    has no bounds and never leaves the margin.

    Arrays over all points: ``code``; ``c``, up to date in E; ``pull``, the rate of q minus the part
    of Kc's rate due to L; ``rho`` at the last synchronisation, and ``mark``, the c of that moment,
    for the points ``touched`` since. ``held`` is the residual of a point on the margin. ``ridge``
    is added to K_ii while a nearly dependent point is on the margin. It pulls the rate of c
    towards ``anchor``, the rate of the bound the point came from, so that the point leaves that
    bound in the right direction.

    Arrays in the order of ``margin``: the factor ``U``, ``w`` with Uᵀw = pull_E, the direction
    ``b``, and work space ``z`` and ``v``. Arrays in the order of ``watched``: ``side`` (at the
    optimum side · ρ ≥ 0), ``gap`` = side · ρ and its rate ``slope``. Row ``row[k]`` of ``panel``
    holds K between the k-th point of E and all points watched, so that the costly product
    K[watched, E] b reads contiguous memory. :mod:`~nestviz.solvers.path.slots` names the entries of
    ``tally`` and ``clock``.
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
    """Record of one run of events; ``used`` counts steps, margin entries and events."""

    moment: FloatArray
    residual: FloatArray
    end: IntArray
    point: NDArray[np.int32]
    value: FloatArray
    event: NDArray[np.int32]
    used: IntArray


@njit(cache=True, nogil=True)
def shift_pull(state: PathState, point: int, sign: float) -> None:
    """Update ``pull`` for a point that starts (−1) or stops (+1) moving with its bound."""
    rate = sign * state.bound_rate[point]
    if rate != 0.0:
        row = state.K[point]
        field = state.target_rate[point] - state.pull[point]
        state.clock[at.SPREAD] += rate * (rate * row[point] - 2.0 * field)
        for i in range(len(row)):
            state.pull[i] = fma(rate, row[i], state.pull[i])


@njit(cache=True, nogil=True)
def touch(state: PathState, point: int) -> None:
    """Store the coefficient a point had at the last synchronisation."""
    if not state.is_touched[point]:
        state.is_touched[point] = True
        at_bound = state.bound[point] + state.clock[at.SYNC] * state.bound_rate[point]
        state.mark[point] = at_bound if state.code[point] == L else 0.0
        state.touched[state.tally[at.TOUCHED]] = point
        state.tally[at.TOUCHED] += 1


@njit(cache=True, nogil=True)
def _explain(state: PathState, m: int) -> tuple[float, float, float]:
    """Return the squared pivot of the m-th margin point, its smallest allowed value and its noise.

    Fills ``z`` with U⁻ᵀ K_Ei. The noise is the effect of rounding of K: large where the m points
    nearly depend on one another, and computed only where it could matter.
    """
    K, z, v, i = state.K, state.z, state.v, state.margin[m]
    for k in range(m):
        z[k] = K[i, state.margin[k]]
    solve_transposed(state.U, m, z)
    left, floor, noise = K[i, i] - dot(z, z, m), state.floor[i], 0.0
    if left < NEARLY * K[i, i]:
        solve_upper(state.U, m, z, v)
        total, trace = np.sqrt(K[i, i]), 0.0
        for k in range(m):
            diagonal = K[state.margin[k], state.margin[k]]
            total += abs(v[k]) * np.sqrt(diagonal)
            trace += diagonal
        noise = ABOVE_NOISE * EPS * total * total
        # A smaller pivot of m points is rounding noise, and the factorisation could fail.
        floor = max(floor, ABOVE_NOISE * EPS * m * trace)
    return left, floor, noise


@njit(cache=True, nogil=True)
def _append(state: PathState, m: int, left: float, floor: float) -> None:
    """Add the m-th margin point to the factor, with a ridge if its pivot is too small.

    The factor remains that of K_EE plus ridges to the last digits, even where ``left`` is noise.
    """
    i = state.margin[m]
    state.ridge[i] = max(floor - left, 0.0)
    append_column(state.U, m, state.z, np.sqrt(left + state.ridge[i]))


@njit(cache=True, nogil=True)
def _sort_margin(state: PathState) -> None:
    """Sort margin points as a pivoted Cholesky factorisation does: most independent first."""
    K, U, v, margin, row, m = (
        state.K,
        state.U,
        state.v,
        state.margin,
        state.row,
        state.tally[at.MARGIN],
    )
    for k in range(m):
        v[k] = K[margin[k], margin[k]]
    for k in range(m):
        best = k
        for j in range(k + 1, m):
            if v[j] > v[best]:
                best = j
        # The rest depends on the points before up to noise, and has no order.
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
def refactor(state: PathState) -> None:
    """Recompute the factor, the ridges and ``w``."""
    _sort_margin(state)
    m = state.tally[at.MARGIN]
    for k in range(m):
        left, floor, noise = _explain(state, k)
        _append(state, k, left, max(floor, noise))
    weigh(state)


@njit(cache=True, nogil=True)
def weigh(state: PathState) -> None:
    """Recompute ``w``."""
    m = state.tally[at.MARGIN]
    for k in range(m):
        i = state.margin[k]
        state.w[k] = state.pull[i] + state.ridge[i] * state.anchor[i]
    solve_transposed(state.U, m, state.w)


@njit(cache=True, nogil=True)
def enter(state: PathState, place: int) -> None:
    """Move point ``watched[place]`` onto the margin, at the bound it comes from."""
    z, tally = state.z, state.tally
    m, i = tally[at.MARGIN], state.watched[place]
    state.margin[m] = i
    left, floor, noise = _explain(state, m)
    touch(state, i)
    state.c[i], state.anchor[i] = 0.0, 0.0
    if state.code[i] == L:
        tally[at.LEFT] -= 1
        state.anchor[i] = state.bound_rate[i]
        state.c[i] = state.bound[i] + state.clock[at.NOW] * state.bound_rate[i]
        shift_pull(state, i, 1.0)
        for k in range(m):
            state.w[k] += state.bound_rate[i] * z[k]
    state.code[i] = E
    state.held[i] = state.side[place] * state.gap[place]
    _swap_panel(state, place)
    tally[at.MARGIN] = m + 1
    # A point that depends on the others up to noise needs a better order of all of them.
    if noise > max(floor, left):
        refactor(state)
        return
    _append(state, m, left, floor)
    pivot = state.U[m, m]
    state.w[m] = (state.pull[i] + state.ridge[i] * state.anchor[i] - dot(z, state.w, m)) / pivot


@njit(cache=True, nogil=True)
def _swap_panel(state: PathState, place: int) -> None:
    """Remove point ``watched[place]`` from the columns of the panel and give it a row."""
    watched, m, last = state.watched, state.tally[at.MARGIN], state.tally[at.WATCHED] - 1
    row = state.K[watched[place]]
    watched[place] = watched[last]
    state.side[place] = state.side[last]
    state.gap[place] = state.gap[last]
    for k in range(m):
        state.panel[state.row[k], place] = state.panel[state.row[k], last]
    state.row[m] = m
    for j in range(last):
        state.panel[m, j] = row[watched[j]]
    state.tally[at.WATCHED] = last


@njit(cache=True, nogil=True)
def leave(state: PathState, place: int, code: int) -> None:
    """Move point ``margin[place]`` to L or R."""
    K, margin, row, tally, z = state.K, state.margin, state.row, state.tally, state.z
    m, n, i, free = tally[at.MARGIN], tally[at.WATCHED], margin[place], row[place]
    remove_column(state.U, state.w, z, m, place)
    for k in range(place, m - 1):
        margin[k] = margin[k + 1]
        row[k] = row[k + 1]
    m -= 1
    for k in range(m):
        # Rows of the panel stay packed: the last one moves into the gap.
        if row[k] == m and free != m:
            for j in range(n):
                state.panel[free, j] = state.panel[m, j]
            row[k] = free
        state.panel[row[k], n] = K[i, margin[k]]
    state.code[i] = code
    state.watched[n] = i
    state.side[n] = state.y[i] if code == L else -state.y[i]
    state.gap[n] = state.side[n] * state.held[i]
    if code == L:
        tally[at.LEFT] += 1
        shift_pull(state, i, -1.0)
        for k in range(m):
            state.w[k] -= state.bound_rate[i] * z[k]
    tally[at.MARGIN], tally[at.WATCHED] = m, n + 1
