"""Paths on data where points tie: symmetric point sets, singular kernel matrices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from path_reference import same_solution, upper_at
from path_symmetric import (
    LAMBDAS,
    blocks,
    circle,
    gaussian,
    kernels,
    labellings,
    lattice,
    mirrored,
    torus,
    weightings,
)

from nestviz.solvers.path.cost_sensitive import cost_path
from nestviz.solvers.path.one_class import one_class_path
from nestviz.solvers.path.records import PathSolution

LIMIT = 1e-7
CASES = dict(kernels())
FAMILIES = sorted({name.split(",")[0] for name in CASES})
LARGE = ("circle 360",)
ONE_BY_ONE = [pytest.param(f, marks=pytest.mark.slow) if f in LARGE else f for f in FAMILIES]


def worst_residual(
    K: np.ndarray, path: PathSolution, y: np.ndarray | None = None, lam: float | None = None
) -> float:
    """Largest violation at breakpoints, between them and at random levels, from K and α alone."""
    nodes, random = path.breakpoints, np.random.default_rng(0)
    some = [
        v if len(v) <= 300 else random.choice(v, 300, replace=False)
        for v in (nodes, (nodes[1:] + nodes[:-1]) / 2, random.uniform(nodes.min(), nodes.max(), 40))
    ]
    levels = np.concatenate(some)
    alpha = path.coefficients(levels)
    upper = np.maximum(path.upper_base + path.upper_slope * levels[:, None], 0.0)
    assert np.all((alpha >= 0) & (alpha <= upper * (1 + 1e-12)))
    sign = np.ones(len(K)) if y is None else y
    target = levels[:, None] if lam is None else lam
    rho = target - sign * ((alpha * sign) @ K)
    wrong = np.where(alpha <= 0, np.maximum(rho, 0), np.abs(rho))
    wrong = np.where(alpha >= upper, np.maximum(-rho, 0), wrong)
    wrong[upper <= 0] = 0
    scale = nodes[0] if lam is None else lam
    return float(wrong.max() / scale) if scale > 0 else 0.0


def check(path: PathSolution, residual: float, name: str) -> None:
    assert path.converged, name
    assert residual <= LIMIT, name
    assert path.residuals.max() <= LIMIT, name
    steps = np.diff(path.breakpoints)
    assert np.all(steps > 0) or np.all(steps < 0), name


@pytest.mark.parametrize("family", ONE_BY_ONE)
def test_one_class_paths_are_exact_where_points_tie(family) -> None:
    for name, K in CASES.items():
        if name.split(",")[0] != family:
            continue
        for kind, w in weightings(len(K)).items():
            path = one_class_path(K, w / len(K))
            check(path, worst_residual(K, path), f"{name}, {kind}")


@pytest.mark.parametrize("family", ONE_BY_ONE)
def test_cost_paths_are_exact_where_points_tie(family) -> None:
    # Every kernel with every labelling; λ and weights take turns.
    turn = FAMILIES.index(family)
    for name, K in CASES.items():
        if name.split(",")[0] != family:
            continue
        for kind, y in labellings(len(K)).items():
            turn += 1
            lam = LAMBDAS[turn % len(LAMBDAS)]
            weighting = ("uniform", "random")[turn // len(LAMBDAS) % 2]
            w = weightings(len(K))[weighting]
            path = cost_path(K, y, lam, w)
            case = f"{name}, {kind}, λ = {lam:g}, {weighting}"
            check(path, worst_residual(K, path, y, lam), case)


def test_there_are_hundreds_of_cases() -> None:
    assert len(CASES) >= 300


@pytest.mark.parametrize("n", [24, 60, 360])
def test_points_on_a_circle_shrink_together(n) -> None:
    # By symmetry the field on the points is that of equal coefficients: λ itself, below λ_0.
    K = gaussian(circle(n), 3.0)
    path = one_class_path(K, np.full(n, 1 / n))
    assert path.breakpoints[0] == pytest.approx(K[0].mean())
    for level in path.breakpoints[0] * np.array([0.9, 0.5, 0.1, 1e-3]):
        np.testing.assert_allclose(path.coefficients(level)[0] @ K, level, rtol=0, atol=1e-9)


@pytest.mark.parametrize("X", [circle(24), torus(6, 4), lattice(5, 2), mirrored(8, 3)])
@pytest.mark.parametrize("width", [0.7, 3.0])
def test_ties_give_what_a_pointwise_solve_gives(X, width) -> None:
    K, N = gaussian(X, width), len(X)
    one = one_class_path(K, np.full(N, 1 / N))
    levels = one.breakpoints[0] * np.array([0.95, 0.6, 0.2, 0.02])
    for level, alpha in zip(levels, one.coefficients(levels), strict=True):
        same_solution(K, np.ones(N), level, alpha, np.full(N, 1 / N))
    for y in labellings(N).values():
        path = cost_path(K, y, 0.5)
        for gamma in (0.02, 0.3, 0.5, 0.9):
            alpha = path.coefficients(gamma)[0]
            same_solution(K, y, 0.5, alpha, upper_at(path, gamma))


@st.composite
def symmetric_points(draw: st.DrawFn) -> np.ndarray:
    kind = draw(st.sampled_from(["circle", "torus", "lattice", "mirrored", "blocks"]))
    n, k = draw(st.integers(3, 12)), draw(st.integers(2, 4))
    seed = draw(st.integers(0, 1000))
    X = {
        "circle": lambda: np.concatenate([circle(n * k, r) for r in range(1, k)]),
        "torus": lambda: torus(n, k),
        "lattice": lambda: lattice(k + 1, 2 + seed % 2),
        "mirrored": lambda: mirrored(n, seed),
        "blocks": lambda: blocks(n, k, seed),
    }[kind]()
    if draw(st.booleans()):
        X = np.concatenate([X, X[: len(X) // 2]])
    return X


@settings(max_examples=60)
@given(
    X=symmetric_points(),
    width=st.sampled_from([0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0]),
    lam=st.sampled_from([1e-2, 0.3, 1.0, 30.0]),
    kind=st.sampled_from(["alternating", "in two halves", "mirrored"]),
    weighting=st.sampled_from(["uniform", "alternating", "random", "some tiny"]),
)
def test_no_symmetry_spoils_a_path(X, width, lam, kind, weighting) -> None:
    K, w = gaussian(X, width), weightings(len(X))[weighting]
    one = one_class_path(K, w / len(X))
    check(one, worst_residual(K, one), "one class")
    y = labellings(len(X))[kind]
    path = cost_path(K, y, lam, w)
    check(path, worst_residual(K, path, y, lam), "costs")
