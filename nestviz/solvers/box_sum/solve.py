"""The loop behind the SVMs with an offset: pairs to find the face, Newton steps to finish on it.

Each round picks a working set, the points that are free or contribute most to the gap, and works
on it with everything compact in memory. A problem that is small enough is its own working set.
Before a solve may end the field is computed afresh from the coefficients, so that accumulated
rounding cannot decide.
"""

from __future__ import annotations

from math import fsum
from typing import NamedTuple

import numpy as np
from numba import njit

from nestviz.arrays import FloatArray, IndexArray
from nestviz.solvers.box_sum.newton import face_step
from nestviz.solvers.box_sum.records import PairCertificate, PairProblem, certify, settle
from nestviz.solvers.box_sum.smo import descend_by_pairs
from nestviz.solvers.columns import Columns
from nestviz.solvers.records import Callback, Progress

#: Problems up to this size are worked on whole.
WHOLE = 1500
FEWEST_VIOLATORS = 200
LARGEST_SET = 2000
#: Pairs moved before a Newton step is tried: as many as there are free points, which costs about
#: as much as the step, and a few.
FEWEST_PAIRS = 10
#: Bursts and Newton steps within a round.
CYCLES = 40
#: Part of the accuracy asked for at which a round ends.
ENOUGH = 0.5
#: Rounds without half the gap after which rounding is all that is left to improve.
PATIENCE = 6
#: A round that ended too early by its own measure is followed by one that is so much stricter.
STRICTER = 0.3


class PairSolution(NamedTuple):
    """Where a descent ended.

    Attributes
    ----------
    c : array (N,)
        Coefficients, within their bounds; those within rounding of a bound are on it.
    field : array (N,)
        K c.
    multipliers : array (G,)
        Multiplier of each group's sum.
    certificate : PairCertificate
        How far from the optimum c is.
    n_iter : int
        Rounds.
    converged : bool
        Whether the relative gap is within the tolerance and the violation within its square root.
    """

    c: FloatArray
    field: FloatArray
    multipliers: FloatArray
    certificate: PairCertificate
    n_iter: int
    converged: bool


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

    Parameters
    ----------
    columns : Columns
        The kernel matrix.
    problem : PairProblem
        Bounds, groups and sums.
    start : array (N,)
        Feasible coefficients, see :func:`repaired`.
    field : array (N,), optional
        K times ``start``, where it is known.
    tol : float
        Relative gap to reach.
    max_iter : int
        Most rounds.
    callback : callable, optional
        Called with a :class:`~nestviz.solvers.records.Progress` between rounds; return True to
        stop with what has been reached.
    """
    c, iteration, idle, least, strictness = start.copy(), 0, 0, np.inf, ENOUGH
    settle(problem, c)
    F = columns.product(c[None])[0] if field is None else field.copy()
    while True:
        state, mu, gaps = certify(problem, columns.diagonal, c, F)
        stop = idle >= PATIENCE or iteration >= max_iter
        if callback is not None:
            stop |= bool(callback(Progress(iteration, state.objective, state.relative_gap)))
        if stop or state.relative_gap <= tol:
            F = columns.product(c[None])[0]
            state, mu, gaps = certify(problem, columns.diagonal, c, F)
            if stop or state.relative_gap <= tol:
                return PairSolution(c, F, mu, state, iteration, state.relative_gap <= tol)
        least, idle = (state.gap, 0) if state.gap < 0.5 * least else (least, idle + 1)
        points = working_set(problem, c, gaps)
        improve(
            columns, problem, c, F, points, strictness * tol * _gradient_unit(problem, c, state)
        )
        iteration, strictness = iteration + 1, strictness * STRICTER


def _gradient_unit(problem: PairProblem, c: FloatArray, state: PairCertificate) -> float:
    """The error of the gradient that costs as much as the objective itself."""
    mass = float(np.abs(c).sum())
    return state.unit / mass if mass > 0 else float(np.abs(problem.s).max())


def working_set(problem: PairProblem, c: FloatArray, gaps: FloatArray) -> IndexArray:
    """All free points and the worst of the others, in order; of a small problem every point."""
    if len(c) <= WHOLE:
        return np.arange(len(c))
    free = np.flatnonzero((c > problem.low) & (c < problem.high))
    count = max(FEWEST_VIOLATORS, len(free))
    worst = np.argsort(-gaps, kind="stable")[:count]
    points = np.union1d(free, worst[gaps[worst] > 0])
    if len(points) > LARGEST_SET:
        points = np.sort(points[np.argsort(-gaps[points], kind="stable")[:LARGEST_SET]])
    return points


def improve(
    columns: Columns,
    problem: PairProblem,
    c: FloatArray,
    F: FloatArray,
    points: IndexArray,
    enough: float,
) -> None:
    """Decrease the objective over ``points`` alone, in place."""
    K = columns.block(points)
    if len(points) == len(c):
        refine(K, problem, c, F, enough)
        return
    part = PairProblem(
        problem.s[points], problem.low[points], problem.high[points], problem.group[points],
        problem.total,
    )  # fmt: skip
    mine, field = c[points], F[points]
    refine(K, part, mine, field, enough)
    change = mine - c[points]
    c[points] = mine
    moved = np.flatnonzero(change)
    F += columns.product_of(points[moved], change[None, moved])[0]


@njit(cache=True, nogil=True)
def refine(
    K: FloatArray, problem: PairProblem, c: FloatArray, F: FloatArray, enough: float
) -> None:
    """Pairs until the gradient is within ``enough``, Newton steps where they crawl; in place."""
    for _ in range(CYCLES):
        most = FEWEST_PAIRS + int(((c > problem.low) & (c < problem.high)).sum())
        far = descend_by_pairs(K, problem, c, F, enough, most)
        settle(problem, c)
        if far <= enough:
            return
        face_step(K, problem, c, F)
        settle(problem, c)


def repaired(problem: PairProblem, c: FloatArray, gradient: FloatArray) -> FloatArray:
    """Feasible coefficients near c, for a start from the solution of a similar problem.

    Coefficients are cut to their bounds. What a group's sum then lacks is given to the points whose
    gradient asks for it most, and what it has too much is taken from those that want it least, so
    that few points leave their bounds. The one point that is filled in part is what the others
    leave of the sum, so that rounding does not grow with the number of points before it.
    """
    c = np.clip(c, problem.low, problem.high)
    for g, total in enumerate(problem.total):
        points = np.flatnonzero(problem.group == g)
        lacking = total - c[points].sum()
        order = points[np.argsort(np.sign(lacking) * gradient[points], kind="stable")]
        room = problem.high[order] - c[order] if lacking > 0 else c[order] - problem.low[order]
        before = np.concatenate([[0.0], np.cumsum(room)[:-1]])
        step = np.clip(abs(lacking) - before, 0.0, room)
        bound = problem.high[order] if lacking > 0 else problem.low[order]
        c[order] = np.where(step == room, bound, c[order] + np.sign(lacking) * step)
        for i in order[(step > 0) & (step < room)]:
            rest = c[i] + (total - fsum(c[points]))
            c[i] = min(max(rest, problem.low[i]), problem.high[i])
    return c
