"""The parametric problem behind both paths, and a walk made ready to follow it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import CodeArray, FloatArray
from nestviz.solvers.path.state import (
    ADRIFT,
    END,
    EPS,
    HEAD,
    LAST,
    LEFT,
    LENGTH,
    LIMIT,
    MARGIN,
    SCALE,
    SPREAD,
    WATCHED,
    ZERO_GAP,
    ZERO_SLOPE,
    E,
    L,
    R,
    Tape,
    Walk,
    enter,
)
from nestviz.solvers.path.watch import watch

# A nearly dependent margin point may move its residual by this share of the scale; its pivot stays
# between these shares of its diagonal entry of K, the lower one to stay above rounding.
RIDGE_RESIDUAL = 1e-10
LEAST_PIVOT, MOST_PIVOT = 1e-13, 1e-10
# Residuals and slopes are zero below these shares of the scale, or of what rounding leaves of sums.
ZERO_GAP_SHARE, ZERO_SLOPE_SHARE = 1e-13, 1e-12
ROUNDING = 4 * EPS
# So close to the end of the path, or so near to it by what residuals can change, nothing happens.
LAST_STEP, LAST_RESIDUAL = 1e-12, 1e-12
# Residuals above this share of the scale are looked after at once.
ADRIFT_ABOVE = 1e-10
FIRST_ROOM = 64


class Problem(NamedTuple):
    """min ½ cᵀKc − (target + T target_rate)ᵀc, c_i between 0 and bound_i + T bound_rate_i.

    T runs from 0 to ``end``; the level is ``level + direction * T``. ``length`` and ``scale`` are
    the sizes of T and of the residuals, by which tolerances are measured.
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
        """The level after travelling ``moment``."""
        return self.level + self.direction * moment


