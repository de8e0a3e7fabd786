"""What ν promises, as properties, and bounds against brute force."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from nestviz.analysis.nu.bounds import C1, C2, generalisation_bound, leave_one_out
from nestviz.analysis.nu.fractions import move_outlier, nu_curve, nu_property
from nestviz.estimators import NuOneClassSVM, OneClassPath, SoftBall
from nestviz.kernels import GaussianKernel, PolynomialKernel
from nestviz.solvers.box_sum.nu_one_class import solve_nu_one_class


def points(seed, n):
    rng = np.random.default_rng(seed)
    centres = rng.normal(scale=2.0, size=(3, 2))
    return centres[rng.integers(0, 3, n)] + rng.normal(scale=0.6, size=(n, 2))


@given(
    st.integers(0, 10_000),
    st.integers(1, 60),
    st.floats(0.01, 1.0),
    st.sampled_from([0.1, 0.5, 2.0, 10.0]),
    st.sampled_from([1e-3, 1e-6, 1e-10]),
)
@settings(max_examples=80)
def test_nu_lies_between_outliers_and_support_vectors(seed, n, nu, sigma, tol):
    """Proposition 8.3 (i) and (ii), for half-space and ball, at any accuracy of the solver."""
    X = points(seed, n)
    for make in (NuOneClassSVM, SoftBall):
        counted = nu_property(make(sigma, nu, tol=tol).fit(X), X)
        assert counted.holds
        assert counted.outliers <= nu + 1e-12
        assert counted.support_vectors >= nu - 1e-12


@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.parametrize("make", [NuOneClassSVM, SoftBall])
def test_nu_lies_between_them_for_other_kernels(make, degree):
    X = points(degree, 80)
    for nu in (0.05, 0.3, 0.8):
        assert nu_property(make(nu=nu, kernel="polynomial", degree=degree).fit(X), X).holds


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("nu", [0.1, 0.4, 0.8])
def test_with_more_points_both_fractions_come_to_nu(nu, seed):
    """Proposition 8.3 (iii): the number of margin points does not grow with the data."""
    for n, apart in ((500, 0.03), (4000, 0.004)):
        X = points(seed, n)
        counted = nu_property(NuOneClassSVM(1.5, nu).fit(X), X)
        assert nu - apart <= counted.outliers <= nu + 1e-12
        assert nu - 1e-12 <= counted.support_vectors <= nu + apart


def test_a_property_is_counted_on_the_training_points():
    X = points(0, 20)
    with pytest.raises(ValueError, match="fitted on 20 points, but X has 7"):
        nu_property(NuOneClassSVM(1.0).fit(X), X[:7])


def test_the_curve_of_the_path_is_that_of_single_solves():
    X = points(3, 60)
    curve = nu_curve(OneClassPath(0.8).fit(X), [0.11, 0.37, 0.52, 0.86])
    for k, nu in enumerate(curve.nu):
        single = nu_property(NuOneClassSVM(0.8, nu, tol=1e-12).fit(X), X)
        assert curve.outliers[k] == pytest.approx(single.outliers)
        assert curve.support_vectors[k] == pytest.approx(single.support_vectors)


def test_the_curve_stays_on_its_side_of_nu():
    curve = nu_curve(OneClassPath(0.8).fit(points(1, 80)))
    assert np.all(curve.outliers <= curve.nu + 1e-9)
    assert np.all(curve.support_vectors >= curve.nu - 1e-9)
    assert curve.nu[-1] == 1.0
    assert curve.n == 80


def an_outlier(K, nu):
    """The row furthest outside, and whether it is an outlier at all."""
    fit = solve_nu_one_class(K, np.full(len(K), 1 / (nu * len(K))), tol=1e-9)
    return int(np.argmin(fit.field)), fit.field.min() < fit.rho - 1e-4


@given(st.integers(0, 10_000), st.floats(0.15, 0.7), st.floats(-3.0, 0.98))
@settings(max_examples=40)
def test_outliers_moved_along_w_do_not_change_the_hyperplane(seed, nu, share):
    """Proposition 8.4: as long as the point stays an outlier."""
    K = GaussianKernel(0.7).gram(*[points(seed, 40)] * 2)
    row, there_is_one = an_outlier(K, nu)
    assume(there_is_one)
    limit = move_outlier(K, nu, row, 0.0).limit
    delta = max(share * limit, -0.9 * nu * 40)  # 1 + δα stays positive
    moved = move_outlier(K, nu, row, delta)
    assert moved.change <= 1e-6
    assert moved.angle <= 1e-6
    assert moved.shift <= 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_beyond_its_slack_a_moved_point_takes_the_hyperplane_along(seed):
    K = GaussianKernel(0.7).gram(*[points(seed, 40)] * 2)
    row, _ = an_outlier(K, 0.3)
    limit = move_outlier(K, 0.3, row, 0.0).limit
    moved = move_outlier(K, 0.3, row, 1.5 * limit)
    assert moved.change > 1e-3
    assert moved.angle > 1e-4


def test_a_moved_gram_matrix_is_that_of_the_moved_point():
    """Degree one: feature space can be written down, and the point really moved."""
    X = points(0, 25) + 6.0
    lifted = np.column_stack([X, np.ones(25)])
    K = PolynomialKernel(1).gram(X, X)
    nu = 0.3
    fit = solve_nu_one_class(K, np.full(25, 1 / (nu * 25)), tol=1e-9)
    row, w = int(np.argmin(fit.field)), fit.alpha @ lifted
    there = move_outlier(K, nu, row, 2.0)
    moved = lifted.copy()
    moved[row] += 2.0 * w
    again = solve_nu_one_class(moved @ moved.T, np.full(25, 1 / (nu * 25)), tol=1e-9)
    new = again.alpha @ moved
    cosine = w @ new / np.linalg.norm(w) / np.linalg.norm(new)
    assert np.cos(there.angle) == pytest.approx(cosine, abs=1e-9)


def test_only_outliers_can_be_moved():
    K = np.eye(4)
    with pytest.raises(ValueError, match="no outlier"):
        move_outlier(K, 0.5, 1, 0.1)


def brute_force(K, nu, linear=None):
    """Every point left out in turn, each time from nothing, its row and column deleted."""
    n = len(K)
    outside = np.zeros(n, dtype=bool)
    q = np.zeros(n) if linear is None else linear
    for i in range(n):
        rest = np.delete(np.arange(n), i)
        upper = np.full(n - 1, 1 / (nu * n))
        fit = solve_nu_one_class(K[np.ix_(rest, rest)], upper, linear=q[rest], tol=1e-11)
        outside[i] = fit.alpha @ K[rest, i] - q[i] < fit.rho - 1e-7
    return outside


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("nu", [0.08, 0.33, 0.71])
def test_leaving_out_is_what_it_says_and_within_its_bound(seed, nu):
    """Problem 8.13: never more errors than support vectors."""
    K = GaussianKernel(0.8).gram(*[points(seed, 35)] * 2)
    found = leave_one_out(K, nu)
    np.testing.assert_array_equal(found.outside, brute_force(K, nu))
    assert found.error <= found.bound
    assert found.error == found.outside.mean()
    assert found.solves == round(found.bound * 35)


def test_leaving_out_of_a_soft_ball():
    X = points(1, 30)
    K = PolynomialKernel(2).gram(X, X)
    half = 0.5 * K.diagonal()
    found = leave_one_out(K, 0.3, linear=half)
    np.testing.assert_array_equal(found.outside, brute_force(K, 0.3, half))
    assert found.error <= found.bound


def test_too_large_a_nu_leaves_nobody_out():
    with pytest.raises(ValueError, match=r"choose ν ≤ 0.8"):
        leave_one_out(np.eye(5), 0.9)


def test_the_theorem_is_vacuous_and_says_so():
    X = points(0, 200)
    model = NuOneClassSVM(0.8, 0.1).fit(X)
    bound = generalisation_bound(model, X, 0.5 * model.rho_)
    assert bound.is_vacuous
    assert bound.bound == 1.0
    assert bound.level == pytest.approx(0.5 * model.rho_)
    assert bound.gamma_hat == pytest.approx(
        0.5 * model.rho_ / np.sqrt(2 * model.objective_), rel=1e-12
    )
    assert bound.points_needed > 1e6


class Huge(NuOneClassSVM):
    """A fitted model that claims to have seen many points, all at one place."""

    def __init__(self, m, slack):
        self.m, self.slack = m, slack
        self.rho_, self.tolerance_, self.objective_ = 1.0, 0.0, 0.5

    def score_samples(self, X):
        scores = np.ones(self.m)
        scores[0] = 1.0 - self.slack
        return scores


def test_with_enough_points_the_formula_is_that_of_the_theorem():
    m, slack, gamma, delta = 3_000_000, 3.0, 0.9, 0.05
    found = generalisation_bound(Huge(m, slack), None, gamma, delta=delta)
    k = C1 * np.log2(C2 * gamma**2 * m) / gamma**2
    k += 2 * slack / gamma * np.log2(np.e * ((2 * m - 1) * gamma / (2 * slack) + 1)) + 2
    assert found.bound == pytest.approx(2 / m * (k + np.log2(m**2 / (2 * delta))))
    assert not found.is_vacuous
    assert found.points_needed < m
    assert found.slack == pytest.approx(slack)
    smaller = generalisation_bound(Huge(m, slack), None, 0.5, delta=delta)
    assert smaller.bound > found.bound
