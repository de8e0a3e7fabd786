"""The 2C- and the 2ν-SVM: against a general solver, and the thesis's propositions and theorems."""

import numpy as np
import pytest
from dual_reference import cost_reference, drawn, hessian, nu_reference, quadratic
from hypothesis import given, settings
from hypothesis import strategies as st

from nestviz.kernels import GaussianKernel
from nestviz.solvers.box_sum.dual_parameters import (
    class_weights,
    largest_nu,
    to_nu_gamma,
    to_nu_pair,
)
from nestviz.solvers.box_sum.dual_svm import (
    dual_cost_certificate,
    dual_nu_certificate,
    solve_dual_cost,
    solve_dual_nu,
)
from nestviz.solvers.columns import KernelRows

TIGHT = 1e-11
PAIRS = [(0.3, 0.3), (0.9, 0.2), (0.1, 0.5), (1.0, 0.3), (1.0, 1.0), (0.05, 0.05)]
shares = st.floats(0.05, 1.0)


def cost_objective(K, y, alpha):
    return quadratic(K, y, alpha) - alpha.sum()


# ---------------------------------------------------------------- against a general QP solver


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("sigma", [0.3, 0.7, 3.0])
@pytest.mark.parametrize(("C", "gamma"), [(0.5, 0.3), (10.0, 0.5), (300.0, 0.8)])
def test_cost_dual_reaches_the_objective_of_a_general_solver(seed, sigma, C, gamma):
    K, y, weights = drawn(seed, sigma=sigma, weighted=seed % 2 == 1)
    ours = solve_dual_cost(K, y, weights, C, gamma, tol=1e-9)
    best = cost_objective(K, y, cost_reference(K, y, weights, C, gamma))
    assert ours.converged
    assert ours.objective == pytest.approx(cost_objective(K, y, ours.alpha), rel=1e-10)
    assert ours.objective == pytest.approx(best, rel=1e-7)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("sigma", [0.3, 0.7, 2.0])
@pytest.mark.parametrize("pair", PAIRS)
def test_nu_dual_reaches_the_objective_of_a_general_solver(seed, sigma, pair):
    K, y, weights = drawn(seed, sigma=sigma, weighted=seed % 2 == 1)
    ours = solve_dual_nu(K, y, weights, *pair, tol=1e-9)
    nu, gamma = to_nu_gamma(*pair, *class_weights(y, weights))
    best = quadratic(K, y, nu_reference(K, y, weights, nu, gamma))
    assert ours.converged
    assert ours.objective == pytest.approx(quadratic(K, y, ours.alpha), rel=1e-9)
    assert ours.objective == pytest.approx(best, rel=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_coefficients_are_feasible(seed):
    K, y, weights = drawn(seed, n=60, weighted=True)
    C, gamma = 5.0, 0.3
    bound = C * weights * np.where(y > 0, gamma, 1 - gamma)
    alpha = solve_dual_cost(K, y, weights, C, gamma).alpha
    assert np.all((alpha >= 0) & (alpha <= bound))
    assert alpha @ y == pytest.approx(0.0, abs=1e-12 * alpha.sum())
    pair = 0.4, 0.6
    nu, gamma = to_nu_gamma(*pair, *class_weights(y, weights))
    bound = weights * np.where(y > 0, gamma, 1 - gamma) / weights.sum()
    alpha = solve_dual_nu(K, y, weights, *pair).alpha
    assert np.all((alpha >= 0) & (alpha <= bound * (1 + 1e-14)))
    assert alpha @ y == pytest.approx(0.0, abs=1e-14)
    assert alpha.sum() == pytest.approx(nu, rel=1e-13)


# ---------------------------------------------------------------- parameters, Propositions 1, 2, 4


@given(nu_plus=shares, nu_minus=shares, n_plus=st.integers(1, 500), n_minus=st.integers(1, 500))
def test_change_of_parameters_goes_both_ways(nu_plus, nu_minus, n_plus, n_minus):
    nu, gamma = to_nu_gamma(nu_plus, nu_minus, n_plus, n_minus)
    limit = largest_nu(gamma, n_plus, n_minus)
    assert 0 < nu <= limit * (1 + 1e-15)
    assert limit <= 1
    assert gamma == pytest.approx(nu * (n_plus + n_minus) / (2 * nu_plus * n_plus))
    assert to_nu_pair(nu, gamma, n_plus, n_minus) == pytest.approx((nu_plus, nu_minus), rel=1e-12)


@pytest.mark.parametrize("gamma", [0.2, 0.5, 0.7])
def test_proposition_1_the_largest_nu_is_feasible_and_more_is_not(gamma):
    K, y, weights = drawn(0)
    n_plus, n_minus = class_weights(y, weights)
    limit = largest_nu(gamma, n_plus, n_minus)
    assert max(to_nu_pair(limit, gamma, n_plus, n_minus)) == pytest.approx(1.0)
    assert nu_reference(K, y, weights, limit, gamma).sum() == pytest.approx(limit, rel=1e-6)
    with pytest.raises(ValueError, match=rf"at most {limit:.6g}"):
        to_nu_pair(limit * 1.001, gamma, n_plus, n_minus)


@pytest.mark.parametrize("value", [-0.1, 0.0, 1.0001, 2.0, np.nan])
@pytest.mark.parametrize("name", ["nu_plus", "nu_minus"])
def test_proposition_4_outside_the_range_is_refused_with_the_range(name, value):
    K, y, weights = drawn(0)
    pair = {"nu_plus": 0.5, "nu_minus": 0.5, name: value}
    with pytest.raises(ValueError, match=f"{name} must lie above 0 and be at most 1"):
        solve_dual_nu(K, y, weights, **pair)
    with pytest.raises(ValueError, match=name):
        to_nu_gamma(**pair, n_plus=3, n_minus=4)


def test_an_asymmetry_at_its_end_has_no_pair():
    with pytest.raises(ValueError, match="one class costs nothing"):
        to_nu_pair(0.1, 1.0, 10, 10)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="two classes"):
        solve_dual_nu(np.eye(3), np.ones(3), np.ones(3), 0.5, 0.5)
    with pytest.raises(ValueError, match="two classes"):
        solve_dual_cost(np.eye(3), np.array([1.0, 1, -1]), np.array([1.0, 1, 0]), 1.0, 0.5)