def check_kernel(K: ArrayLike) -> FloatArray:
    """K as a contiguous square matrix of finite numbers, or an error that says what is wrong."""
    matrix = np.ascontiguousarray(K, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.shape[0] == 0:
        raise ValueError(
            f"The kernel matrix must be square and not empty; its shape is {matrix.shape}."
        )
    if not np.isfinite(matrix).all():
        raise ValueError("The kernel matrix holds NaN or infinity; check the data and the width σ.")
    if (np.diagonal(matrix) < 0).any():
        raise ValueError("The kernel matrix has a negative diagonal entry, so it is not a kernel.")
    return matrix


def check_weights(weights: ArrayLike, N: int, name: str) -> FloatArray:
    """One finite number ≥ 0 per point, or an error that says what is wrong."""
    w = np.array(weights, dtype=np.float64)
    if w.shape != (N,):
        raise ValueError(f"{name} must hold one number for each of the {N} points; got {w.shape}.")
    if not np.isfinite(w).all() or (w < 0).any():
        raise ValueError(f"{name} must be finite and not negative.")
    return w


def begin(problem: Problem, code: CodeArray, c: FloatArray) -> Walk:
    """A walk at T = 0 with the sets ``code`` and the coefficients ``c`` of the margin points."""
    N = len(c)
    walk = _blank_walk(problem, min(N + 1, max(FIRST_ROOM, 2 * int((code == E).sum()))))
    walk.c[:] = np.where(code == L, problem.bound, np.where(code == E, c, 0.0))
    # Margin points first stand in R and then enter, which builds the factor.
    inside = code == L
    walk.code[:] = np.where(inside, L, R)
    moving = np.where(inside, problem.bound_rate, 0.0)
    field = problem.K @ moving if moving.any() else moving
    walk.rho[:], walk.pull[:] = problem.target - problem.K @ walk.c, problem.target_rate - field
    walk.clock[SPREAD] = field @ moving
    walk.tally[LEFT] = inside.sum()
    watch(walk, np.inf)
    for i in np.flatnonzero(code == E):
        enter(walk, int(np.flatnonzero(walk.watched[: walk.tally[WATCHED]] == i)[0]))
        walk.c[i] = walk.mark[i] = c[i]
    return walk


def _blank_walk(problem: Problem, room: int) -> Walk:
    N, diagonal = len(problem.y), np.diagonal(problem.K)
    last_bound = problem.bound + problem.end * problem.bound_rate
    size = np.maximum(np.abs(problem.bound), np.abs(last_bound))
    names = ("c", "pull", "rho", "mark", "held", "side", "gap", "slope", "ridge", "anchor")
    floats = {name: np.zeros(N) for name in names}
    return Walk(
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
        margin=np.zeros(room, np.int64),
        row=np.zeros(room, np.int64),
        U=np.zeros((room, room)),
        w=np.zeros(room),
        b=np.zeros(room),
        z=np.zeros(room),
        v=np.zeros(room),
        touched=np.zeros(N, np.int64),
        is_touched=np.zeros(N, np.bool_),
        watched=np.zeros(N, np.int64),
        panel=np.empty((room, N)),
        tally=np.zeros(6, np.int64),
        clock=_clock(problem, size),
        **floats,
    )


def _read_only(K: FloatArray) -> FloatArray:
    """A view of K that cannot be written to.

    Compiled code tells such arrays apart. Workers of a process pool get them anyway; with no other
    kind there is one compilation instead of two.
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
    """Where the walk is, how far it goes, and below what it is blind."""
    gap_rounding = ROUNDING * largest_field(problem.K, size)
    slope_rounding = ROUNDING * largest_field(problem.K, np.abs(problem.bound_rate))
    zero_gap = max(ZERO_GAP_SHARE * problem.scale, gap_rounding)
    zero_slope = max(ZERO_SLOPE_SHARE * problem.scale / problem.length, slope_rounding)
    clock = np.zeros(15)
    clock[END], clock[LENGTH], clock[SCALE] = problem.end, problem.length, problem.scale
    clock[ADRIFT], clock[ZERO_GAP], clock[ZERO_SLOPE] = ADRIFT_ABOVE, zero_gap, zero_slope
    clock[LIMIT] = np.inf
    fastest = np.abs(problem.target_rate).max(initial=0.0) + largest_field(
        problem.K, np.abs(problem.bound_rate)
    )
    clock[LAST] = LAST_STEP * problem.length
    if fastest * clock[LAST] > LAST_RESIDUAL * problem.scale:
        clock[LAST] = max(LAST_RESIDUAL * problem.scale / fastest, 4 * EPS * problem.length)
    if problem.target_rate.any():
        clock[HEAD] = np.abs(problem.target_rate).max() / _span(problem).max()
    return clock


def _span(problem: Problem) -> FloatArray:
    """√K_ii, or the largest of them where the target moves too: its speed has to fit in."""
    root = np.sqrt(np.diagonal(problem.K))
    if problem.target_rate.any():
        root = np.full(len(root), root.max())
    return np.maximum(root, EPS * root.max(initial=0.0))


def largest_field(K: FloatArray, c: FloatArray) -> float:
    """A bound of Σ_j |K_ij| |c_j| over all i, from the diagonal of K alone."""
    root = np.sqrt(np.diagonal(K))
    return float(root.max(initial=0.0) * (root @ np.abs(c)))


def more_room(walk: Walk) -> Walk:
    """The same walk with room for twice as many margin points, at most for all."""
    m = int(walk.tally[MARGIN])
    room = min(2 * len(walk.margin), len(walk.c) + 1)
    grown = {}
    for name in ("margin", "row", "w", "b", "z", "v"):
        old = getattr(walk, name)
        grown[name] = np.zeros(room, old.dtype)
        grown[name][:m] = old[:m]
    U = np.zeros((room, room))
    U[:m, :m] = walk.U[:m, :m]
    panel = np.empty((room, walk.panel.shape[1]))
    panel[:m] = walk.panel[:m]
    return walk._replace(U=U, panel=panel, **grown)


def blank_tape(events: int, room: int) -> Tape:
    """A tape for at most ``events`` events; margin entries for at least one step."""
    entries = max(room, min(events * room, 1 << 17))
    return Tape(
        moment=np.empty(events + 1),
        residual=np.empty(events + 1),
        end=np.empty(events + 1, np.int64),
        point=np.empty(entries, np.int32),
        value=np.empty(entries),
        event=np.empty((events, 4), np.int32),
        used=np.zeros(3, np.int64),
    )
