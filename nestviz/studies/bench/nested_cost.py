"""Benchmark rows: the nested cost-sensitive SVM on the benchmark sets, against libsvm."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.solvers.columns import StoredMatrix, columns_of
from nestviz.solvers.merge import merge_duplicates
from nestviz.solvers.nested.limits import lambda_cs
from nestviz.solvers.nested.problems import CostSensitiveProblem
from nestviz.solvers.nested.solve import solve_cost_sensitive
from nestviz.solvers.records import Solution
from nestviz.studies.bench import libsvm
from nestviz.studies.bench.adaptive_levels import ALLOWED, against_even_grid
from nestviz.studies.bench.report import Row, faster
from nestviz.studies.bench.training_sets import (
    N_ASYMMETRIES,
    TRAINING_SIZES,
    Points,
    sigma_rule,
    training_set,
)

GROUP = "nested-cost"
WHAT = "nested cost-sensitive SVM"
SMALLEST_LAM = 0.1
DIVISORS: tuple[float, ...] = (2, 1)
QUICK_SETS: tuple[str, ...] = ("banana", "heart", "thyroid", "titanic")
EVEN_LAMS = 0.1, 1.0
POINTS, QUICK_POINTS = 1500, 400
ASYMMETRIES = np.linspace(0.0, 1.0, N_ASYMMETRIES)


def rows(quick: bool) -> Iterator[Row]:
    """Yield rows of three values of λ on every set, and their median."""
    measured = []
    for name in QUICK_SETS if quick else TRAINING_SIZES:
        for divisor in DIVISORS[:1] if quick else DIVISORS:
            for row in against_libsvm(name, divisor, repeats=3 if quick else 7):
                measured.append(row)
                yield row
    yield _median(measured)
    for lam in EVEN_LAMS:
        yield from against_even_asymmetries(lam, QUICK_POINTS if quick else POINTS)


def fit(points: Points, lam: float) -> Solution:
    """Solve from points: merge coincident ones, build K, solve for all asymmetries."""
    merged = merge_duplicates(points.X, points.y)
    K, y = columns_of(points.kernel, merged.X), np.asarray(merged.y)
    return solve_cost_sensitive(K, y, merged.weights, lam, ASYMMETRIES)


def against_libsvm(name: str, divisor: float, repeats: int) -> Iterator[Row]:
    """Yield rows of λ = 0.1, λ_max, and their geometric mean."""
    points = training_set(name, divisor=divisor)
    K = points.gram()
    largest = lambda_cs(K, points.y, np.ones(len(K)))
    for lam in (SMALLEST_LAM, float(np.sqrt(SMALLEST_LAM * largest)), largest):
        size = f"{name}, N={len(K)}, λ={lam:.3g}, {sigma_rule(divisor)}"
        yield _contest(points, K, lam, size, repeats)


def against_even_asymmetries(lam: float, n: int) -> Iterator[Row]:
    """Yield inserted asymmetries against an even grid with the same gap between them."""
    points = training_set("banana", divisor=DIVISORS[0], n=n)
    problem = CostSensitiveProblem(
        StoredMatrix(points.gram()), points.y, np.ones(n), lam, weighted=True
    )
    size = f"banana, N={n:,}, λ={lam:g}, gap ≤ {ALLOWED:g}, {sigma_rule(DIVISORS[0])}"
    even = problem._replace(weighted=False)
    yield from against_even_grid(problem, even, (0.0, 1.0), (GROUP, WHAT, size), 3)


def _contest(points: Points, K: FloatArray, lam: float, size: str, repeats: int) -> Row:
    """Time one λ, both sides from points to coefficients, at equal accuracy."""
    return libsvm.contest(
        GROUP,
        WHAT,
        size,
        f"{N_ASYMMETRIES} libsvm SVC with offset",
        fit=partial(libsvm.fit_costs, points, lam, ASYMMETRIES.tolist()),
        gap=partial(libsvm.costs_gap, K, points.y),
        ours=lambda: fit(points, lam),
        repeats=repeats,
        target=faster(1),
    )


def _median(measured: list[Row]) -> Row:
    """Return the median ratio, with the median seconds of both sides."""
    ratios = [row.times_faster for row in measured if row.times_faster is not None]
    return Row(
        GROUP,
        f"{WHAT}: median ratio",
        f"{len(ratios)} rows",
        "libsvm SVC with offset",
        float(np.median([row.ours_seconds for row in measured])),
        float(np.median([row.peer_seconds for row in measured if row.peer_seconds is not None])),
        value=float(np.median(ratios)),
        unit="×",
        target=faster(2),
    )
