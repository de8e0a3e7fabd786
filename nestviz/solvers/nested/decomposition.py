"""The loop behind every nested and every single solve.

Each round picks a working set, the points that are still free or contribute most to the error, and
improves their coefficients with everything compact in memory: sweeps of coordinate descent
(:mod:`nestviz.solvers.nested.coordinate_descent`) to find the active constraints, Newton steps
(:mod:`nestviz.solvers.nested.newton`) where sweeps are slow. The rows of K at the points that moved
then update the field of all points. A small problem is its own working set.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.solvers.columns import Columns
from nestviz.solvers.descent import Judgement, descend
from nestviz.solvers.nested.certificate import Certificate, summarise
from nestviz.solvers.nested.coarse_start import SMALL, begin_with_sweep, coarsen, share_out
from nestviz.solvers.nested.convergence import Units, errors, units, within
from nestviz.solvers.nested.coordinate_descent import sweep, sweep_until
from nestviz.solvers.nested.gap import point_gaps
from nestviz.solvers.nested.kkt import violations
from nestviz.solvers.nested.newton import face_step, free_blocks
from nestviz.solvers.nested.polish import polish
from nestviz.solvers.records import Callback, Chains

#: If this many sweeps leave more than this part of the errors, a Newton step is taken.
SWEEPS, SLOW = 4, 0.5
#: Most repetitions of that within a working set.
CYCLES = 20
#: A working set is left when its errors have shrunk to this part, or to this part of what the
#: whole solve may leave.
SHRINK, ENOUGH = 0.05, 0.3
#: Problems up to this size are worked on whole.
WHOLE = 500
#: In larger ones a point that is not free has to have at least this part of the average error.
NEGLIGIBLE = 0.03
FEWEST_VIOLATORS = 100
#: Twice as many of them are chosen after a round that leaves more than SLOW of the errors, up to:
MOST_VIOLATORS = 800
LARGEST_SET = 2000
#: Rounds without a lower objective after which only rounding is left to improve.
PATIENCE = 20
#: Tolerance of the smaller problem that a large one starts from.
COARSE_TOLERANCE = 1e-3


class Descent(NamedTuple):
    """Result of a solve: exactly feasible α (M, N), its certificate, the rounds, and its field."""

    alpha: FloatArray
    certificate: Certificate
    n_iter: int
    field: FloatArray


class Start(NamedTuple):
    """Feasible coefficients b (M, N) to start from, and their field F = b K; both are changed."""

    b: FloatArray
    F: FloatArray


#: From feasible b to exactly feasible α, and the b that belongs to it.
Settle = Callable[[FloatArray], tuple[FloatArray, FloatArray]]


class NestedRounds:
    """A problem with its current coefficients b and their field F = b K."""

    alpha: FloatArray
    certificate: Certificate

    def __init__(
        self,
        columns: Columns,
        chains: Chains,
        settle: Settle,
        tol: float,
        polished: bool,
        start: Start | None,
    ) -> None:
        self.columns, self.chains, self.settle = columns, chains, settle
        self.tol, self.polished = tol, polished
        self.violators, self.left = FEWEST_VIOLATORS, np.inf
        self.b, self.F = (
            resumed(columns, chains, start) if start else starting_point(columns, chains)
        )

    def judge(self) -> Judgement:
        """Certify the current coefficients."""
        chains, b, F = self.chains, self.b, self.F
        self.gaps, self.violation = point_gaps(chains, b, F), violations(chains, b, F)
        state = self.certificate = summarise(chains, b, F, self.gaps, self.violation)
        return Judgement(state.objective, state.duality_gap, within(state, self.tol))

    def refresh(self, stopped: bool) -> None:
        """Polish, make the coefficients exactly feasible and recompute the field."""
        if self.polished and not stopped:
            polish(self.columns, self.chains, self.b, self.F)
        self.alpha, self.b = self.settle(self.b)
        self.F = self.columns.product(self.b)

    def improve(self) -> None:
        """Lower the objective over a working set."""
        chains, b, F = self.chains, self.b, self.F
        unit = units(chains, self.certificate.objective, self.tol)
        error = self.gaps / unit.gap + self.violation / unit.violation
        points = working_set(chains, b, error, self.violators_for(float(error.sum())))
        K = self.columns.block(points)
        if len(points) == len(chains.s):
            refine(K, chains, b, F, unit)
            return
        part = Chains(chains.q, chains.s[points], np.ascontiguousarray(chains.h[:, points]))
        mine = np.ascontiguousarray(b[:, points])
        refine(K, part, mine, np.ascontiguousarray(F[:, points]), unit)
        change = mine - b[:, points]
        b[:, points] = mine
        moved = np.flatnonzero(change.any(axis=0))
        F += self.columns.product_of(points[moved], np.ascontiguousarray(change[:, moved]))

    def violators_for(self, left: float) -> int:
        """Return how many violators to choose at least: more if the last round was slow.

        Where K has low rank the fields of many points move together: corrected at a few of them,
        they are off at their neighbours in the next round.
        """
        before, self.left = self.left, left
        if left > SLOW * before:
            self.violators = max(self.violators, min(2 * self.violators, MOST_VIOLATORS))
        return self.violators


def solve_chains(
    columns: Columns,
    chains: Chains,
    settle: Settle,
    *,
    tol: float,
    max_iter: int,
    callback: Callback | None = None,
    polished: bool = True,
    start: Start | None = None,
) -> Descent:
    """Decrease the objective until the convergence errors are within ``tol``.

    Then, if ``polished``, meet the optimality conditions up to rounding, unless the callback asked
    to stop.
    """
    rounds = NestedRounds(columns, chains, settle, tol, polished, start)
    n_iter = descend(rounds, max_iter=max_iter, patience=PATIENCE, callback=callback)
    return Descent(rounds.alpha, rounds.certificate, n_iter, rounds.F)


def starting_point(columns: Columns, chains: Chains) -> tuple[FloatArray, FloatArray]:
    """Return feasible coefficients to start from, and their field."""
    if len(chains.s) <= SMALL:
        return begin_with_sweep(columns, chains)
    matrix, coarse, nearest = coarsen(columns, chains)
    end = solve_chains(
        matrix, coarse, lambda b: (b, b), tol=COARSE_TOLERANCE, max_iter=100, polished=False
    )
    b = share_out(chains, coarse, end.alpha, nearest)
    return b, columns.product(b)


def resumed(columns: Columns, chains: Chains, start: Start) -> Start:
    """Return the start after a sweep over all points, if these are not many.

    Interpolated coefficients are free at levels where those of a solution are pooled or at a bound.
    Later sweeps leave out points with small errors, which would stay so and burden Newton steps.
    """
    if len(chains.s) <= SMALL:
        sweep(columns.block(np.arange(len(chains.s))), chains, start.b, start.F)
    return start


def working_set(chains: Chains, b: FloatArray, error: FloatArray, fewest: int) -> IndexArray:
    """Return all free points and the worst of the others, sorted; all points of a small problem.

    The others are twice as many as the free points, at least ``fewest``, if so many are off.
    """
    if len(error) <= WHOLE:
        return np.arange(len(error))
    free = np.zeros(len(error), dtype=bool)
    free[free_blocks(chains, b).point] = True
    count = max(fewest, 2 * int(free.sum()))
    rest = np.flatnonzero(~free & (error > NEGLIGIBLE * error.mean()))
    worst = rest[np.argsort(-error[rest], kind="stable")[:count]]
    points = np.concatenate([np.flatnonzero(free), worst])
    if len(points) > LARGEST_SET:
        points = points[np.argsort(-error[points], kind="stable")[:LARGEST_SET]]
    return np.sort(points)


def refine(K: FloatArray, chains: Chains, b: FloatArray, F: FloatArray, unit: Units) -> None:
    """Sweep, with Newton steps where that is slow, in place, until the errors are small enough."""
    left = float(errors(chains, b, F, unit).sum())
    target = max(SHRINK * left, ENOUGH)
    for _ in range(CYCLES):
        before, left = left, sweep_until(K, chains, b, F, unit, target, SWEEPS)
        if left <= target:
            break
        if left > SLOW * before:
            face_step(K, chains, b, F)
