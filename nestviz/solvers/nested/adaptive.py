"""Insert levels where interpolated coefficients have the largest duality gap.

A solve at few levels, then the exact largest gap between each two neighbours
(:mod:`nestviz.solvers.nested.between`); a new level where it exceeds the tolerance, and a solve
that starts from the coefficients interpolated there, which are feasible. At the end the gap is
within the tolerance at every level, also between the levels that were solved for.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.solvers.nested.between import gaps_at, worst
from nestviz.solvers.nested.decomposition import Descent, Start
from nestviz.solvers.nested.problems import NestedProblem
from nestviz.solvers.nested.solve import as_solution, solve_at
from nestviz.solvers.records import Callback, Progress, Solution

#: A segment is divided at the sixteenth nearest to its largest gap, so that rounding does not
#: decide, and at least this many sixteenths away from its ends.
SIXTEENTHS, FEWEST = 16, 2
#: Tolerance of solves before the last, as a part of the gap that is allowed between levels; at
#: most so many times the last one, so that a strict tolerance also makes a strict choice of levels.
ROUGH, ROUGHEST = 0.1, 1e3
#: Where more than this part of a gap is there at an end of its segment, the gap is that of a rough
#: solve, which another level would not close: the next solve is finer, by the second number.
ROUGH_ENDS, FINER = 0.5, 0.1
#: Neighbouring levels as near as this part of the larger one get none in between.
NARROW = 1e-9
#: Coefficients as near as this part to a bound are at the bound.
ROUNDING = 8.0 * np.finfo(np.float64).eps


class LevelCertificate(NamedTuple):
    """The largest relative duality gap between each two neighbouring levels.

    Attributes
    ----------
    levels : ndarray of shape (n_levels,)
        The levels that were solved for.
    gaps : ndarray of shape (n_levels - 1,)
        The largest gap of interpolated coefficients between each of them and the next.
    worst_levels : ndarray of shape (n_levels - 1,)
        The levels at which these gaps are.
    """

    levels: FloatArray
    gaps: FloatArray
    worst_levels: FloatArray

    @property
    def gap(self) -> float:
        """The largest gap: no level between the first and the last one has more."""
        return float(self.gaps.max(initial=0.0))

    @property
    def worst_level(self) -> float:
        """The level with the largest gap."""
        return float(self.worst_levels[self.gaps.argmax()] if self.gaps.size else self.levels[0])


class AdaptiveSolution(NamedTuple):
    """A solution at levels that were inserted.

    Attributes
    ----------
    levels : ndarray of shape (n_levels,)
        The levels, in the order of the paper's index m.
    solution : Solution
        Coefficients at these levels, with their certificate.
    rounds : ndarray of int of shape (n_levels,)
        The round in which each level was inserted, 0 for the first ones.
    round_gaps : ndarray of shape (n_rounds + 1,)
        The largest gap between levels before each round, and at the end.
    """

    levels: FloatArray
    solution: Solution
    rounds: IndexArray
    round_gaps: FloatArray


def level_gaps(
    problem: NestedProblem,
    levels: FloatArray,
    alpha: FloatArray,
    field: FloatArray,
    *,
    nested: bool = True,
) -> LevelCertificate:
    """Return the largest gaps between levels of coefficients α with the field F = b K."""
    gaps, where = np.zeros(len(levels) - 1), np.zeros(len(levels) - 1)
    reference = problem.reference(levels, alpha, field)
    for m in range(len(levels) - 1):
        ends = slice(m, m + 2)
        segment = problem.segment(levels[ends], alpha[ends], field[ends], reference, nested=nested)
        found = worst(segment)
        gaps[m] = found.gap
        where[m] = (1.0 - found.t) * levels[m] + found.t * levels[m + 1]
    return LevelCertificate(levels, gaps, where)


def gap_curve(
    problem: NestedProblem,
    levels: FloatArray,
    alpha: FloatArray,
    at: FloatArray,
    *,
    nested: bool = True,
) -> FloatArray:
    """Return the relative gap of interpolated coefficients at levels between the first and last."""
    field = problem.columns.product(problem.variables(alpha, levels))
    reference = problem.reference(levels, alpha, field)
    order = np.sign(levels[-1] - levels[0])
    before = np.clip(np.searchsorted(order * levels, order * at) - 1, 0, len(levels) - 2)
    found = np.empty(len(at))
    for m in np.unique(before):
        mine, ends = before == m, slice(m, m + 2)
        t = (at[mine] - levels[m]) / (levels[m + 1] - levels[m])
        segment = problem.segment(levels[ends], alpha[ends], field[ends], reference, nested=nested)
        found[mine] = gaps_at(segment, t)
    return found


def solve_adaptive(
    problem: NestedProblem,
    levels: FloatArray,
    *,
    level_tol: float,
    max_levels: int,
    tol: float,
    max_iter: int,
    callback: Callback | None = None,
) -> AdaptiveSolution:
    """Solve at the first ``levels``, and insert others until the gap between them is small enough.

    Parameters
    ----------
    problem : NestedProblem
        The problem without its levels.
    levels : ndarray of shape (n_levels,)
        The first levels, in the order of the paper's index m; the ends of all levels.
    level_tol : float
        Largest relative gap at any level between the first and the last one.
    max_levels : int
        Largest number of levels.
    tol, max_iter : float, int
        As for :func:`nestviz.solvers.nested.solve.solve_one_class`.
    callback : callable, optional
        Called before each round of each solve; return True to stop.

    Returns
    -------
    AdaptiveSolution
    """
    watch = _Watch(callback)
    rounds, history = np.zeros(len(levels), dtype=np.int64), []
    start, efforts, step = None, _efforts(tol, level_tol), 0
    while True:
        rough, effort = step < len(efforts) - 1, efforts[step]
        end = solve_at(
            problem, levels, effort.tol, max_iter, watch, polished=effort.polished, start=start
        )
        watch.done += end.n_iter
        found = level_gaps(problem, levels, end.alpha, end.field)
        if rough and not watch.stopped and _is_rough(problem, found, end, level_tol):
            step, start = step + 1, Start(problem.variables(end.alpha, levels), end.field)
            continue
        split = _too_wide(found, level_tol, max_levels)
        if watch.stopped or not (rough or len(split)):
            history.append(found.gap)
            solution = as_solution(end._replace(n_iter=watch.done), tol)
            return AdaptiveSolution(levels, solution, rounds, np.array(history))
        if len(split):
            history.append(found.gap)
            rounds = np.insert(rounds, split + 1, len(history))
        else:
            step = len(efforts) - 1
        levels, start = _inserted(problem, found, end, split)


class _Effort(NamedTuple):
    """How precise a solve is."""

    tol: float
    polished: bool


def _efforts(tol: float, level_tol: float) -> list[_Effort]:
    """Return the efforts of solves, from the first to that of the solution."""
    rough, efforts = max(tol, min(ROUGH * level_tol, ROUGHEST * tol)), []
    while rough > tol:
        efforts.append(_Effort(rough, False))
        rough = max(tol, FINER * rough)
    return [*efforts, _Effort(tol, False), _Effort(tol, True)]


def _is_rough(
    problem: NestedProblem, found: LevelCertificate, end: Descent, level_tol: float
) -> bool:
    """Return whether a gap that is too large is mostly that of the solve, which levels leave."""
    alpha, F = end.alpha, end.field
    reference, ends = problem.reference(found.levels, alpha, F), np.array([0.0, 1.0])
    for m in np.flatnonzero(found.gaps > level_tol):
        pair = slice(m, m + 2)
        segment = problem.segment(found.levels[pair], alpha[pair], F[pair], reference)
        if gaps_at(segment, ends).max() > max(ROUGH_ENDS * found.gaps[m], level_tol):
            return True
    return False


def _too_wide(found: LevelCertificate, level_tol: float, max_levels: int) -> IndexArray:
    """Return the segments that get a level: the worst ones, in order."""
    levels = found.levels
    # Levels that are nearer than rounding allows get no other one in between.
    wide = np.abs(np.diff(levels)) > NARROW * np.maximum(np.abs(levels[1:]), np.abs(levels[:-1]))
    split = np.flatnonzero(wide & (found.gaps > level_tol))
    worst_first = np.argsort(-found.gaps[split], kind="stable")
    return np.sort(split[worst_first[: max(max_levels - len(levels), 0)]])


def _inserted(
    problem: NestedProblem, found: LevelCertificate, end: Descent, split: IndexArray
) -> tuple[FloatArray, Start]:
    """Return the levels with new ones, and interpolated coefficients with their field."""
    levels = found.levels
    b, F = problem.variables(end.alpha, levels), end.field
    before, after = levels[split], levels[split + 1]
    t = np.rint(SIXTEENTHS * (found.worst_levels[split] - before) / (after - before))
    t = np.clip(t, FEWEST, SIXTEENTHS - FEWEST) / SIXTEENTHS
    new = (1.0 - t) * before + t * after
    one, other = problem.mixing(before, after, new)
    whole = np.insert(levels, split + 1, new)
    # Mixed coefficients that are equal would differ by rounding, and no longer be one block.
    equal = b[split] == b[split + 1]
    mixed = np.where(equal, b[split], one * b[split] + other * b[split + 1])
    b = np.insert(b, split + 1, mixed, axis=0)
    F = np.insert(F, split + 1, one * F[split] + other * F[split + 1], axis=0)
    h = problem.chains(whole).h
    b = np.where(np.abs(b) >= h * (1.0 - ROUNDING), np.copysign(h, b), b)
    return whole, Start(b, F)


class _Watch:
    """Counts the rounds of several solves as one, and remembers whether to stop."""

    def __init__(self, callback: Callback | None) -> None:
        self.callback, self.done, self.stopped = callback, 0, False

    def __call__(self, progress: Progress) -> bool:
        if self.callback is not None and not self.stopped:
            self.stopped = bool(self.callback(progress._replace(done=self.done + progress.done)))
        return self.stopped
