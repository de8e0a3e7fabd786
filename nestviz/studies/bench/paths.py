"""Benchmark rows: whole solution paths, against one libsvm solve.

Both sides go from points to coefficients. libsvm is called with scikit-learn's default ``tol``;
where that leaves a gap above 1e-6, a second row has libsvm as accurate as the nested solvers. "Our
gap" is the largest KKT residual of the path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from nestviz.solvers.path.cost_sensitive import cost_path
from nestviz.solvers.path.one_class import one_class_path
from nestviz.solvers.path.records import PathSolution
from nestviz.studies.bench import libsvm
from nestviz.studies.bench.report import Row, Target, slower_by_at_most
from nestviz.studies.bench.timing import best_time
from nestviz.studies.bench.training_sets import negative_class, sigma_rule, training_set

GROUP = "paths"
SETS: tuple[str, ...] = ("banana", "twonorm", "ringnorm")
SIZES: tuple[int, ...] = (400, 1000, 2000)
QUICK_SIZES: tuple[int, ...] = (400,)
#: λ of the cost path: libsvm's own default, C = 1.
LAM = 1.0
NU = 0.5


class Contest(NamedTuple):
    """A path, the single solve it is compared with, and the gap that the solve leaves."""

    what: str
    peer: str
    size: str
    follow: Callable[[], PathSolution]
    solve: Callable[[float], list[Any]]
    gap: Callable[[list[Any]], float]
    target: Target


def rows(quick: bool) -> Iterator[Row]:
    """Yield one-class paths, then cost paths, by set, size and width."""
    for contest in _contests(QUICK_SIZES if quick else SIZES):
        yield from _measured(contest, repeats=3 if quick else 7)


def _measured(contest: Contest, repeats: int) -> Iterator[Row]:
    """Yield the path against libsvm's default, and against libsvm at a gap of 1e-6."""
    ours, path = best_time(contest.follow, repeats)
    row = partial(
        Row,
        GROUP,
        contest.what,
        contest.size,
        ours_seconds=ours,
        our_gap=float(path.residuals.max()),
        note=f"{len(path.breakpoints):,} breakpoints",
    )
    accurate = libsvm.calibrate(lambda tol: contest.gap(contest.solve(tol))).tol
    attempts: list[tuple[float, Target | None]] = [(libsvm.DEFAULT_TOL, contest.target)]
    if accurate < libsvm.DEFAULT_TOL:
        attempts.append((accurate, None))
    for tol, target in attempts:
        theirs, models = best_time(partial(contest.solve, tol), repeats)
        yield row(
            peer=f"{contest.peer}, tol {tol:.0e}",
            peer_seconds=theirs,
            peer_gap=contest.gap(models),
            target=target,
        )


def _contests(sizes: tuple[int, ...]) -> Iterator[Contest]:
    for make, limits in ((_one_class, {2: 3.0, 6: 25.0}), (_cost, {2: 5.0, 6: 40.0})):
        for name in SETS:
            for n in sizes:
                for divisor, limit in limits.items():
                    yield make(name, n, divisor, slower_by_at_most(limit))


def _one_class(name: str, n: int, divisor: int, target: Target) -> Contest:
    points = negative_class(name, n, divisor=divisor)
    K = points.gram()
    upper = np.full(n, 1.0 / n)
    return Contest(
        "whole one-class path",
        f"libsvm OneClassSVM, rbf, ν={NU:g}",
        f"{name} −, N={n:,}, {sigma_rule(divisor)}",
        lambda: one_class_path(points.gram(), upper),
        lambda tol: libsvm.fit_one_class(points, [NU], tol),
        lambda models: libsvm.one_class_gap(K, models),
        target,
    )


def _cost(name: str, n: int, divisor: int, target: Target) -> Contest:
    points = training_set(name, divisor=divisor, n=n)
    K = points.gram()
    return Contest(
        "whole cost path",
        "libsvm SVC, rbf, C=1, with offset",
        f"{name} ±, N={n:,}, {sigma_rule(divisor)}, λ={LAM:g}",
        lambda: cost_path(points.gram(), points.y, LAM),
        lambda tol: libsvm.fit_costs(points, LAM, [0.5], tol),
        lambda models: libsvm.costs_gap(K, points.y, models),
        target,
    )
