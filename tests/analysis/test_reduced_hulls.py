"""Reduced hulls: against the 2ν-SVM, linear programs, and the formula for ν_max."""

import warnings

import numpy as np
import pytest
from scipy.optimize import linprog

from nestviz import DualNuSVM
from nestviz.analysis.reduced_hulls import (
    farthest_means,
    hull_distances,
    hull_pair,
    largest_nu,
)


@pytest.fixture
def classes():
    rng = np.random.default_rng(7)
    return rng.normal((1.0, 0.4), 0.9, (17, 2)), rng.normal((-0.8, -0.3), 0.8, (23, 2))


def solved(plus, minus, nu_plus, nu_minus):
    X = np.vstack([plus, minus])
    y = np.repeat([1, -1], [len(plus), len(minus)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Of a trivial solution
        model = DualNuSVM(
            nu_plus=nu_plus, nu_minus=nu_minus, kernel="polynomial", degree=1, tol=1e-10
        ).fit(X, y)
    return model, (model.alpha_[0] * y) @ X


@pytest.mark.parametrize(("nu_plus", "nu_minus"), [(0.45, 0.72), (0.62, 0.57), (0.93, 0.88)])
def test_the_line_is_that_of_the_linear_2nu_svm(classes, nu_plus, nu_minus):
    found = hull_pair(*classes, nu_plus, nu_minus)
    model, w = solved(*classes, nu_plus, nu_minus)
    assert not found.meet
    # With β = 2α/ν the vector w is half of ν times the shortest connection.
    assert found.distance == pytest.approx(2 * np.linalg.norm(w) / model.nu_, rel=1e-6)
    np.testing.assert_allclose(found.normal, w / np.linalg.norm(w), atol=1e-4)
    for points, nu, sign in ((classes[0], nu_plus, 1), (classes[1], nu_minus, -1)):
        margin = found.margins[0] if sign > 0 else found.margins[1]
        beyond = sign * (points @ found.normal - margin)
        assert (beyond < -1e-9).mean() <= nu
        assert (beyond <= 1e-9).mean() >= nu
    assert found.offset == pytest.approx(-model.intercept_ / np.linalg.norm(w), abs=1e-3)


def test_hulls_meet_exactly_where_the_2nu_svm_is_trivial(classes):
    nus = np.array([0.08, 0.21, 0.37, 0.55, 0.9])
    distances = hull_distances(*classes, nus)
    seen = set()
    for i, plus in enumerate(nus):
        for j, minus in enumerate(nus):
            model, _ = solved(*classes, plus, minus)
            assert (distances[i, j] == 0) == bool(model.is_trivial_)
            assert hull_pair(*classes, plus, minus).meet == bool(model.is_trivial_)
            seen.add(bool(model.is_trivial_))
    assert seen == {True, False}


@pytest.mark.parametrize("nu", [0.1, 0.5, 0.73, 1.0])
def test_farthest_means_solve_a_linear_program(classes, nu):
    points = classes[0]
    turn = np.linspace(0, 2 * np.pi, 9)
    directions = np.column_stack([np.cos(turn), np.sin(turn)])
    found = farthest_means(points, directions, nu)
    n = len(points)
    for direction, mean in zip(directions, found, strict=True):
        bound = 1.0 / (nu * n)
        best = linprog(
            -points @ direction, A_eq=np.ones((1, n)), b_eq=[1.0], bounds=[(0.0, bound)] * n
        )
        assert mean @ direction == pytest.approx(-best.fun, abs=1e-9)
    if nu == 1.0:
        np.testing.assert_allclose(found, np.tile(points.mean(axis=0), (9, 1)))


@pytest.mark.parametrize("gamma", [0.2, 0.5, 0.81])
def test_the_square_of_both_nus_is_where_a_feasible_point_exists(gamma):
    """Proposition 4 against Proposition 1, and both against a linear program."""
    n_plus, n_minus = 7, 12
    n = n_plus + n_minus
    y = np.repeat([1.0, -1.0], [n_plus, n_minus])
    bounds = [(0, gamma / n if sign > 0 else (1 - gamma) / n) for sign in y]
    most = -linprog(-np.ones(n), A_eq=y[None], b_eq=[0.0], bounds=bounds).fun
    assert largest_nu(gamma, n_plus, n_minus) == pytest.approx(most)
    for share in (0.5, 0.99, 1.01, 1.5):
        nu = share * most
        nu_plus, nu_minus = nu * n / (2 * gamma * n_plus), nu * n / (2 * (1 - gamma) * n_minus)
        assert (max(nu_plus, nu_minus) <= 1 + 1e-12) == (share <= 1)
