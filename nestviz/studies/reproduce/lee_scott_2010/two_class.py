"""Cells of the two-class experiments: cross-validated AUC, and test AUC with d."""

from __future__ import annotations

from typing import Any

import numpy as np

from nestviz.arrays import FloatArray, IntArray
from nestviz.estimators.base import Problem
from nestviz.estimators.cost_sensitive_path import CostSensitivePath, cost_path_family
from nestviz.estimators.nested_cost_sensitive import NestedCostSensitiveSVM, nested_cost_family
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel, average_distance
from nestviz.solvers.columns import StoredMatrix
from nestviz.solvers.merge import merge_duplicates
from nestviz.solvers.nested.limits import lambda_cs
from nestviz.solvers.nested.solve import solve_cost_sensitive
from nestviz.solvers.path.cost_sensitive import cost_path
from nestviz.studies.reproduce.lee_scott_2010.data import (
    check_fingerprint,
    folds,
    split,
    standardised,
)
from nestviz.studies.reproduce.lee_scott_2010.measures import area, see

SMALLEST_LAMBDA = 0.1
"""The first value of the grid of λ."""
METHODS = ("cs", "ncs")


def widths(X: FloatArray, count: int) -> FloatArray:
    """Return the grid of σ for training points, from d_avg/15 to 10 d_avg."""
    d = average_distance(X)
    return np.geomspace(d / 15.0, 10.0 * d, count)


def posed(X: FloatArray, y: FloatArray | None, sigma: float) -> Problem:
    """Return the problem of training points and one width, with its kernel matrix."""
    merged = merge_duplicates(X, y)
    kernel = GaussianKernel(sigma)
    return Problem(kernel, StoredMatrix(kernel.gram(merged.X, merged.X)), merged)


def regularisations(X: FloatArray, y: FloatArray, sigma: float, count: int) -> FloatArray:
    """Return the grid of λ, from 0.1 to λ_max."""
    problem = posed(X, y, sigma)
    largest = lambda_cs(problem.columns, problem.y, problem.weights)
    return np.geomspace(SMALLEST_LAMBDA, largest, count)


def path_sets(problem: Problem, lam: float) -> SetFamily:
    """Return the family of `CostSensitivePath`, without its certificate."""
    K = problem.columns.block(np.arange(len(problem.centres)))
    path = cost_path(K, problem.y, lam, problem.weights)
    return cost_path_family(problem, path, lam)


def nested_sets(problem: Problem, lam: float, asymmetries: int) -> SetFamily:
    """Return the family of `NestedCostSensitiveSVM`, without its certificate."""
    levels = np.linspace(0.0, 1.0, asymmetries)
    solution = solve_cost_sensitive(problem.columns, problem.y, problem.weights, lam, levels)
    return nested_cost_family(problem, levels, solution.alpha, lam)


def cross_validated(
    *,
    data: str,
    fingerprint: str,
    permutation: int,
    width: int,
    sigmas: int,
    lambdas: int,
    fold_count: int,
    asymmetries: int,
) -> dict[str, Any]:
    """Return the AUC of every fold, for all λ at one σ and for both methods."""
    X, y = _training(data, fingerprint, permutation)
    sigma = float(widths(X, sigmas)[width])
    lams = regularisations(X, y, sigma, lambdas)
    fold = folds(y.astype(np.int64), fold_count)
    found: dict[str, list[list[float]]] = {method: [] for method in METHODS}
    for k in range(fold_count):
        problem = posed(X[fold != k], y[fold != k], sigma)
        held, signs = X[fold == k], y[fold == k].astype(np.int64)
        found["cs"].append([area(path_sets(problem, lam), held, signs) for lam in lams])
        found["ncs"].append(
            [area(nested_sets(problem, lam, asymmetries), held, signs) for lam in lams]
        )
    return {"sigma": sigma, "lambdas": lams.tolist(), **found}


def on_test_points(
    *,
    data: str,
    fingerprint: str,
    permutation: int,
    cs: list[float],
    ncs: list[float],
    asymmetries: int,
) -> dict[str, Any]:
    """Return test AUC and ranking disagreement with the chosen σ and λ of both methods."""
    X, y = _training(data, fingerprint, permutation)
    new, signs = _test(data, permutation)
    everything = np.arange(len(signs))
    found: dict[str, Any] = {}
    for method, estimator in (
        ("cs", CostSensitivePath(cs[0], cs[1])),
        ("ncs", NestedCostSensitiveSVM(ncs[0], ncs[1], asymmetries)),
    ):
        estimator.fit(X, y)
        found[method] = see(estimator.family_, new).measures(everything, signs)
        found[method]["gap"] = estimator.duality_gap_
    return found


def near_best(
    *,
    data: str,
    fingerprint: str,
    permutation: int,
    width: int,
    sigmas: int,
    lambdas: int,
    chosen: list[int],
) -> dict[str, Any]:
    """Return d and AUC of the path at one σ and some λ of the grid, on the test points."""
    X, y = _training(data, fingerprint, permutation)
    new, signs = _test(data, permutation)
    sigma = float(widths(X, sigmas)[width])
    lams = regularisations(X, y, sigma, lambdas)
    problem, everything = posed(X, y, sigma), np.arange(len(signs))
    found = [see(path_sets(problem, lams[j]), new).measures(everything, signs) for j in chosen]
    return {"d": [one["d"] for one in found], "auc": [one["auc"] for one in found]}


def _training(data: str, expected: str, permutation: int) -> tuple[FloatArray, FloatArray]:
    check_fingerprint(data, expected)
    points, (rows, _) = standardised(data), split(data, permutation)
    return points.X[rows], points.y[rows].astype(np.float64)


def _test(data: str, permutation: int) -> tuple[FloatArray, IntArray]:
    points, (_, rows) = standardised(data), split(data, permutation)
    return points.X[rows], points.y[rows]
