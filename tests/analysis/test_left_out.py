"""Problem (8.38): the exact search against enumeration with another solver."""

from itertools import combinations

import numpy as np
import pytest
import qpsolvers

from nestviz import GaussianKernel, NuOneClassSVM, PolynomialKernel, make_sample
from nestviz.analysis import best_left_out, greedy_left_out, nu_left_out


def squared_distance(K, rows):
    """The squared distance of the origin from a convex hull, by a general solver."""
    part = K[np.ix_(rows, rows)] + 1e-12 * np.eye(len(rows))
    n = len(rows)
    alpha = qpsolvers.solve_qp(
        part, np.zeros(n), A=np.ones((1, n)), b=np.ones(1), lb=np.zeros(n), solver="piqp",
        eps_abs=1e-11, eps_rel=1e-11,
    )  # fmt: skip
    return float(alpha @ part @ alpha)


def by_enumeration(K, count):
    rows = set(range(len(K)))
    return min(
        0.5 / squared_distance(K, sorted(rows - set(out))) for out in combinations(rows, count)
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("n", "count"), [(7, 1), (8, 3), (9, 2)])
@pytest.mark.parametrize("kernel", [GaussianKernel(0.6), GaussianKernel(2.0), PolynomialKernel(2)])
def test_the_best_choice_is_the_one_of_enumeration(seed, n, count, kernel):
    X = np.random.default_rng(seed).normal(size=(n, 2))
    K = kernel.gram(X, X)
    best = best_left_out(K, count)
    assert best.objective == pytest.approx(by_enumeration(K, count), rel=1e-6)
    assert len(best.rows) == count
    for other in (greedy_left_out(K, count), nu_left_out(K, count)):
        assert len(other.rows) == count
        assert best.objective <= other.objective * (1 + 1e-7)


def test_all_points_kept_are_in_the_set_of_the_half_space():
    X = make_sample("banana", 1, n=12).X
    K = GaussianKernel(1.5).gram(X, X)
    for found in (best_left_out(K, 3), greedy_left_out(K, 3), nu_left_out(K, 3)):
        kept = np.setdiff1d(np.arange(12), found.rows)
        assert (K @ found.alpha)[kept].min() >= found.rho - 1e-7
        assert found.alpha[found.rows].max() == 0.0
        assert found.alpha.sum() == pytest.approx(1.0)
        # Problem 8.5: ρ²/d² = ‖w‖² = 2W(α), with ρ = 1 after scaling.
        norm = 1.0 / found.rho
        assert norm == pytest.approx(2.0 * found.objective)
        assert found.distance == pytest.approx(found.rho**0.5)


def test_greedy_and_nu_can_be_beaten():
    X = make_sample("banana", 1, n=12).X
    K = GaussianKernel(1.5).gram(X, X)
    best, greedy, nu = (f(K, 3).objective for f in (best_left_out, greedy_left_out, nu_left_out))
    assert best < greedy < nu


def test_nu_leaves_out_the_outliers_of_the_svm():
    X = make_sample("banana", 0, n=30).X
    model = NuOneClassSVM(3.0, 9 / 30, tol=1e-12).fit(X)
    outside = np.flatnonzero(model.predict(X) < 0)
    assert 0 < len(outside) <= 9
    found = nu_left_out(GaussianKernel(3.0).gram(X, X), 9)
    assert set(outside) <= set(found.rows)


def test_nothing_left_out_is_the_hard_margin_problem():
    X = np.random.default_rng(0).normal(size=(6, 2))
    K = GaussianKernel(1.0).gram(X, X)
    for found in (best_left_out(K, 0), greedy_left_out(K, 0), nu_left_out(K, 0)):
        assert not found.rows.size
        assert found.objective == pytest.approx(0.5 / squared_distance(K, range(6)), rel=1e-6)


def test_the_origin_among_the_points_cannot_be_separated():
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 2.0], [0.0, -2.0]])
    K = X @ X.T
    assert best_left_out(K, 1).objective == np.inf
    assert np.isfinite(best_left_out(K, 2).objective)


def test_a_stopped_search_returns_what_it_has():
    X = make_sample("banana", 1, n=12).X
    K = GaussianKernel(1.5).gram(X, X)
    stopped = best_left_out(K, 3, stopped=lambda: True)
    assert stopped.objective == pytest.approx(greedy_left_out(K, 3).objective)


@pytest.mark.parametrize("count", [-1, 5])
def test_counts_that_leave_no_point_are_refused(count):
    with pytest.raises(ValueError, match="leave one of the 5 points"):
        best_left_out(np.eye(5), count)


def test_too_many_points_and_other_shapes_are_refused():
    with pytest.raises(ValueError, match="too many for an exact search"):
        best_left_out(np.eye(21), 2)
    with pytest.raises(ValueError, match="square matrix"):
        greedy_left_out(np.ones((2, 3)), 1)