# ---------------------------------------------------------------- Proposition 3


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), nu_plus=shares, nu_minus=shares, sigma=st.floats(0.3, 2.0))
def test_proposition_3_bounds_margin_errors_and_support_vectors(seed, nu_plus, nu_minus, sigma):
    K, y, weights = drawn(seed, n=40, sigma=sigma)
    end = solve_dual_nu(K, y, weights, nu_plus, nu_minus, tol=TIGHT)
    if end.is_trivial or not end.converged:
        return
    slack = y * (K @ (y * end.alpha) + end.offset) - end.margin
    for sign, nu in ((1, nu_plus), (-1, nu_minus)):
        mine = y == sign
        errors = slack[mine] < -1e-5 * end.margin
        assert errors.mean() <= nu + 1e-9
        assert (end.alpha[mine] > 0).mean() >= nu - 1e-9


# ---------------------------------------------------------------- Theorems 1 to 3


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10**6),
    gamma=st.floats(0.15, 0.85),
    C=st.floats(-1, 3).map(lambda p: 10.0**p),
    sigma=st.floats(0.3, 1.5),
)
def test_theorem_1_a_cost_solution_solves_a_nu_problem(seed, gamma, C, sigma):
    K, y, weights = drawn(seed, n=30, sigma=sigma)
    cost = solve_dual_cost(K, y, weights, C, gamma, tol=TIGHT)
    n = len(y)
    nu = cost.alpha.sum() / (C * n)
    pair = to_nu_pair(nu, gamma, *class_weights(y, weights))
    as_nu = dual_nu_certificate(K, cost.alpha / (C * n), y, weights, *pair)
    assert as_nu.duality_gap <= 1e-7
    own = solve_dual_nu(K, y, weights, *pair, tol=TIGHT)
    assert own.objective == pytest.approx(as_nu.objective, rel=1e-7)
    bound = np.where(y > 0, gamma, 1 - gamma) / n
    free = (own.alpha > 1e-9 * bound) & (own.alpha < (1 - 1e-9) * bound)
    if free[y > 0].any() and free[y < 0].any():
        # With a free point in each class ρ is unique, and the theorem's proof says what it is.
        assert own.margin == pytest.approx(1 / (C * n), rel=1e-4)


