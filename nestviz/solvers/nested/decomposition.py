"""The loop behind every nested and every single solve.

Each round picks a working set, the points that are still free or contribute most to the error, and
improves their coefficients with everything compact in memory: sweeps of coordinate descent
(:mod:`nestviz.solvers.nested.coordinate_descent`) to find the right face of the feasible set,
Newton steps on it (:mod:`nestviz.solvers.nested.newton`) where sweeps alone would crawl. The rows
of K at the points that moved then bring the field of all points up to date. A small problem is its
own working set: copying parts of it would cost more than it saves, since a sweep leaves out the
points that are done anyway.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.solvers.columns import Columns
from nestviz.solvers.nested.certificate import Certificate, summarise
from nestviz.solvers.nested.coarse_start import SMALL, begin_with_sweep, coarsen, share_out
from nestviz.solvers.nested.convergence import Units, errors, units, within
from nestviz.solvers.nested.coordinate_descent import sweep_until
from nestviz.solvers.nested.gap import point_gaps
from nestviz.solvers.nested.kkt import violations
from nestviz.solvers.nested.newton import face_step, free_blocks
from nestviz.solvers.nested.polish import polish
from nestviz.solvers.records import Callback, Chains, Progress

#: Sweeps after which it is time to ask whether they still get on.
SWEEPS = 4
#: They crawl when that many leave more than this part of the errors.
CRAWL = 0.5
#: Times this is asked, and if they crawl a Newton step taken, within a working set.
CYCLES = 20
#: A working set is left when its errors have shrunk to this part.
SHRINK = 0.05
#: Or to this part of what the whole solve may leave.
ENOUGH = 0.3
#: Problems up to this size are worked on whole.
WHOLE = 500
#: In larger ones a point that is not free has to have at least this part of the average error.
NEGLIGIBLE = 0.03
FEWEST_VIOLATORS = 100
LARGEST_SET = 2000
#: Rounds without a lower objective after which rounding is all that is left to improve.
PATIENCE = 20
#: A start from a smaller problem is only a start.
COARSE_TOLERANCE = 1e-3


class Descent(NamedTuple):
    """Where a descent ended: exactly feasible α (M, N), its certificate, and the rounds."""

    alpha: FloatArray
    certificate: Certificate
    n_iter: int


#: From feasible b to exactly feasible α, and the b that belongs to it.
Settle = Callable[[FloatArray], tuple[FloatArray, FloatArray]]


def descend(
    columns: Columns,
    chains: Chains,
    settle: Settle,
    *,
    tol: float,
    max_iter: int,
    callback: Callback | None = None,
    polished: bool = True,
) -> Descent:
    """Decrease the objective until the convergence errors are within ``tol``.

    Then, if ``polished``, meet the optimality conditions up to rounding, unless the callback asked
    to stop. Before it may end, the coefficients are settled and their field is computed afresh, so
    that neither rounding of α nor that accumulated in the field can decide.
    """
    b, F = starting_point(columns, chains)
    alpha, iteration, stop = None, 0, False
    lowest, idle = np.inf, 0
    while True:
        gaps, violation = point_gaps(chains, b, F), violations(chains, b, F)
        state = summarise(chains, b, F, gaps, violation)
        if alpha is None and callback is not None:
            stop = callback(Progress(iteration, state.objective, state.duality_gap))
        lowest, idle = (state.objective, 0) if state.objective < lowest else (lowest, idle + 1)
        if stop or within(state, tol) or iteration >= max_iter or idle >= PATIENCE:
            if alpha is not None:
                return Descent(alpha, state, iteration)
            if polished and not stop:
                polish(columns, chains, b, F)
            alpha, b = settle(b)
            F = columns.product(b)
            continue
        unit = units(chains, state.objective, tol)
        points = working_set(chains, b, gaps / unit.gap + violation / unit.violation)
        improve(columns, chains, b, F, points, unit)
        alpha, iteration = None, iteration + 1


def starting_point(columns: Columns, chains: Chains) -> tuple[FloatArray, FloatArray]:
    """Feasible coefficients to begin with, and their field."""
    if len(chains.s) <= SMALL:
        return begin_with_sweep(columns, chains)
    matrix, coarse, nearest = coarsen(columns, chains)
    end = descend(
        matrix, coarse, lambda b: (b, b), tol=COARSE_TOLERANCE, max_iter=100, polished=False
    )
    b = share_out(chains, coarse, end.alpha, nearest)
    return b, columns.product(b)


def working_set(chains: Chains, b: FloatArray, error: FloatArray) -> IndexArray:
    """All free points and the worst of the others, in order; of a small problem every point."""
    if len(error) <= WHOLE:
        return np.arange(len(error))
    free = np.zeros(len(error), dtype=bool)
    free[free_blocks(chains, b).point] = True
    count = max(FEWEST_VIOLATORS, 2 * int(free.sum()))
    rest = np.flatnonzero(~free & (error > NEGLIGIBLE * error.mean()))
    worst = rest[np.argsort(-error[rest], kind="stable")[:count]]
    points = np.concatenate([np.flatnonzero(free), worst])
    if len(points) > LARGEST_SET:
        points = points[np.argsort(-error[points], kind="stable")[:LARGEST_SET]]
    return np.sort(points)


def improve(
    columns: Columns,
    chains: Chains,
    b: FloatArray,
    F: FloatArray,
    points: IndexArray,
    unit: Units,
) -> None:
    """Decrease the objective over ``points`` alone, in place."""
    K = columns.block(points)
    if len(points) == len(chains.s):
        refine(K, chains, b, F, unit)
        return
    part = Chains(chains.q, chains.s[points], np.ascontiguousarray(chains.h[:, points]))
    mine = np.ascontiguousarray(b[:, points])
    field = np.ascontiguousarray(F[:, points])
    refine(K, part, mine, field, unit)
    change = mine - b[:, points]
    b[:, points] = mine
    moved = np.flatnonzero(change.any(axis=0))
    F += columns.product_of(points[moved], np.ascontiguousarray(change[:, moved]))


def refine(K: FloatArray, chains: Chains, b: FloatArray, F: FloatArray, unit: Units) -> None:
    """Sweeps, and Newton steps where they crawl, in place.

    Ends when the errors are a small part of what they were, or small enough.
    """
    left = float(errors(chains, b, F, unit).sum())
    target = max(SHRINK * left, ENOUGH)
    for _ in range(CYCLES):
        before, left = left, sweep_until(K, chains, b, F, unit, target, SWEEPS)
        if left <= target:
            break
        if left > CRAWL * before:
            face_step(K, chains, b, F)
