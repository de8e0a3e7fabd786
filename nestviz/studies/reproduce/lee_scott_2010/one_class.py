"""Cells of the one-class experiments: cross-validated AUC, test AUC with d, AUC over σ."""

from __future__ import annotations

from typing import Any

import numpy as np

from nestviz.analysis.cost_selection import area, folds, posed
from nestviz.arrays import FloatArray, IndexArray, IntArray
from nestviz.estimators.base import Problem
from nestviz.estimators.nested_one_class import (
    NestedOneClassSVM,
    descending_levels,
    nested_one_class_family,
)
from nestviz.estimators.one_class_path import OneClassPath, one_class_path_family
from nestviz.estimators.one_class_problem import SMALLEST_SHARE
from nestviz.families import SetFamily
from nestviz.solvers.nested.solve import solve_one_class
from nestviz.solvers.path.one_class import one_class_path
from nestviz.studies.reproduce.lee_scott_2010.data import (
    CHOOSE,
    TEST,
    check_fingerprint,
    few_valued,
    lattice_points,
    split,
    standardised,
    uniform_points,
)
from nestviz.studies.reproduce.lee_scott_2010.measures import see
from nestviz.volume.bandwidth import default_sigmas

METHODS = ("oc", "noc")


def path_sets(problem: Problem) -> SetFamily:
    """Return the family of `OneClassPath`, without its certificate."""
    K = problem.columns.block(np.arange(len(problem.centres)))
    return one_class_path_family(problem, one_class_path(K, problem.upper), SMALLEST_SHARE)


def nested_sets(problem: Problem, levels: int) -> SetFamily:
    """Return the family of `NestedOneClassSVM`, without its certificate."""
    descending = descending_levels(levels, problem)
    solution = solve_one_class(problem.columns, problem.upper, descending)
    return nested_one_class_family(problem, descending, solution.alpha)


def cross_validated(
    *,
    data: str,
    fingerprint: str,
    permutation: int,
    sigmas: int,
    fold_count: int,
    levels: int,
) -> dict[str, Any]:
    """Return the AUC of every fold against uniform points, at all σ and for both methods."""
    X, negatives = _training(data, fingerprint, permutation), _test_negatives(data, permutation)
    others = uniform_points(data, permutation, CHOOSE, len(negatives))
    fold = folds(np.full(len(X), -1), fold_count)
    grid = default_sigmas(X, sigmas)
    found: dict[str, Any] = {"sigmas": grid.tolist(), "oc": [], "noc": []}
    for sigma in grid:
        rows: dict[str, list[float]] = {"oc": [], "noc": []}
        for k in range(fold_count):
            problem = posed(X[fold != k], None, float(sigma))
            held = X[fold == k]
            points = np.concatenate([held, others])
            signs = np.repeat([1, -1], [len(held), len(others)])
            rows["oc"].append(area(path_sets(problem), points, signs))
            rows["noc"].append(area(nested_sets(problem, levels), points, signs))
        for method in METHODS:
            found[method].append(rows[method])
    return found


def on_test_points(
    *, data: str, fingerprint: str, permutation: int, oc: float, noc: float, levels: int
) -> dict[str, Any]:
    """Return test AUC and d against each alternative, with the chosen σ of both methods."""
    X = _training(data, fingerprint, permutation)
    points, alternatives = _test_points(data, permutation)
    found: dict[str, Any] = {}
    for method, estimator in (
        ("oc", OneClassPath(oc)),
        ("pure", OneClassPath(oc, hold_below=None)),
        ("noc", NestedOneClassSVM(noc, levels)),
    ):
        estimator.fit(X)
        seen = see(estimator.family_, points)
        found[method] = {name: seen.measures(*one) for name, one in alternatives.items()}
        found[method]["gap"] = estimator.duality_gap_
    return found


def over_widths(
    *, data: str, fingerprint: str, permutation: int, sigmas: int, levels: int
) -> dict[str, Any]:
    """Return test AUC and d against each alternative at every σ of the grid, for both methods."""
    X = _training(data, fingerprint, permutation)
    points, alternatives = _test_points(data, permutation)
    grid = default_sigmas(X, sigmas)
    found: dict[str, Any] = {"sigmas": grid.tolist(), "oc": [], "noc": []}
    for sigma in grid:
        problem = posed(X, None, float(sigma))
        for method, family in (("oc", path_sets(problem)), ("noc", nested_sets(problem, levels))):
            seen = see(family, points)
            found[method].append({name: seen.measures(*one) for name, one in alternatives.items()})
    return found


def _training(data: str, expected: str, permutation: int) -> FloatArray:
    check_fingerprint(data, expected)
    points, (rows, _) = standardised(data), split(data, permutation)
    return points.X[rows][points.y[rows] == -1]


def _test_negatives(data: str, permutation: int) -> FloatArray:
    points, (_, rows) = standardised(data), split(data, permutation)
    return points.X[rows][points.y[rows] == -1]


def _test_points(
    data: str, permutation: int
) -> tuple[FloatArray, dict[str, tuple[IndexArray, IntArray]]]:
    """Return all test points, and for each alternative its rows beside the negative ones."""
    points, (_, rows) = standardised(data), split(data, permutation)
    negatives = _test_negatives(data, permutation)
    parts = {
        "positive": points.X[rows][points.y[rows] == 1],
        "uniform": uniform_points(data, permutation, TEST, len(negatives)),
    }
    if few_valued(data).size:
        parts["lattice"] = lattice_points(data, permutation, TEST, len(negatives))
    alternatives, begin = {}, len(negatives)
    for name, part in parts.items():
        other = np.arange(begin, begin + len(part))
        signs = np.repeat([1, -1], [len(negatives), len(part)])
        alternatives[name] = (np.concatenate([np.arange(len(negatives)), other]), signs)
        begin += len(part)
    return np.concatenate([negatives, *parts.values()]), alternatives
