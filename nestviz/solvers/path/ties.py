"""Continue a path where many points meet the margin, or their bounds, at the same moment.

Steps of length zero, one at a time, may cycle there: points that tie by symmetry differ by rounding
only. The question is a path of its own. With T = T* + ετ and c = c* + εr only two kinds of points
matter for small ε: those strictly between their bounds, which then have none, and the tied ones,
each with one bound. The residuals of the tied points do not matter for large τ, so they get random
ones of ordinary size, with which nothing ties. The sets at the end of this *magnified* path are
those with which the real path leaves T*.

Where K is singular to working precision and the data symmetric, points near the margin stay within
rounding of it along the path, and ties repeat. Then their targets are shifted, by a share of the
scale that grows from ``FIRST_BLUR`` with every tie that follows too soon, and restored later. The
shift is part of the residuals that the path reports.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import BoolArray, CodeArray, IntArray
from nestviz.solvers.path import slots as at
from nestviz.solvers.path.drift import all_coefficients, refresh
from nestviz.solvers.path.events import PROGRESS, run
from nestviz.solvers.path.setup import (
    Problem,
    begin,
    blank_tape,
    events_at_once,
    with_larger_margin,
)
from nestviz.solvers.path.state import DONE, TIED, E, L, PathState, R, enter, leave
from nestviz.solvers.path.watch import watch

# A point is tied when its residual is below these multiples of what counts as zero, or its
# coefficient within this share of its own size from a bound.
TIED_GAP, TIED_COEFFICIENT = 16.0, 1e-13
# Shares of the scale by which residuals may be blurred, first and at most.
FIRST_BLUR, MOST_BLUR = 1e-12, 1e-8
# Magnified path: a bound that is never met, the end, and events until giving up.
NEVER, MAGNIFIED_END = 1e200, 1e15
MAGNIFIED_EVENTS = 256

Event = tuple[int, int, int]


class Tied(NamedTuple):
    """Tied points, whether each is at its far bound, and whether its bounds coincide."""

    point: NDArray[np.intp]
    far: BoolArray
    both: BoolArray


class Ties:
    """Resolve the ties of one path."""

    def __init__(self, problem: Problem) -> None:
        self.target = problem.target
        self.count, self.blur, self.moment = 0, FIRST_BLUR, -np.inf

    def resolve(self, problem: Problem, state: PathState) -> tuple[Problem, PathState, list[Event]]:
        """Return the problem with shifted targets, the state after the tie, and its events.

        Call it after ``refresh``, with all points watched.
        """
        self.count += 1
        soon = state.clock[at.NOW] - self.moment <= PROGRESS * problem.length
        self.blur = min(10.0 * self.blur, MOST_BLUR) if soon else FIRST_BLUR
        self.moment = state.clock[at.NOW]
        random = np.random.default_rng(self.count)
        tied = _find(problem, state, self.blur)
        state, events = _regroup(state, tied, *_leave_tie(problem, state, tied, random))
        problem = self._blurred(problem, state, random)
        refresh(problem, state)
        state.tally[at.IDLE], state.clock[at.MARK] = 0, state.clock[at.NOW]
        return problem, state, events

    def shift(self, problem: Problem) -> float:
        """Return the largest current shift of a target, as a share of the scale."""
        return float(np.abs(problem.target - self.target).max(initial=0.0)) / problem.scale

    def _blurred(self, problem: Problem, state: PathState, random: np.random.Generator) -> Problem:
        """Shift targets of points near the margin, each by a distance of its own."""
        true = self.target + state.clock[at.NOW] * problem.target_rate
        true -= problem.field(all_coefficients(state))
        side = np.where(state.code == L, state.y, -state.y)
        distance = self.blur * problem.scale * random.uniform(1.0, 2.0, len(true))
        near = (state.code != E) & (side * true < distance)
        # Points on the margin keep the shift they had when they entered.
        target = np.where(state.code == E, problem.target, self.target)
        target[near] += side[near] * (distance - side * true)[near]
        return problem._replace(target=target)


def _find(problem: Problem, state: PathState, blur: float) -> Tied:
    """Return the tied points, within ``blur`` of the scale."""
    far, c = state.bound + state.clock[at.NOW] * state.bound_rate, all_coefficients(state)
    side = np.where(state.code == L, state.y, -state.y)
    near_gap = max(TIED_GAP * state.clock[at.ZERO_GAP], blur * problem.scale)
    # So near to a bound that the point's own residual changes by no more than the blur.
    near = blur * problem.scale / np.maximum(np.diagonal(problem.K), np.finfo(float).tiny)
    near = state.size * np.clip(near / state.size, TIED_COEFFICIENT, 1e3 * TIED_COEFFICIENT)
    on, at_zero, at_far = state.code == E, np.abs(c) <= near, np.abs(far - c) <= near
    tied = np.where(on, at_zero | at_far, side * state.rho <= near_gap)
    both = at_zero & at_far & (state.bound_rate != 0)
    is_far = np.where(on, at_far & ~at_zero, state.code == L)
    point = np.flatnonzero(tied)
    return Tied(point, (is_far & ~both)[point], both[point])


def _leave_tie(
    problem: Problem, state: PathState, tied: Tied, random: np.random.Generator
) -> tuple[CodeArray, list[int]]:
    """Return the sets of the tied points after the tie, and the order of entering the margin."""
    free = np.setdiff1d(state.margin[: state.tally[at.MARGIN]], tied.point)
    magnified = _magnify(problem, state, tied, free, random)
    events, status = 0, -1
    limit = MAGNIFIED_EVENTS + 50 * len(magnified.c)
    while status not in (DONE, TIED) and events < limit:
        tape = blank_tape(events_at_once(magnified), len(magnified.margin))
        status = run(magnified, tape, False)
        events += int(tape.used[2])
        if magnified.tally[at.MARGIN] == len(magnified.margin):
            magnified = with_larger_margin(magnified)
    code = magnified.code[len(free) :].copy()
    # Points at their far bound were mirrored, so that R means that bound.
    code[(code == R) & tied.far] = L
    margin = magnified.margin[: magnified.tally[at.MARGIN]] - len(free)
    return code, [int(k) for k in margin[margin >= 0]]


def _magnify(
    problem: Problem, state: PathState, tied: Tied, free: IntArray, random: np.random.Generator
) -> PathState:
    """Return the magnified state: free points on the margin, tied ones at their bound.

    A tied point at its far bound is measured from there, with the opposite class. As such points
    move with their bounds, ``pull`` counts them as points of L.
    """
    inside = state.code == L
    inside[tied.point] = tied.far
    moving = np.where(inside, state.bound_rate, 0.0)
    pull = problem.target_rate - problem.field(moving)
    point, n = np.concatenate([free, tied.point]), len(free)
    both = np.concatenate([np.zeros(n, np.bool_), tied.both])
    mirrored = np.concatenate([np.zeros(n, np.bool_), tied.far])
    size, y = state.size[point], np.where(mirrored, -state.y[point], state.y[point])
    code = np.where(both & (state.code[point] == L), L, R).astype(np.int8)
    code[:n] = E
    local = problem._replace(
        K=np.ascontiguousarray(problem.K[np.ix_(point, point)]),
        y=y,
        target=np.zeros(len(point)),
        target_rate=pull[point],
        bound=np.where(both, 0.0, y * size),
        bound_rate=np.where(both, state.bound_rate[point], 0.0),
        end=problem.length,
    )
    magnified = begin(local, code, np.zeros(len(point)))
    magnified.size[:], magnified.clock[at.END] = size, MAGNIFIED_END * problem.length
    zeros = [at.ZERO_GAP, at.ZERO_SLOPE]
    magnified.clock[zeros] = state.clock[zeros]
    # Only tied points have a bound, and only on one side.
    magnified.bound[:], magnified.y[:n] = np.where(both, 0.0, y * NEVER), 0.0
    gap = problem.scale * random.uniform(1.0, 2.0, len(point))
    magnified.rho[:] = np.where(code == E, 0.0, np.where(code == L, y, -y) * gap)
    magnified.held[:] = 0.0
    watch(magnified, np.inf)
    return magnified


def _regroup(
    state: PathState, tied: Tied, code: CodeArray, order: list[int]
) -> tuple[PathState, list[Event]]:
    """Move the tied points to their new sets."""
    events: list[Event] = []
    wanted = dict(zip(tied.point.tolist(), code.tolist(), strict=True))
    for place in range(state.tally[at.MARGIN] - 1, -1, -1):
        i = int(state.margin[place])
        if wanted.get(i, E) != E:
            leave(state, place, wanted[i])
            events.append((i, E, wanted[i]))
    while len(state.margin) < min(state.tally[at.MARGIN] + len(order) + 2, len(state.c) + 1):
        state = with_larger_margin(state)
    across = [i for i, to in wanted.items() if to != E and state.code[i] != to]
    for i in across + [int(tied.point[k]) for k in order]:
        if state.code[i] != E:
            events.append((i, int(state.code[i]), wanted[i]))
            enter(state, int(np.flatnonzero(state.watched[: state.tally[at.WATCHED]] == i)[0]))
            if wanted[i] != E:
                leave(state, int(np.flatnonzero(state.margin == i)[0]), wanted[i])
    return state, events
