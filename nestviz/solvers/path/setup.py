"""The parametric problem behind both paths, and the state at its start."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import SLICE, CodeArray, FloatArray
from nestviz.distances import inner, product
from nestviz.solvers.path import slots as at
from nestviz.solvers.path.state import EPS, E, L, PathState, R, Tape, enter
from nestviz.solvers.path.watch import watch

# The residual of a nearly dependent margin point may change by this share of the scale. Its pivot
# is between these shares of K_ii, the lower one above rounding.
RIDGE_RESIDUAL = 1e-10
LEAST_PIVOT, MOST_PIVOT = 1e-13, 1e-10
# Residuals and slopes are zero below these shares of the scale, or below the rounding of sums.
ZERO_GAP_SHARE, ZERO_SLOPE_SHARE = 1e-13, 1e-12
ROUNDING = 4 * EPS
# Within this distance of the end, or this change of residuals, there are no more events.
LAST_STEP, LAST_RESIDUAL = 1e-12, 1e-12
# Residuals above this share of the scale are corrected at once.
ADRIFT_ABOVE = 1e-10
FIRST_ROOM = 64
# Events of one compiled run.
MOST_EVENTS, FEWEST_EVENTS = 512, 4


class Problem(NamedTuple):
    """min ½ cᵀKc − (target + T target_rate)ᵀc, c_i between 0 and bound_i + T bound_rate_i.

    T goes from 0 to ``end``; the level is ``level + direction * T``. ``length`` and ``scale`` are
    the sizes of T and of the residuals that tolerances are relative to.
    """

    K: FloatArray
    y: FloatArray
    target: FloatArray
    target_rate: FloatArray
    bound: FloatArray
    bound_rate: FloatArray
    level: float
    direction: float
    end: float
    length: float
    scale: float

    def level_at(self, moment: float) -> float:
        """Return the level at T = ``moment``."""
        return self.level + self.direction * moment

    def field(self, c: FloatArray) -> FloatArray:
        """Return K c."""
        return product(c[None], self.K)[0] if c.any() else np.zeros(len(c))


def check_kernel(K: ArrayLike) -> FloatArray:
    """Return K as a contiguous square matrix of finite numbers, or raise ValueError."""
    matrix = np.ascontiguousarray(K, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.shape[0] == 0:
        raise ValueError(
            f"The kernel matrix must be square and not empty; its shape is {matrix.shape}."
        )
    if not np.isfinite(matrix).all():
        raise ValueError("The kernel matrix holds NaN or infinity; check the data and the width σ.")
    return matrix


def begin(problem: Problem, code: CodeArray, c: FloatArray) -> PathState:
    """Return the state at T = 0 with sets ``code`` and coefficients ``c`` of the margin points."""
    N = len(c)
    state = _blank_state(problem, min(N + 1, max(FIRST_ROOM, 2 * int((code == E).sum()))))
    state.c[:] = np.where(code == L, problem.bound, np.where(code == E, c, 0.0))
    # Margin points start in R and then enter, which builds the factor.
    inside = code == L
    state.code[:] = np.where(inside, L, R)
    moving = np.where(inside, problem.bound_rate, 0.0)
    field = problem.field(moving)
    state.rho[:] = problem.target - problem.field(state.c)
    state.pull[:] = problem.target_rate - field
    state.clock[at.SPREAD] = inner(field, moving)
    state.tally[at.LEFT] = inside.sum()
    watch(state, np.inf)
    for i in np.flatnonzero(code == E):
        enter(state, int(np.flatnonzero(state.watched[: state.tally[at.WATCHED]] == i)[0]))
        state.c[i] = state.mark[i] = c[i]
    return state


def _blank_state(problem: Problem, space: int) -> PathState:
    N, diagonal = len(problem.y), np.diagonal(problem.K)
    last_bound = problem.bound + problem.end * problem.bound_rate
    size = np.maximum(np.abs(problem.bound), np.abs(last_bound))
    names = ("c", "pull", "rho", "mark", "held", "side", "gap", "slope", "ridge", "anchor")
    floats = {name: np.zeros(N) for name in names}
    return PathState(
        K=_read_only(problem.K),
        y=problem.y,
        bound=problem.bound,
        bound_rate=problem.bound_rate,
        size=size,
        target_rate=problem.target_rate,
        weight=np.sqrt(diagonal * diagonal.max(initial=0.0)),
        span=_span(problem),
        floor=_pivot_floor(problem, size),
        code=np.zeros(N, np.int8),
        margin=np.zeros(space, np.int64),
        row=np.zeros(space, np.int64),
        U=np.zeros((space, space)),
        w=np.zeros(space),
        b=np.zeros(space),
        z=np.zeros(space),
        v=np.zeros(space),
        touched=np.zeros(N, np.int64),
        is_touched=np.zeros(N, np.bool_),
        watched=np.zeros(N, np.int64),
        panel=np.empty((space, N)),
        tally=np.zeros(6, np.int64),
        clock=_clock(problem, size),
        **floats,
    )


def _read_only(K: FloatArray) -> FloatArray:
    """Return a read-only view of K.

    Workers of a process pool get read-only arrays, for which numba compiles separately: this way
    there is one compilation instead of two.
    """
    view = K.view()
    view.flags.writeable = False
    return view


def _pivot_floor(problem: Problem, size: FloatArray) -> FloatArray:
    diagonal = np.diagonal(problem.K)
    wanted = RIDGE_RESIDUAL * problem.scale / size
    floor = np.clip(wanted, LEAST_PIVOT * diagonal, MOST_PIVOT * diagonal)
    return np.maximum(floor, LEAST_PIVOT * EPS * diagonal.max(initial=0.0))


def _clock(problem: Problem, size: FloatArray) -> FloatArray:
    """Return the scalars of the state: end of the path, scales and tolerances."""
    gap_rounding = ROUNDING * largest_field(problem.K, size)
    slope_rounding = ROUNDING * largest_field(problem.K, np.abs(problem.bound_rate))
    zero_gap = max(ZERO_GAP_SHARE * problem.scale, gap_rounding)
    zero_slope = max(ZERO_SLOPE_SHARE * problem.scale / problem.length, slope_rounding)
    clock = np.zeros(15)
    clock[at.END], clock[at.LENGTH], clock[at.SCALE] = problem.end, problem.length, problem.scale
    clock[at.ADRIFT], clock[at.ZERO_GAP], clock[at.ZERO_SLOPE] = ADRIFT_ABOVE, zero_gap, zero_slope
    clock[at.LIMIT] = np.inf
    fastest = np.abs(problem.target_rate).max(initial=0.0) + largest_field(
        problem.K, np.abs(problem.bound_rate)
    )
    clock[at.LAST] = LAST_STEP * problem.length
    if fastest * clock[at.LAST] > LAST_RESIDUAL * problem.scale:
        clock[at.LAST] = max(LAST_RESIDUAL * problem.scale / fastest, 4 * EPS * problem.length)
    if problem.target_rate.any():
        clock[at.HEAD] = np.abs(problem.target_rate).max() / _span(problem).max()
    return clock


def _span(problem: Problem) -> FloatArray:
    """Return √K_ii, or the largest of them if the target moves too, to bound its speed as well."""
    root = np.sqrt(np.diagonal(problem.K))
    if problem.target_rate.any():
        root = np.full(len(root), root.max())
    return np.maximum(root, EPS * root.max(initial=0.0))


def largest_field(K: FloatArray, c: FloatArray) -> float:
    """Return an upper bound of Σ_j |K_ij| |c_j| over all i, from the diagonal of K alone."""
    root = np.sqrt(np.diagonal(K))
    return float(root.max(initial=0.0) * inner(root, np.abs(c)))


def with_larger_margin(state: PathState) -> PathState:
    """Return the state with space for twice as many margin points, at most for all."""
    m = int(state.tally[at.MARGIN])
    space = min(2 * len(state.margin), len(state.c) + 1)
    grown = {}
    for name in ("margin", "row", "w", "b", "z", "v"):
        old = getattr(state, name)
        grown[name] = np.zeros(space, old.dtype)
        grown[name][:m] = old[:m]
    U = np.zeros((space, space))
    U[:m, :m] = state.U[:m, :m]
    panel = np.empty((space, state.panel.shape[1]))
    panel[:m] = state.panel[:m]
    return state._replace(U=U, panel=panel, **grown)


def events_at_once(state: PathState) -> int:
    """Return how many events fit a slice of work: each reads the panel and part of the factor."""
    m = int(state.tally[at.MARGIN]) + 1
    return int(np.clip(SLICE // (m * (len(state.c) + 4 * m)), FEWEST_EVENTS, MOST_EVENTS))


def blank_tape(events: int, space: int) -> Tape:
    """Return a tape for at most ``events`` events, and margin entries for at least one step."""
    entries = max(space, min(events * space, 1 << 17))
    return Tape(
        moment=np.empty(events + 1),
        residual=np.empty(events + 1),
        end=np.empty(events + 1, np.int64),
        point=np.empty(entries, np.int32),
        value=np.empty(entries),
        event=np.empty((events, 4), np.int32),
        used=np.zeros(3, np.int64),
    )
