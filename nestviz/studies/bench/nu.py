"""Benchmark rows: the ν one-class SVM and the soft ball, against libsvm and a general QP solver."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.estimators.nu_problem import columns_on_demand
from nestviz.solvers.box_sum.nu_certificate import nu_certificate
from nestviz.solvers.box_sum.nu_one_class import NuSolution, feasible, solve_nu_one_class
from nestviz.studies.bench import libsvm, qp
from nestviz.studies.bench.report import Row, Target, faster
from nestviz.studies.bench.timing import best_time
from nestviz.studies.bench.training_sets import Points, sigma_rule, training_set

GROUP = "nu"
WHAT = "ν one-class SVM"


class Plan(NamedTuple):
    """Sizes of a run; where they are the ones that targets were set for, the targets apply."""

    sizes: tuple[int, ...]
    divisors: tuple[int, ...]
    nus: tuple[float, ...]
    qp_points: int
    repeats: int
    targets: bool


FULL = Plan((1000, 5000), (2, 6), (0.05, 0.2, 0.5), 400, repeats=5, targets=True)
QUICK = Plan((600,), (2,), (0.05, 0.5), 150, repeats=3, targets=False)


def rows(quick: bool) -> Iterator[Row]:
    """Yield all rows, the general solver first."""
    plan = QUICK if quick else FULL
    for ball in (False, True):
        yield against_qp(plan, ball)
    for n in plan.sizes:
        for divisor in plan.divisors:
            points = training_set("banana", divisor=divisor, n=n)
            for nu in plan.nus:
                yield against_libsvm(points, nu, divisor, plan)


def against_qp(plan: Plan, ball: bool) -> Row:
    """Time our solver against a general one on the same dual."""
    points = training_set("banana", divisor=2, n=plan.qp_points)
    K, nu = points.gram(), 0.2
    upper = np.full(len(K), 1.0 / (nu * len(K)))
    linear = 0.5 * K.diagonal() if ball else None
    ours, solution = best_time(
        partial(solve_nu_one_class, K, upper, linear=linear), 5 * plan.repeats
    )
    row = Row(
        GROUP,
        "soft ball" if ball else WHAT,
        _size(points, nu, 2),
        "piqp",
        ours,
        our_gap=solution.duality_gap,
        target=_target(faster(50), plan),
    )
    return qp.contest(row, "piqp", partial(pose, K, upper, linear), plan.repeats)


def pose(K: FloatArray, upper: FloatArray, linear: FloatArray | None) -> qp.QuadraticProgram:
    """Pose the dual as a QP; the ball has a linear term."""
    from qpsolvers import Problem

    N = len(K)
    q = np.zeros(N) if linear is None else -linear
    posed = Problem(K, q, A=np.ones((1, N)), b=np.ones(1), lb=np.zeros(N), ub=upper)
    return qp.QuadraticProgram(
        posed, np.asarray, lambda alpha: gap(K, feasible(alpha, upper, 1.0), upper, linear)
    )


def against_libsvm(points: Points, nu: float, divisor: int, plan: Plan) -> Row:
    """Time points to coefficients, against libsvm at equal accuracy."""
    K = points.gram()
    upper = np.full(len(K), 1.0 / (nu * len(K)))

    def peer_gap(models: list[Any]) -> float:
        alpha = np.zeros(len(K))
        alpha[models[0].support_] = models[0].dual_coef_.ravel() / (nu * len(K))
        return gap(K, feasible(alpha, upper, 1.0), upper)

    return libsvm.contest(
        GROUP,
        f"{WHAT}, from points",
        _size(points, nu, divisor),
        "libsvm OneClassSVM, rbf",
        fit=partial(libsvm.fit_one_class, points, [nu]),
        gap=peer_gap,
        ours=partial(solve, points, upper),
        repeats=plan.repeats,
        target=_target(faster(1), plan),
    )


def solve(points: Points, upper: FloatArray) -> NuSolution:
    """Solve as the estimator does: a small kernel matrix at once, a large one row by row."""
    return solve_nu_one_class(columns_on_demand(points.kernel, points.X), upper)


def gap(
    K: FloatArray, alpha: FloatArray, upper: FloatArray, linear: FloatArray | None = None
) -> float:
    """Return the relative gap of a peer's coefficients at their best offset."""
    return nu_certificate(K, alpha, upper, linear=linear).duality_gap


def _size(points: Points, nu: float, divisor: int) -> str:
    return f"banana ±, N={len(points.X):,}, ν={nu:g}, {sigma_rule(divisor)}"


def _target(target: Target, plan: Plan) -> Target | None:
    return target if plan.targets else None
