"""Solve the problem of :mod:`nestviz.solvers.box_sum.records` in rounds.

Each round picks a working set, the points that are free or contribute most to the gap, and works
on it with everything compact in memory: pairs to find the active bounds, Newton steps to finish.
A small problem is its own working set.
"""

from __future__ import annotations

from math import fsum
from typing import NamedTuple

import numpy as np

from nestviz.arrays import SLICE, FloatArray, IndexArray
from nestviz.compiled import njit
from nestviz.solvers.box_sum.newton import newton_step
from nestviz.solvers.box_sum.records import ROUNDING, PairCertificate, PairProblem, certify, settle
from nestviz.solvers.box_sum.smo import descend_by_pairs, distance
from nestviz.solvers.columns import Columns, field_of
from nestviz.solvers.descent import Judgement, descend
from nestviz.solvers.records import Callback

#: Problems up to this size are worked on whole.
WHOLE = 500
#: In larger ones a working set has at least this many violators of each kind, if there are.
FEWEST_VIOLATORS = 120
#: Free points in a working set at most.
LARGEST_SET = 1500
#: Beyond this many free points a factorisation costs more than the pairs it saves.
MOST_FREE = 800
#: Pairs moved before a Newton step: as many as there are free points, which costs about as much as
#: the step, and a few.
FEWEST_PAIRS = 10
#: Bursts of pairs and Newton steps within a round.
CYCLES = 40
#: A working set that is not the whole problem is left when its distance from the optimum has
#: shrunk to this part.
SHRINK = 0.05
#: Part of the accuracy asked for at which a round ends, and the factor for each round after it.
ENOUGH, STRICTER = 0.5, 0.3
#: Rounds without a lower objective after which only rounding is left to improve.
PATIENCE = 6


class PairSolution(NamedTuple):
    """Result of a solve.

    Attributes
    ----------
    c : ndarray of shape (n_points,)
        Coefficients, within their bounds; those within rounding of a bound are on it.
    field : ndarray of shape (n_points,)
        K c.
    multipliers : ndarray of shape (n_groups,)
        Multiplier of each group's sum.
    certificate : PairCertificate
        How far from the optimum c is.
    n_iter : int
        Rounds.
    converged : bool
        Whether the relative gap is within the tolerance.
    """

    c: FloatArray
    field: FloatArray
    multipliers: FloatArray
    certificate: PairCertificate
    n_iter: int
    converged: bool


class PairRounds:
    """A problem with its current coefficients c and their field F = K c."""

    #: Largest distance from the optimum at the end, whatever the tolerance on the gap.
    spread = np.inf

    def __init__(
        self, columns: Columns, problem: PairProblem, c: FloatArray, F: FloatArray, tol: float
    ) -> None:
        self.columns, self.problem, self.c, self.F, self.tol = columns, problem, c, F, tol
        self.strictness = ENOUGH

    def judge(self) -> Judgement:
        """Certify the current coefficients."""
        state, self.multipliers, self.gaps = certify(
            self.problem, self.columns.diagonal, self.c, self.F
        )
        self.certificate, self.unit = state, state.unit
        return Judgement(state.objective, state.relative_gap, state.relative_gap <= self.tol)

    def refresh(self, stopped: bool) -> None:
        """Recompute the field."""
        self.F = field_of(self.columns, self.c)

    def improve(self) -> None:
        """Lower the objective over a working set."""
        problem, c = self.problem, self.c
        points = working_set(problem, c, self.F - problem.s)
        K = self.columns.block(points)
        mass = float(np.abs(c).sum())
        # The error of the gradient that costs as much as the objective itself.
        unit = self.unit / mass if mass > 0 else float(np.abs(problem.s).max())
        enough = self.strictness * min(self.tol * unit, self.spread)
        self.strictness *= STRICTER
        if len(points) == len(c):
            refine(K, problem, c, self.F, enough, 0.0, MOST_FREE)
            return
        mine, field = c[points], self.F[points]
        refine(K, part_of(problem, points), mine, field, enough, SHRINK, MOST_FREE)
        change = mine - c[points]
        c[points] = mine
        moved = np.flatnonzero(change)
        self.F += self.columns.product_of(points[moved], change[None, moved])[0]


def solve_pairs(
    columns: Columns,
    problem: PairProblem,
    start: FloatArray,
    *,
    field: FloatArray | None = None,
    tol: float,
    max_iter: int,
    callback: Callback | None = None,
) -> PairSolution:
    """Decrease the objective from feasible coefficients until the relative gap is within ``tol``.

    ``start`` is feasible, see :func:`repaired`; ``field`` is K times ``start`` where it is known.
    """
    c = start.copy()
    settle(problem, c)
    F = field_of(columns, c) if field is None else field.copy()
    rounds = PairRounds(columns, problem, c, F, tol)
    n_iter = descend(rounds, max_iter=max_iter, patience=PATIENCE, callback=callback)
    state = rounds.certificate
    return PairSolution(c, rounds.F, rounds.multipliers, state, n_iter, state.relative_gap <= tol)


