"""Benchmark rows: the q-OCSVM against general QP solvers, independent sets against libsvm."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.estimators import IndependentOneClassSVM
from nestviz.solvers.box_sum.nu_certificate import nu_certificate
from nestviz.solvers.box_sum.nu_one_class import feasible
from nestviz.solvers.quantile.certificate import quantile_certificate, upper_bounds
from nestviz.solvers.quantile.solve import solve_quantiles
from nestviz.studies.bench import libsvm, qp
from nestviz.studies.bench.report import Row, Target, faster
from nestviz.studies.bench.timing import best_time
from nestviz.studies.bench.training_sets import Points, sigma_rule, training_set

GROUP = "quantiles"
WHAT = "q-OCSVM"
#: General solvers that can handle a dense block of this size; OSQP needs minutes.
SOLVERS = ("piqp", "clarabel")


class Plan(NamedTuple):
    """Sizes of a run; where they are the ones that targets were set for, the targets apply."""

    points: int
    quantiles: int
    divisors: tuple[int, ...]
    repeats: int
    targets: bool


FULL = Plan(1000, 19, (2, 6), repeats=5, targets=True)
QUICK = Plan(200, 19, (2,), repeats=3, targets=False)


def rows(quick: bool) -> Iterator[Row]:
    """Yield all rows, the general solvers first."""
    plan = QUICK if quick else FULL
    for divisor in plan.divisors:
        points = training_set("banana", divisor=divisor, n=plan.points)
        yield from against_qp(points, divisor, plan)
        yield against_libsvm(points, divisor, plan)


def pose(K: FloatArray, quantiles: FloatArray) -> qp.QuadraticProgram:
    """Pose the dual (5) as one sparse QP.

    Directly it has a dense matrix of (qN)² entries, 361 million for 19 quantiles of 1,000 points.
    So the sums over quantiles are variables of their own, with K between them only, and
    coefficients are shares of their bounds: the form in which general solvers do best.
    """
    import scipy.sparse as sp
    from qpsolvers import Problem

    q, n = len(quantiles), len(K)
    nu = 1.0 - quantiles
    sums = sp.hstack([sp.kron(sp.csr_matrix(1.0 / (q * nu)), sp.eye(n)), -sp.eye(n)])
    masses = sp.hstack([sp.kron(sp.eye(q), np.full((1, n), 1.0 / n)), sp.csc_matrix((q, n))])
    free = np.full(n, np.inf)
    posed = Problem(
        sp.csc_matrix(sp.block_diag([sp.csc_matrix((q * n, q * n)), K / n])),
        np.zeros(q * n + n),
        A=sp.vstack([sums, masses], format="csc"),
        b=np.concatenate([np.zeros(n), nu]),
        lb=np.concatenate([np.zeros(q * n), -free]),
        ub=np.concatenate([np.ones(q * n), free]),
    )
    weights = np.ones(n)
    bounds = upper_bounds(weights, quantiles)

    def gap(eta: FloatArray) -> float:
        rows = [feasible(row, bound, 1.0) for row, bound in zip(eta, bounds, strict=True)]
        return quantile_certificate(K, np.stack(rows), weights, quantiles).duality_gap

    return qp.QuadraticProgram(posed, lambda x: x[: q * n].reshape(q, n) * bounds, gap)


def against_qp(points: Points, divisor: int, plan: Plan) -> Iterator[Row]:
    """Yield our solver against each general one on the same dual."""
    K, alpha = points.gram(), _quantiles(plan)
    ours, solution = best_time(
        partial(solve_quantiles, K, np.ones(len(K)), alpha), 5 * plan.repeats
    )
    for solver in SOLVERS:
        size, gap = _size(points, divisor, plan), solution.duality_gap
        target = _target(faster(100), plan)
        row = Row(GROUP, WHAT, size, solver, ours, our_gap=gap, target=target)
        yield qp.contest(row, solver, partial(pose, K, alpha), plan.repeats, at_least=1)


def against_libsvm(points: Points, divisor: int, plan: Plan) -> Row:
    """Time independent sets from points, against as many libsvm solves."""
    K, alpha = points.gram(), _quantiles(plan)
    nus = (1.0 - alpha).tolist()
    bounds = upper_bounds(np.ones(len(K)), alpha)

    def peer_gap(models: list[Any]) -> float:
        gaps = []
        for model, nu, bound in zip(models, nus, bounds, strict=True):
            found = np.zeros(len(K))
            found[model.support_] = model.dual_coef_.ravel() / (nu * len(K))
            gaps.append(nu_certificate(K, feasible(found, bound, 1.0), bound).duality_gap)
        return max(gaps)

    model = IndependentOneClassSVM(points.kernel.sigma, alpha)
    return libsvm.contest(
        GROUP,
        "independent one-class SVMs, from points",
        _size(points, divisor, plan),
        f"{len(nus)} libsvm OneClassSVM, rbf",
        fit=partial(libsvm.fit_one_class, points, nus),
        gap=peer_gap,
        ours=lambda: model.fit(points.X),
        repeats=plan.repeats,
        our_gap=attrgetter("duality_gap_"),
    )


def _quantiles(plan: Plan) -> FloatArray:
    return np.arange(1, plan.quantiles + 1) / (plan.quantiles + 1.0)


def _size(points: Points, divisor: int, plan: Plan) -> str:
    return f"banana ±, N={len(points.X):,}, q={plan.quantiles}, {sigma_rule(divisor)}"


def _target(target: Target, plan: Plan) -> Target | None:
    return target if plan.targets else None
