"""Benchmark rows: the nested one-class SVM, against general QP solvers and against libsvm."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.solvers.columns import StoredMatrix
from nestviz.solvers.nested.limits import lambda_oc
from nestviz.solvers.nested.problems import OneClassProblem
from nestviz.solvers.nested.solve import solve_one_class
from nestviz.solvers.records import Solution
from nestviz.studies.bench import adaptive_levels, libsvm, qp
from nestviz.studies.bench.report import Row, Target, at_most, faster
from nestviz.studies.bench.scale import exponent
from nestviz.studies.bench.timing import best_time, run_in_new_process
from nestviz.studies.bench.training_sets import (
    N_LEVELS,
    SMALLEST_LEVEL,
    Points,
    negative_class,
    one_class_levels,
    sigma_rule,
    training_set,
)

GROUP = "nested-one-class"
WHAT = "nested one-class SVM"
DIVISOR = 2
#: How often each size is solved with K not stored.
ROUNDS = 2


class Plan(NamedTuple):
    """Sizes of a run; where they are the ones that targets were set for, the targets apply."""

    qp_points: int
    qp_divisors: tuple[int, ...]
    libsvm_points: int
    unstored_points: tuple[int, ...]
    adaptive_points: int
    repeats: int
    targets: bool


FULL = Plan(400, (2, 6), 5000, (12_500, 25_000, 50_000), 1500, repeats=7, targets=True)
QUICK = Plan(150, (2,), 1000, (), 400, repeats=5, targets=False)


def rows(quick: bool) -> Iterator[Row]:
    """Yield all rows, the small problems first."""
    plan = QUICK if quick else FULL
    for divisor in plan.qp_divisors:
        yield from against_qp(plan, divisor)
    points = training_set("banana", divisor=DIVISOR, n=plan.libsvm_points)
    yield against_building(points, plan)
    yield against_libsvm(points, plan)
    for divisor in plan.qp_divisors:
        yield from against_even_levels(plan, divisor)
    if plan.unstored_points:
        yield from unstored(plan)


def solve(K: FloatArray) -> Solution:
    """Solve for the paper's 11 levels on a given kernel matrix."""
    upper = np.full(len(K), 1.0 / len(K))
    return solve_one_class(K, upper, one_class_levels(lambda_oc(K, upper)))


def against_qp(plan: Plan, divisor: int) -> Iterator[Row]:
    """Yield our solver against each general one on the same problem."""
    K = negative_class("banana", plan.qp_points, divisor=divisor).gram()
    upper = np.full(len(K), 1.0 / len(K))
    levels = one_class_levels(lambda_oc(K, upper))
    for solver in qp.OPTIONS:
        ours, solution = best_time(partial(solve_one_class, K, upper, levels), 5 * plan.repeats)
        size = f"banana −, N={len(K)}, M={N_LEVELS}, {sigma_rule(divisor)}"
        target = _target(faster(1000), plan)
        row = Row(GROUP, WHAT, size, solver, ours, our_gap=solution.duality_gap, target=target)
        yield qp.contest(row, solver, partial(qp.pose, K, upper, levels), plan.repeats)


def against_building(points: Points, plan: Plan) -> Row:
    """Time the solve alone, against one construction of its matrix."""
    building, K = best_time(points.gram, plan.repeats, at_least=3)
    ours, solution = best_time(lambda: solve(K), plan.repeats, at_least=3)
    target, gap = _target(faster(1), plan), solution.duality_gap
    what, size = f"{WHAT}, K given", _size(points)
    return Row(GROUP, what, size, "building K once", ours, building, our_gap=gap, target=target)


def against_libsvm(points: Points, plan: Plan) -> Row:
    """Time points to coefficients, against as many un-nested libsvm solves."""
    K = points.gram()
    upper = np.full(len(K), 1.0 / len(K))
    levels = one_class_levels(lambda_oc(K, upper))
    nus = libsvm.nu_of_levels(K, upper, levels).tolist()
    return libsvm.contest(
        GROUP,
        f"{WHAT}, from points",
        _size(points),
        f"{len(nus)} libsvm OneClassSVM, rbf, ν=Σα(λ_m)",
        fit=partial(libsvm.fit_one_class, points, nus),
        gap=partial(libsvm.one_class_gap, K),
        ours=lambda: solve(points.gram()),
        repeats=plan.repeats,
        target=_target(faster(10), plan),
    )


def against_even_levels(plan: Plan, divisor: int) -> Iterator[Row]:
    """Yield inserted levels against an even grid with the same gap between its levels."""
    points = training_set("banana", divisor=divisor, n=plan.adaptive_points)
    K = points.gram()
    problem = OneClassProblem(StoredMatrix(K), np.full(len(K), 1.0 / len(K)), weighted=True)
    top = lambda_oc(K, problem.upper)
    size = f"banana ±, N={len(K):,}, gap ≤ {adaptive_levels.ALLOWED:g}, {sigma_rule(divisor)}"
    yield from adaptive_levels.against_even_grid(
        problem, problem._replace(weighted=False), (top, SMALLEST_LEVEL * top),
        (GROUP, WHAT, size), plan.repeats,
    )  # fmt: skip


def unstored(plan: Plan) -> Iterator[Row]:
    """Yield peak memory and growth of time without a stored matrix, in new processes."""
    sizes = plan.unstored_points
    # Round by round, so that a busy minute does not affect one size alone.
    rounds = [[run_in_new_process("unstored", n, DIVISOR) for n in sizes] for _ in range(ROUNDS)]
    runs = [min(same, key=lambda run: run["seconds"]) for same in zip(*rounds, strict=True)]
    for n, run in zip(sizes, runs, strict=True):
        memory = np.isfinite(run["gigabytes"])
        yield Row(
            GROUP,
            f"{WHAT}, K not stored: memory",
            f"drawn banana, N={n:,}, M={N_LEVELS}, {sigma_rule(DIVISOR)}",
            "none",
            run["seconds"],
            our_gap=run["gap"],
            value=run["gigabytes"] if memory else None,
            unit="GB",
            target=_target(at_most(2.0, "GB"), plan),
            note="" if memory else "peak memory is not known on this system",
        )
    yield Row(
        GROUP,
        f"{WHAT}, K not stored: exponent in N",
        f"drawn banana, N={sizes[0]:,}…{sizes[-1]:,}",
        "none",
        runs[-1]["seconds"],
        value=exponent(sizes, [run["seconds"] for run in runs]),
        target=_target(at_most(2.0), plan),
    )


def _size(points: Points) -> str:
    return f"banana ±, N={len(points.X):,}, M={N_LEVELS}, {sigma_rule(DIVISOR)}"


def _target(target: Target, plan: Plan) -> Target | None:
    return target if plan.targets else None
