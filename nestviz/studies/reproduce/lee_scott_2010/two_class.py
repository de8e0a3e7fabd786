"""Cells of the two-class experiments: cross-validated AUC, and test AUC with d."""

from __future__ import annotations

from typing import Any

import numpy as np

from nestviz.analysis.cost_selection import (
    area,
    folds,
    nested_sets,
    path_sets,
    posed,
    regularisations,
)
from nestviz.arrays import FloatArray, IntArray
from nestviz.estimators.cost_sensitive_path import CostSensitivePath
from nestviz.estimators.nested_cost_sensitive import NestedCostSensitiveSVM
from nestviz.studies.reproduce.lee_scott_2010.data import check_fingerprint, split, standardised
from nestviz.studies.reproduce.lee_scott_2010.measures import see
from nestviz.volume.bandwidth import default_sigmas

METHODS = ("cs", "ncs")


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
    sigma = float(default_sigmas(X, sigmas)[width])
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
    sigma = float(default_sigmas(X, sigmas)[width])
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
