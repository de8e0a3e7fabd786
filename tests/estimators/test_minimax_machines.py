"""The minimax probability machine as an estimator: kernels, weights, uncertainty, its bound."""

import numpy as np
import pytest

from nestviz import MinimaxProbabilityMachine, make_sample
from nestviz.kernels import GaussianKernel
from nestviz.solvers.minimax_machine import solve_machine


@pytest.fixture(scope="module")
def data():
    return make_sample("banana", random_state=3, n=120)


def test_linear_is_the_solver_on_means_and_covariances(data):
    plus, minus = data.X[data.y == 1], data.X[data.y == -1]
    rho = (0.2, 0.05)
    end = solve_machine(
        plus.mean(axis=0),
        minus.mean(axis=0),
        np.cov(plus.T, bias=True) + rho[0] * np.eye(2),
        np.cov(minus.T, bias=True) + rho[1] * np.eye(2),
    )
    machine = MinimaxProbabilityMachine(kernel="linear", covariance_uncertainty=rho)
    machine.fit(data.X, data.y)
    assert machine.kappa_ == pytest.approx(end.kappa)
    np.testing.assert_allclose(
        machine.decision_function(data.X), data.X @ end.normal + end.offset, atol=1e-10
    )


def test_kernel_form_by_the_formulas_of_the_paper(data):
    """γᵀ(K̃ᵀK̃/N + ρK)γ per class, with K̃ the rows of a class minus their mean."""
    rho, sigma = 0.02, 0.7
    machine = MinimaxProbabilityMachine(sigma, covariance_uncertainty=rho).fit(data.X, data.y)
    gamma = machine.alpha_[0]
    K = GaussianKernel(sigma).gram(data.X, data.X)
    deviation, means = [], []
    for sign in (1, -1):
        rows = K[data.y == sign]
        centred = rows - rows.mean(axis=0)
        deviation.append(np.sqrt(((centred @ gamma) ** 2).mean() + rho * gamma @ K @ gamma))
        means.append(rows.mean(axis=0) @ gamma)
    assert means[0] - means[1] == pytest.approx(1.0)
    assert sum(deviation) == pytest.approx(machine.objective_, rel=1e-7)
    assert means[0] + machine.intercept_ == pytest.approx(machine.kappa_ * deviation[0], rel=1e-6)
    # No direction near by is better: the optimum of a convex function.
    rng = np.random.default_rng(0)
    for _ in range(20):
        step = gamma + 1e-3 * np.abs(gamma).max() * rng.normal(size=len(gamma))
        total = 0.0
        for sign in (1, -1):
            rows = K[data.y == sign]
            spread = ((rows - rows.mean(axis=0)) @ step).var() + rho * step @ K @ step
            total += np.sqrt(spread)
        apart = (K[data.y == 1].mean(axis=0) - K[data.y == -1].mean(axis=0)) @ step
        assert total / apart >= machine.objective_ * (1 - 1e-9)


def test_a_precomputed_kernel_is_the_kernel(data):
    K = GaussianKernel(0.7).gram(data.X, data.X)
    named = MinimaxProbabilityMachine(0.7).fit(data.X, data.y)
    given = MinimaxProbabilityMachine(kernel="precomputed").fit(K, data.y)
    assert given.kappa_ == pytest.approx(named.kappa_)
    np.testing.assert_allclose(
        given.decision_function(K), named.decision_function(data.X), atol=1e-6
    )


def test_weights_count_points(data):
    weights = np.random.default_rng(1).integers(1, 4, size=len(data.y))
    often = np.repeat(np.arange(len(data.y)), weights)
    weighted = MinimaxProbabilityMachine(0.7).fit(data.X, data.y, sample_weight=weights)
    repeated = MinimaxProbabilityMachine(0.7).fit(data.X[often], data.y[often])
    assert weighted.kappa_ == pytest.approx(repeated.kappa_)
    np.testing.assert_allclose(
        weighted.decision_function(data.X), repeated.decision_function(data.X), atol=1e-7
    )


def test_uncertainty_lowers_the_bound_and_of_means_only_that(data):
    fits = [
        MinimaxProbabilityMachine(0.7, mean_uncertainty=nu).fit(data.X, data.y)
        for nu in (0.0, 0.3, 50.0)
    ]
    kappa = fits[0].kappa_
    assert fits[0].accuracy_bound_ == pytest.approx(kappa**2 / (1 + kappa**2))
    assert fits[1].accuracy_bound_ == pytest.approx((kappa - 0.3) ** 2 / (1 + (kappa - 0.3) ** 2))
    assert fits[2].accuracy_bound_ == 0.0
    np.testing.assert_array_equal(
        fits[0].decision_function(data.X), fits[2].decision_function(data.X)
    )
    wider = MinimaxProbabilityMachine(0.7, covariance_uncertainty=0.5).fit(data.X, data.y)
    assert wider.accuracy_bound_ < fits[0].accuracy_bound_


@pytest.mark.parametrize("kernel", ["linear", "gaussian"])
def test_the_bound_holds_for_the_points_themselves(data, kernel):
    """Their own distribution has exactly these moments, and the bound is for the worst."""
    machine = MinimaxProbabilityMachine(0.7, kernel=kernel).fit(data.X, data.y)
    assert max(machine.error_rates(data.X, data.y)) <= 1 - machine.accuracy_bound_ + 1e-9


def test_wrong_parameters_are_sentences(data):
    for options, message in (
        ({"covariance_uncertainty": -1.0}, "must not be negative"),
        ({"covariance_uncertainty": (1.0, 2.0, 3.0)}, "one for each class"),
        ({"mean_uncertainty": -0.1}, "must not be negative"),
        ({"kernel": "cubic"}, "kernel must be"),
    ):
        with pytest.raises(ValueError, match=message):
            MinimaxProbabilityMachine(**options).fit(data.X, data.y)
    with pytest.raises(ValueError, match="origin"):
        MinimaxProbabilityMachine(kernel="linear").fit(np.zeros((4, 2)), [0, 0, 1, 1])