@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), nu_plus=shares, nu_minus=shares, sigma=st.floats(0.3, 1.5))
def test_theorem_2_a_nu_solution_solves_a_cost_problem(seed, nu_plus, nu_minus, sigma):
    K, y, weights = drawn(seed, n=30, sigma=sigma)
    end = solve_dual_nu(K, y, weights, nu_plus, nu_minus, tol=TIGHT)
    assert not end.is_trivial
    assert end.margin > 0
    n = len(y)
    C = 1 / (end.margin * n)
    _, gamma = to_nu_gamma(nu_plus, nu_minus, *class_weights(y, weights))
    as_cost = dual_cost_certificate(K, C * n * end.alpha, y, weights, C, gamma)
    assert as_cost.duality_gap <= 1e-6
    own = solve_dual_cost(K, y, weights, C, gamma, tol=TIGHT)
    assert own.objective == pytest.approx(as_cost.objective, rel=1e-6)


@pytest.mark.parametrize("gamma", [0.25, 0.5, 0.6])
@pytest.mark.parametrize("seed", range(3))
def test_theorem_3_the_sum_falls_from_its_largest_value_as_the_cost_grows(seed, gamma):
    K, y, weights = drawn(seed, n=30)
    costs = 10.0 ** np.arange(-5, 7)
    ends = [solve_dual_cost(K, y, weights, C, gamma, tol=1e-10) for C in costs]
    nus = [end.alpha.sum() / (C * 30) for end, C in zip(ends, costs, strict=True)]
    assert nus[0] == pytest.approx(largest_nu(gamma, *class_weights(y, weights)), rel=1e-9)
    assert np.all(np.diff(nus) <= 1e-7)
    # A Gaussian kernel separates distinct points: ν_* = 0 (Remark 1).
    assert nus[-1] < 1e-3


@pytest.mark.parametrize("seed", range(3))
def test_theorem_3_below_the_limit_the_solution_is_trivial(seed):
    """Classes that no line separates: a linear kernel leaves nothing below ν_*."""
    rng = np.random.default_rng(seed)
    y = np.repeat([1.0, -1.0], 20)
    X = rng.normal(size=(40, 2)) + 0.3 * y[:, None]
    K, weights = X @ X.T, np.ones(40)
    large = solve_dual_cost(K, y, weights, 1e5, 0.5, tol=1e-9)
    limit = large.alpha.sum() / (1e5 * 40)
    assert 0 < limit < 1
    below = solve_dual_nu(K, y, weights, *to_nu_pair(0.9 * limit, 0.5, 20, 20))
    assert below.is_trivial
    assert below.converged
    assert below.offset == below.margin == 0.0
    assert below.objective == pytest.approx(0.0, abs=1e-12)
    above = solve_dual_nu(K, y, weights, *to_nu_pair(1.1 * limit, 0.5, 20, 20))
    assert not above.is_trivial
    assert above.margin > 0


# ---------------------------------------------------------------- special cases


def test_all_points_are_margin_errors_at_one():
    """ν₊ = ν₋ = 1: every coefficient at its bound, the difference of two Parzen estimates."""
    K, y, weights = drawn(1)
    end = solve_dual_nu(K, y, weights, 1.0, 1.0)
    n_plus, n_minus = class_weights(y, weights)
    nu, _ = to_nu_gamma(1.0, 1.0, n_plus, n_minus)
    np.testing.assert_allclose(end.alpha, 0.5 * nu / np.where(y > 0, n_plus, n_minus), rtol=1e-14)
    assert end.n_iter == 0
    assert np.all(y * (K @ (y * end.alpha) + end.offset) <= end.margin * (1 + 1e-12))


@pytest.mark.parametrize(("gamma", "called"), [(0.0, -1.0), (1.0, 1.0)])
def test_a_class_that_costs_nothing_is_given_up(gamma, called):
    K, y, weights = drawn(2)
    end = solve_dual_cost(K, y, weights, 3.0, gamma)
    assert end.converged
    assert not end.alpha.any()
    assert end.offset == called