def working_set(problem: PairProblem, c: FloatArray, gradient: FloatArray) -> IndexArray:
    """Return all free points and the worst of the others, sorted; all points of a small problem.

    Each group has as many points that should rise as points that should fall: either alone could
    not move.
    """
    if len(c) <= WHOLE:
        return np.arange(len(c))
    can_rise, can_fall = c < problem.high, c > problem.low
    free = (can_rise & can_fall).nonzero()[0]
    count = max(FEWEST_VIOLATORS, len(free))
    chosen = np.zeros(len(c), dtype=np.bool_)
    chosen[free[:LARGEST_SET]] = True
    for g in range(len(problem.total)):
        mine = problem.group == g
        rising, falling = mine & can_rise, mine & can_fall
        bottom = gradient[rising].min(initial=np.inf)
        top = gradient[falling].max(initial=-np.inf)
        chosen[lowest((rising & (gradient < top)).nonzero()[0], gradient, count)] = True
        chosen[lowest((falling & (gradient > bottom)).nonzero()[0], -gradient, count)] = True
    return chosen.nonzero()[0]


def lowest(points: IndexArray, values: FloatArray, count: int) -> IndexArray:
    """Return the ``count`` points of lowest value, among equal ones the first."""
    if len(points) <= count:
        return points
    return points[np.argsort(values[points], kind="stable")[:count]]


def part_of(problem: PairProblem, points: IndexArray) -> PairProblem:
    """Restrict a problem to some of its points; the sums of the groups stay as they are."""
    s, low, high, group, total = problem
    return PairProblem(s[points], low[points], high[points], group[points], total)


def refine(
    K: FloatArray,
    problem: PairProblem,
    c: FloatArray,
    F: FloatArray,
    enough: float,
    shrink: float,
    most_free: int,
) -> None:
    """Alternate pairs and Newton steps, in place, until the distance from the optimum is small.

    Small: ``enough``, or the part ``shrink`` of the distance at the start.
    """
    if shrink > 0:
        enough = max(enough, shrink * distance(problem, c, F))
    cycle = 0
    while cycle < CYCLES:
        cycle = run_cycles(K, problem, c, F, enough, most_free, cycle)


@njit(cache=True, nogil=True)
def run_cycles(
    K: FloatArray,
    problem: PairProblem,
    c: FloatArray,
    F: FloatArray,
    enough: float,
    most_free: int,
    cycle: int,
) -> int:
    """Run cycles of `refine` for a slice of work; return the next one, `CYCLES` at the end."""
    work = 0
    while cycle < CYCLES and work < SLICE // 2:
        free = int(((c > problem.low) & (c < problem.high)).sum())
        far = descend_by_pairs(K, problem, c, F, enough, FEWEST_PAIRS + free)
        settle(problem, c)
        if far <= enough:
            return CYCLES
        newton_step(K, problem, c, F, most_free)
        settle(problem, c)
        cycle += 1
        work += 4 * (FEWEST_PAIRS + free) * len(c) + (free**3 if free <= most_free else 0)
    return cycle


def repaired(problem: PairProblem, c: FloatArray, gradient: FloatArray) -> FloatArray:
    """Return feasible coefficients near c, for a start from the solution of a similar problem.

    Coefficients are clipped to their bounds. What a group's sum then lacks is given to the points
    of lowest gradient, an excess is taken from those of highest gradient, so that few points leave
    their bounds. A lack that is only rounding is left to the point farthest from its bounds.
    """
    low, high = problem.low, problem.high
    c = np.clip(c, low, high)
    for g, total in enumerate(problem.total):
        points = np.flatnonzero(problem.group == g)
        lacking = total - float(c[points].sum())
        key = np.sign(lacking) * gradient[points]
        if abs(lacking) <= ROUNDING * abs(total):
            key = -np.minimum(c - low, high - c)[points]
        fill(problem, c, points[np.argsort(key, kind="stable")], float(total))
    return c


def fill(problem: PairProblem, c: FloatArray, order: IndexArray, total: float) -> None:
    """Raise or lower coefficients to their bounds, in this order, until they sum to ``total``.

    The one coefficient that stops between its bounds gets what the others leave of the sum, so
    that rounding does not grow with the number of points before it.
    """
    lacking = total - fsum(c[order].tolist())
    bound = (problem.high if lacking > 0 else problem.low)[order]
    reach = np.abs(bound - c[order])
    before = np.concatenate([[0.0], np.cumsum(reach)[:-1]])
    step = np.clip(abs(lacking) - before, 0.0, reach)
    c[order] = np.where(step == reach, bound, c[order] + np.sign(lacking) * step)
    for i in order[(step > 0) & (step < reach)]:
        rest = c[i] + (total - fsum(c[order].tolist()))
        c[i] = min(max(rest, problem.low[i]), problem.high[i])
