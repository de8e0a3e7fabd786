"""Benchmark rows: levels inserted by the solver, against an even grid of the same certified gap."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.solvers.nested.adaptive import AdaptiveSolution, level_gaps, solve_adaptive
from nestviz.solvers.nested.decomposition import Descent
from nestviz.solvers.nested.problems import NestedProblem
from nestviz.solvers.nested.solve import MAX_ITER, TOLERANCE, solve_at
from nestviz.studies.bench.report import Row
from nestviz.studies.bench.timing import best_time

ALLOWED = 1e-3
"""The relative duality gap that both reach at every level."""
GRIDS = (11, 21, 41, 81, 161, 321, 641)
"""Even grids that are tried in turn; the first that reaches the gap is timed."""
MOST = 500
BETWEEN = "gaps are the largest between levels"
"""The note of these rows."""


def against_even_grid(
    problem: NestedProblem,
    even: NestedProblem,
    ends: tuple[float, float],
    row: tuple[str, str, str],
    repeats: int,
) -> Iterator[Row]:
    """Yield one row: inserted levels, and the smallest even grid with the same gap.

    ``even`` is the problem without weights of its levels; ``row`` has group, what and size.
    """
    first, last = ends
    begin = np.array([first, 0.5 * (first + last), last])
    insert = partial(
        solve_adaptive, problem, begin, level_tol=ALLOWED, max_levels=MOST,
        tol=TOLERANCE, max_iter=MAX_ITER,
    )  # fmt: skip
    ours, found = best_time(insert, repeats)
    assert isinstance(found, AdaptiveSolution)
    for count in GRIDS:
        levels = np.linspace(first, last, count)
        solve = partial(solve_at, even, levels, TOLERANCE, MAX_ITER)
        gap = _gap(even, levels, solve())
        if gap <= ALLOWED:
            break
    theirs, _ = best_time(solve, repeats)
    group, what, size = row
    yield Row(
        group,
        f"{what}, {len(found.levels)} levels inserted",
        size,
        f"{count} even levels" + (", same gap" if gap <= ALLOWED else ", larger gap"),
        ours,
        theirs,
        our_gap=float(found.round_gaps[-1]),
        peer_gap=gap,
        note=BETWEEN,
    )


def _gap(problem: NestedProblem, levels: FloatArray, end: Descent) -> float:
    return level_gaps(problem, levels, end.alpha, end.field).gap
