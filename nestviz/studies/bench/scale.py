"""Benchmark rows: how time grows with the number of points and of levels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from nestviz.solvers.nested.limits import lambda_oc
from nestviz.solvers.nested.solve import solve_cost_sensitive, solve_one_class
from nestviz.solvers.path.cost_sensitive import cost_path
from nestviz.solvers.path.one_class import one_class_path
from nestviz.studies.bench import many_points
from nestviz.studies.bench.report import Row
from nestviz.studies.bench.timing import best_time
from nestviz.studies.bench.training_sets import (
    N_ASYMMETRIES,
    N_LEVELS,
    one_class_levels,
    sigma_rule,
    training_set,
)

GROUP = "scale"
DIVISOR = 2
LAM = 1.0


class Plan(NamedTuple):
    """Sizes at which to measure; the level counts are measured at one number of points."""

    points: tuple[int, ...]
    path_points: tuple[int, ...]
    counts: tuple[int, ...]
    count_points: int
    repeats: int


FULL = Plan((500, 1000, 2000, 4000), (500, 1000, 2000), (5, 10, 20, 40), 1000, 5)
QUICK = Plan((200, 400, 800), (200, 400, 800), (5, 10, 20), 300, 3)


def rows(quick: bool) -> Iterator[Row]:
    """Yield exponents of the time of the solve alone, kernel matrix given; then many points."""
    plan = QUICK if quick else FULL
    for what, work in (("nested one-class SVM", _nested_one_class), ("nested cost", _nested_cost)):
        usual = N_LEVELS if work is _nested_one_class else N_ASYMMETRIES
        by_points = [_timed(work(n, usual), plan) for n in plan.points]
        yield _row(f"{what}: exponent of time in N", "N", plan.points, by_points, f"M={usual}")
        by_count = [_timed(work(plan.count_points, M), plan) for M in plan.counts]
        fixed = f"N={plan.count_points:,}"
        yield _row(f"{what}: exponent of time in M", "M", plan.counts, by_count, fixed)
    for what, path in (("one-class path", _one_class_path), ("cost path", _cost_path)):
        taken = [_timed(path(n), plan) for n in plan.path_points]
        yield _row(f"{what}: exponent of time in N", "N", plan.path_points, taken, "whole path")
    yield from many_points.rows(many_points.QUICK if quick else many_points.FULL, exponent)


def exponent(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """Return the slope of log time over log size, by least squares."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def _timed(work: Callable[[], object], plan: Plan) -> float:
    return best_time(work, plan.repeats)[0]


def _row(what: str, letter: str, sizes: Sequence[int], taken: list[float], fixed: str) -> Row:
    return Row(
        GROUP,
        what,
        f"banana ±, {letter}={sizes[0]:,}…{sizes[-1]:,}, {fixed}, {sigma_rule(DIVISOR)}",
        "none",
        taken[-1],
        value=exponent(sizes, taken),
        note=f"seconds at the largest {letter}",
    )


def _nested_one_class(n: int, M: int) -> Callable[[], object]:
    K = training_set("banana", divisor=DIVISOR, n=n).gram()
    upper = np.full(n, 1.0 / n)
    levels = one_class_levels(lambda_oc(K, upper), M)
    return lambda: solve_one_class(K, upper, levels)


def _nested_cost(n: int, M: int) -> Callable[[], object]:
    points = training_set("banana", divisor=DIVISOR, n=n)
    K, gamma = points.gram(), np.linspace(0.0, 1.0, M)
    return lambda: solve_cost_sensitive(K, points.y, np.ones(n), LAM, gamma)


def _one_class_path(n: int) -> Callable[[], object]:
    K = training_set("banana", divisor=DIVISOR, n=n).gram()
    return lambda: one_class_path(K, np.full(n, 1.0 / n))


def _cost_path(n: int) -> Callable[[], object]:
    points = training_set("banana", divisor=DIVISOR, n=n)
    K = points.gram()
    return lambda: cost_path(K, points.y, LAM)
