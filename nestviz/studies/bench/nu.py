"""Benchmark rows: the ν one-class SVM and the soft ball, against libsvm and a general QP solver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.estimators.nu_problem import columns_on_demand
from nestviz.solvers.box_sum.nu_certificate import nu_certificate
from nestviz.solvers.box_sum.nu_one_class import TOLERANCE, NuSolution, feasible, solve_nu_one_class
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
    """All rows, the general solver first."""
    plan = QUICK if quick else FULL
    for ball in (False, True):
        yield against_qp(plan, ball)
    for n in plan.sizes:
        for divisor in plan.divisors:
            points = training_set("banana", divisor=divisor, n=n)
            for nu in plan.nus:
                yield against_libsvm(points, nu, divisor, plan)


def against_qp(plan: Plan, ball: bool) -> Row:
    """The same dual to a general solver; the ball with its linear term."""
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
    if not qp.is_installed("piqp"):
        return replace(row, note="peer not installed")
    return _with_qp(row, K, upper, linear, plan)


def _with_qp(
    row: Row, K: FloatArray, upper: FloatArray, linear: FloatArray | None, plan: Plan
) -> Row:
    """The row with the solver's side, at the loosest tolerance that is accurate enough."""
    from qpsolvers import Problem, solve_problem

    N = len(K)
    q = np.zeros(N) if linear is None else -linear
    posed = Problem(K, q, A=np.ones((1, N)), b=np.ones(1), lb=np.zeros(N), ub=upper)

    def gap_at(tol: float) -> float:
        found: Any = solve_problem(posed, solver="piqp", **qp.OPTIONS["piqp"](tol))
        return gap(K, feasible(found.x, upper, 1.0), upper, linear)

    for tol in qp.TOLS:
        reached = gap_at(tol)
        if reached <= TOLERANCE:
            break
    options = qp.OPTIONS["piqp"](tol)
    theirs, _ = best_time(lambda: solve_problem(posed, solver="piqp", **options), plan.repeats)
    return replace(row, peer=f"piqp, tol {tol:.0e}", peer_seconds=theirs, peer_gap=reached)


def against_libsvm(points: Points, nu: float, divisor: int, plan: Plan) -> Row:
    """Points to coefficients, against libsvm at the loosest tolerance of equal accuracy."""
    K = points.gram()
    upper = np.full(len(K), 1.0 / (nu * len(K)))
    fit = partial(libsvm.fit_one_class, points, [nu])

    def gap_at(tol: float) -> float:
        (model,) = fit(tol)
        alpha = np.zeros(len(K))
        alpha[model.support_] = model.dual_coef_.ravel() / (nu * len(K))
        return gap(K, feasible(alpha, upper, 1.0), upper)

    found = libsvm.calibrate(gap_at)
    theirs, _ = best_time(lambda: fit(found.tol), plan.repeats)
    ours, solution = best_time(partial(solve, points, upper), plan.repeats)
    return Row(
        GROUP,
        f"{WHAT}, from points",
        _size(points, nu, divisor),
        f"libsvm OneClassSVM, rbf, tol {found.tol:.0e}",
        ours,
        theirs,
        our_gap=solution.duality_gap,
        peer_gap=found.gap,
        target=_target(faster(1), plan),
    )


def solve(points: Points, upper: FloatArray) -> NuSolution:
    """As the estimator does it: a small kernel matrix at once, of a large one rows on demand."""
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