@pytest.mark.parametrize("seed", range(3))
def test_equal_costs_are_the_usual_svm(seed):
    from sklearn.svm import SVC

    K, y, weights = drawn(seed, n=60)
    end = solve_dual_cost(K, y, weights, 6.0, 0.5, tol=1e-10)
    peer = SVC(C=3.0, kernel="precomputed", tol=1e-8).fit(K, y)
    np.testing.assert_allclose(
        K @ (y * end.alpha) + end.offset, peer.decision_function(K), atol=1e-5
    )


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("nu", [0.2, 0.5])
def test_balanced_cost_is_the_usual_nu_svm(seed, nu):
    from sklearn.svm import NuSVC

    K, y, weights = drawn(seed, n=60, share=2)
    end = solve_dual_nu(K, y, weights, *to_nu_pair(nu / 2, 0.5, 30, 30), tol=1e-10)
    peer = NuSVC(nu=nu, kernel="precomputed", tol=1e-8).fit(K, y)
    theirs = np.zeros(60)
    theirs[peer.support_] = np.abs(peer.dual_coef_.ravel())
    theirs *= end.alpha.sum() / theirs.sum()
    assert end.objective == pytest.approx(quadratic(K, y, theirs), rel=1e-6)
    decided = np.abs(peer.decision_function(K)) > 0.05
    ours = np.sign(K @ (y * end.alpha) + end.offset)
    np.testing.assert_array_equal(ours[decided], peer.predict(K)[decided])


def test_a_doubled_point_counts_as_one_of_twice_the_weight():
    K, y, weights = drawn(3)
    heavy = weights.copy()
    heavy[:4] = 2.0
    rows = np.concatenate([np.arange(len(y)), np.arange(4)])
    once = solve_dual_nu(K, y, heavy, 0.4, 0.3, tol=TIGHT)
    twice = solve_dual_nu(K[np.ix_(rows, rows)], y[rows], np.ones(len(rows)), 0.4, 0.3, tol=TIGHT)
    assert once.objective == pytest.approx(twice.objective, rel=1e-9)
    assert once.offset == pytest.approx(twice.offset, rel=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_a_start_from_elsewhere_leads_to_the_same_place(seed):
    K, y, weights = drawn(seed, n=80)
    for pair, other in (((0.2, 0.6), (0.8, 0.3)), ((0.7, 0.7), (0.1, 0.2))):
        cold = solve_dual_nu(K, y, weights, *pair, tol=TIGHT)
        start = solve_dual_nu(K, y, weights, *other).alpha
        warm = solve_dual_nu(K, y, weights, *pair, start=start, tol=TIGHT)
        np.testing.assert_allclose(warm.alpha, cold.alpha, atol=1e-5 * cold.alpha.max())
    cold = solve_dual_cost(K, y, weights, 4.0, 0.4, tol=TIGHT)
    start = solve_dual_cost(K, y, weights, 40.0, 0.7).alpha
    warm = solve_dual_cost(K, y, weights, 4.0, 0.4, start=start, tol=TIGHT)
    np.testing.assert_allclose(warm.alpha, cold.alpha, atol=1e-5 * cold.alpha.max())


def test_a_large_problem_is_solved_in_working_sets_without_a_stored_matrix():
    rng = np.random.default_rng(0)
    y = np.where(np.arange(2400) % 3 == 0, 1.0, -1.0)
    X = rng.normal(size=(2400, 2)) + 0.8 * y[:, None]
    kernel = GaussianKernel(0.8)
    columns = KernelRows(kernel, X)
    end = solve_dual_nu(columns, y, np.ones(2400), 0.3, 0.2)
    assert end.converged
    assert end.n_iter > 1
    stored = dual_nu_certificate(kernel.gram(X, X), end.alpha, y, np.ones(2400), 0.3, 0.2)
    assert stored.duality_gap <= 1.1e-6


def test_the_certificate_does_not_believe_bad_coefficients():
    K, y, weights = drawn(4)
    end = solve_dual_cost(K, y, weights, 5.0, 0.5, tol=TIGHT)
    halved = dual_cost_certificate(K, 0.5 * end.alpha, y, weights, 5.0, 0.5)
    best = end.objective
    assert halved.duality_gap * abs(halved.objective) >= halved.objective - best > 0
    again = dual_cost_certificate(K, end.alpha, y, weights, 5.0, 0.5)
    assert again[1:6] == pytest.approx(end[1:6], abs=1e-12)


def test_a_callback_sees_progress_and_may_stop():
    K, y, weights = drawn(5, n=200, sigma=2.0)
    seen = []
    end = solve_dual_cost(K, y, weights, 1e4, 0.5, callback=lambda p: bool(seen.append(p)) or True)
    assert len(seen) == 1
    assert seen[0].done == 0
    assert end.n_iter == 0
    assert not end.converged


def test_the_hessian_of_the_reference_is_the_thesis_matrix():
    K, y, _ = drawn(0, n=3)
    np.testing.assert_allclose(hessian(K, y), [[a * b for b in y] for a in y] * K)
