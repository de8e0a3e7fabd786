"""Where the path goes when many points meet the margin, or their bounds, at the same moment.

Steps of length zero, taken one at a time, may go round in circles there: points that tie by
symmetry differ by rounding alone, and rounding would decide. Under a magnifying glass the question
is a path of its own. With T = T* + ετ and c = c* + εr only two kinds of points matter for small ε:
those strictly between their bounds, which then have none, and the tied ones, each with the bound it
is at, from which it may part to one side. Whatever residuals the tied points have in this problem,
for large τ they no longer count. So they are given residuals of ordinary and different sizes, with
which nothing ties. The sets in which the magnified path ends are the sets in which the real path
leaves T*.

Where K is singular to working precision and symmetric as well, points beside the margin stay within
rounding of it along the path, and ties follow ties. Then their targets are moved, by a share of the
scale that grows from ``FIRST_BLUR`` with every tie that follows too soon, and back again later.
What they are moved by is part of the residuals that the path reports.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import BoolArray, CodeArray, IntArray
from nestviz.solvers.path.drift import all_coefficients, refresh
from nestviz.solvers.path.events import PROGRESS, run
from nestviz.solvers.path.setup import Problem, begin, blank_tape, more_room
from nestviz.solvers.path.state import (
    DONE,
    END,
    IDLE,
    MARGIN,
    MARK,
    NOW,
    TIED,
    WATCHED,
    ZERO_GAP,
    ZERO_SLOPE,
    E,
    L,
    R,
    Walk,
    enter,
    leave,
)
from nestviz.solvers.path.watch import watch

# A point is tied when its residual is below these multiples of what counts as zero, or its
# coefficient within this share of its own size from a bound.
TIED_GAP, TIED_COEFFICIENT = 16.0, 1e-13
# Shares of the scale by which residuals may be blurred, first and at most.
FIRST_BLUR, MOST_BLUR = 1e-12, 1e-8
# Under the glass: a bound that is never met, the end of the path, and events until giving up.
NEVER, GLASS_END = 1e200, 1e15
GLASS_EVENTS = 256

Event = tuple[int, int, int]


class Tied(NamedTuple):
    """Points that tie: which, whether at their far bound, whether both bounds are the same."""

    point: NDArray[np.intp]
    far: BoolArray
    both: BoolArray


class Ties:
    """Resolve the ties of one path, one after the other."""

    def __init__(self, problem: Problem) -> None:
        self.target = problem.target
        self.count, self.blur, self.moment = 0, FIRST_BLUR, -np.inf

    def resolve(self, problem: Problem, walk: Walk) -> tuple[Problem, Walk, list[Event]]:
        """Leave a tie: the problem with blurred targets, the walk, and who went where.

        The walk has to be fresh, with all points watched.
        """
        self.count += 1
        soon = walk.clock[NOW] - self.moment <= PROGRESS * problem.length
        self.blur = min(10.0 * self.blur, MOST_BLUR) if soon else FIRST_BLUR
        self.moment = walk.clock[NOW]
        random = np.random.default_rng(self.count)
        tied = _find(problem, walk, self.blur)
        walk, events = _regroup(walk, tied, *_leave_tie(problem, walk, tied, random))
        problem = self._blurred(problem, walk, random)
        refresh(problem, walk)
        walk.tally[IDLE], walk.clock[MARK] = 0, walk.clock[NOW]
        return problem, walk, events

    def shift(self, problem: Problem) -> float:
        """The largest share of the scale by which a target is moved at present."""
        return float(np.abs(problem.target - self.target).max(initial=0.0)) / problem.scale

    def _blurred(self, problem: Problem, walk: Walk, random: np.random.Generator) -> Problem:
        """Keep points beside the margin away from it, each at a distance of its own."""
        true = self.target + walk.clock[NOW] * problem.target_rate
        true -= problem.K @ all_coefficients(walk)
        side = np.where(walk.code == L, walk.y, -walk.y)
        distance = self.blur * problem.scale * random.uniform(1.0, 2.0, len(true))
        near = (walk.code != E) & (side * true < distance)
        # Points on the margin keep what they were moved by when they came.
        target = np.where(walk.code == E, problem.target, self.target)
        target[near] += side[near] * (distance - side * true)[near]
        return problem._replace(target=target)


def _find(problem: Problem, walk: Walk, blur: float) -> Tied:
    """The tied points, within ``blur`` of the scale."""
    far, c = walk.bound + walk.clock[NOW] * walk.bound_rate, all_coefficients(walk)
    side = np.where(walk.code == L, walk.y, -walk.y)
    near_gap = max(TIED_GAP * walk.clock[ZERO_GAP], blur * problem.scale)
    # As near to a bound as moves the point's own residual by no more than the blur.
    near = blur * problem.scale / np.maximum(np.diagonal(problem.K), np.finfo(float).tiny)
    near = walk.size * np.clip(near / walk.size, TIED_COEFFICIENT, 1e3 * TIED_COEFFICIENT)
    on, at_zero, at_far = walk.code == E, np.abs(c) <= near, np.abs(far - c) <= near
    tied = np.where(on, at_zero | at_far, side * walk.rho <= near_gap)
    both = at_zero & at_far & (walk.bound_rate != 0)
    is_far = np.where(on, at_far & ~at_zero, walk.code == L)
    point = np.flatnonzero(tied)
    return Tied(point, (is_far & ~both)[point], both[point])


def _leave_tie(
    problem: Problem, walk: Walk, tied: Tied, random: np.random.Generator
) -> tuple[CodeArray, list[int]]:
    """Sets of the tied points after the tie, and those on the margin in the order to enter."""
    free = np.setdiff1d(walk.margin[: walk.tally[MARGIN]], tied.point)
    glass = _magnify(problem, walk, tied, free, random)
    events, status = 0, -1
    limit = GLASS_EVENTS + 50 * len(glass.c)
    while status not in (DONE, TIED) and events < limit:
        tape = blank_tape(GLASS_EVENTS, len(glass.margin))
        status = run(glass, tape, False)
        events += int(tape.used[2])
        if glass.tally[MARGIN] == len(glass.margin):
            glass = more_room(glass)
    code = glass.code[len(free) :].copy()
    # Points at their far bound were mirrored: zero means that bound.
    code[(code == R) & tied.far] = L
    margin = glass.margin[: glass.tally[MARGIN]] - len(free)
    return code, [int(k) for k in margin[margin >= 0]]


def _magnify(
    problem: Problem, walk: Walk, tied: Tied, free: IntArray, random: np.random.Generator
) -> Walk:
    """The walk under the glass: free points on the margin, tied ones at the bound they are at.

    A tied point at its far bound is measured from there, and with the opposite class; as all of
    them then move with their bounds, ``pull`` counts them as points of L.
    """
    inside = walk.code == L
    inside[tied.point] = tied.far
    moving = np.where(inside, walk.bound_rate, 0.0)
    pull = problem.target_rate - (problem.K @ moving if moving.any() else moving)
    point, n = np.concatenate([free, tied.point]), len(free)
    both = np.concatenate([np.zeros(n, np.bool_), tied.both])
    mirrored = np.concatenate([np.zeros(n, np.bool_), tied.far])
    size, y = walk.size[point], np.where(mirrored, -walk.y[point], walk.y[point])
    code = np.where(both & (walk.code[point] == L), L, R).astype(np.int8)
    code[:n] = E
    local = problem._replace(
        K=np.ascontiguousarray(problem.K[np.ix_(point, point)]),
        y=y,
        target=np.zeros(len(point)),
        target_rate=pull[point],
        bound=np.where(both, 0.0, y * size),
        bound_rate=np.where(both, walk.bound_rate[point], 0.0),
        end=problem.length,
    )
    glass = begin(local, code, np.zeros(len(point)))
    glass.size[:], glass.clock[END] = size, GLASS_END * problem.length
    zeros = [ZERO_GAP, ZERO_SLOPE]
    glass.clock[zeros] = walk.clock[zeros]
    # From here on nothing has a bound but the tied points, and those at one side only.
    glass.bound[:], glass.y[:n] = np.where(both, 0.0, y * NEVER), 0.0
    gap = problem.scale * random.uniform(1.0, 2.0, len(point))
    glass.rho[:] = np.where(code == E, 0.0, np.where(code == L, y, -y) * gap)
    glass.held[:] = 0.0
    watch(glass, np.inf)
    return glass


def _regroup(walk: Walk, tied: Tied, code: CodeArray, order: list[int]) -> tuple[Walk, list[Event]]:
    """Bring the tied points into their new sets."""
    events: list[Event] = []
    wanted = dict(zip(tied.point.tolist(), code.tolist(), strict=True))
    for place in range(walk.tally[MARGIN] - 1, -1, -1):
        i = int(walk.margin[place])
        if wanted.get(i, E) != E:
            leave(walk, place, wanted[i])
            events.append((i, E, wanted[i]))
    while len(walk.margin) < min(walk.tally[MARGIN] + len(order) + 2, len(walk.c) + 1):
        walk = more_room(walk)
    across = [i for i, to in wanted.items() if to != E and walk.code[i] != to]
    for i in across + [int(tied.point[k]) for k in order]:
        if walk.code[i] != E:
            events.append((i, int(walk.code[i]), wanted[i]))
            enter(walk, int(np.flatnonzero(walk.watched[: walk.tally[WATCHED]] == i)[0]))
            if wanted[i] != E:
                leave(walk, int(np.flatnonzero(walk.margin == i)[0]), wanted[i])
    return walk, events
