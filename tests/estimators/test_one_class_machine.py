"""The one-class minimax probability machine: its formula, its bound, its kernels."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize

from nestviz import OneClassMinimaxMachine, make_sample
from nestviz.kernels import GaussianKernel
from nestviz.solvers.one_class_machine import solve_one_class_machine


@pytest.fixture(scope="module")
def points():
    return make_sample("banana", random_state=3, n=120).X + np.array([6.0, 4.0])


def by_search(mean, covariance, kappa):
    """Solve the problem as it is stated, over a and b, by sequential quadratic programming."""

    def spread(a):
        return np.sqrt(a @ covariance @ a)

    # Scaled such that b = 1: the distance of the origin is 1/spread.
    found = minimize(
        spread,
        mean / (mean @ mean) * 3.0,
        constraints={"type": "ineq", "fun": lambda a: a @ mean - 1.0 - kappa * spread(a)},
        method="SLSQP",
        options={"ftol": 1e-11, "maxiter": 1000},
    )
    assert found.success
    return found.x


@pytest.mark.parametrize("mass", [0.3, 0.5, 0.7])
@pytest.mark.parametrize("seed", range(3))
def test_the_half_space_is_the_optimum_of_the_stated_problem(mass, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3)) @ rng.normal(size=(3, 3)) + rng.uniform(3, 6, size=3)
    mean, covariance = X.mean(axis=0), np.cov(X.T, bias=True)
    kappa = np.sqrt(mass / (1 - mass))
    machine = OneClassMinimaxMachine(kernel="linear", mass=mass, covariance_uncertainty=0.0).fit(X)
    assert machine.zeta_ > kappa
    expected = by_search(mean, covariance, kappa)
    normal = X.T @ machine.alpha_[0]
    np.testing.assert_allclose(normal / machine.level_, expected, rtol=1e-4)
    distance = machine.level_ / np.sqrt(normal @ covariance @ normal)
    assert distance == pytest.approx(machine.zeta_ - kappa, rel=1e-9)
    assert distance >= 1 / np.sqrt(expected @ covariance @ expected) * (1 - 1e-9)
    assert max(machine.duality_gap_, machine.kkt_residual_) < 1e-9


def test_kernel_form_by_its_own_formulas(points):
    """Σ as an operator on coefficients: K̃ᵀK̃/N + ρK, and no coefficients near by are better."""
    rho, sigma = 0.02, 0.7
    machine = OneClassMinimaxMachine(sigma, covariance_uncertainty=rho).fit(points)
    K = GaussianKernel(sigma).gram(points, points)
    c = machine.alpha_[0]

    def objective(c):
        scores = K @ c
        return np.sqrt(scores.var() + rho * c @ K @ c) / scores.mean()

    assert (K @ c).mean() == pytest.approx(1.0)
    assert objective(c) == pytest.approx(machine.objective_, rel=1e-7)
    assert machine.objective_ == pytest.approx(1 / machine.zeta_)
    rng = np.random.default_rng(0)
    for _ in range(20):
        step = 1e-3 * np.abs(c).max() * rng.normal(size=len(c))
        assert objective(c + step) >= machine.objective_ * (1 - 1e-9)


@pytest.mark.parametrize("kernel", ["linear", "gaussian"])
@pytest.mark.parametrize("mass", [0.3, 0.6, 0.75])
def test_the_bound_holds_for_the_points_themselves(points, kernel, mass):
    """Their own distribution has exactly these moments, and the bound is for the worst."""
    machine = OneClassMinimaxMachine(0.7, kernel=kernel, mass=mass).fit(points)
    assert machine.mass_bound_ == pytest.approx(mass)
    assert (machine.predict(points) > 0).mean() >= mass


@pytest.mark.parametrize("mass", [0.3, 0.7])
def test_some_distribution_attains_the_bound(mass):
    """Two places with the moments: the outer one just outside, with all the mass allowed there."""
    mean, spread, kappa = 5.0, 1.0, np.sqrt(mass / (1 - mass))
    X = np.array([mean - spread, mean + spread])[:, None]
    machine = OneClassMinimaxMachine(kernel="linear", mass=mass, covariance_uncertainty=0.0).fit(X)
    worst = np.array([mean - kappa * spread, mean + spread / kappa])
    shares = np.array([1 - mass, mass])
    assert shares @ worst == pytest.approx(mean)
    assert shares @ (worst - mean) ** 2 == pytest.approx(spread**2)
    nearly = worst - 1e-9
    assert list(machine.predict(nearly[:, None])) == [-1, 1]


def test_sets_of_all_masses_are_nested_and_have_their_levels(points):
    machine = OneClassMinimaxMachine(0.7, mass=0.5).fit(points)
    masses = np.linspace(0.1, machine.largest_mass_, 7)
    levels = [machine.level_of_mass(mass) for mass in masses]
    assert levels == sorted(levels, reverse=True)
    assert levels[-1] == pytest.approx(0.0, abs=1e-12)
    inside = [machine.family_.contains(points, level) for level in levels]
    assert all((a <= b).all() for a, b in pairwise(inside))
    assert all(one.mean() >= mass for one, mass in zip(inside, masses, strict=True))
    for mass in (0.2, 0.6):
        other = OneClassMinimaxMachine(0.7, mass=mass).fit(points)
        assert other.level_ == pytest.approx(machine.level_of_mass(mass))
        np.testing.assert_array_equal(other.alpha_, machine.alpha_)
    given = OneClassMinimaxMachine(0.7, level=machine.level_of_mass(0.6)).fit(points)
    assert given.mass_bound_ == pytest.approx(0.6)


def test_uncertainty_makes_sets_larger_and_bounds_lower(points):
    plain = OneClassMinimaxMachine(0.7, mass=0.5).fit(points)
    moved = OneClassMinimaxMachine(0.7, mass=0.5, mean_uncertainty=0.2).fit(points)
    wider = OneClassMinimaxMachine(0.7, mass=0.5, covariance_uncertainty=0.1).fit(points)
    np.testing.assert_array_equal(moved.alpha_, plain.alpha_)
    assert moved.level_ < plain.level_
    assert moved.mass_bound_ == pytest.approx(0.5)
    assert max(moved.largest_mass_, wider.largest_mass_) < plain.largest_mass_


def test_too_much_mass_is_told_and_the_largest_set_taken(points):
    with pytest.warns(UserWarning, match="is the most"):
        machine = OneClassMinimaxMachine(0.7, mass=0.9999).fit(points)
    assert machine.level_ == 0.0
    assert machine.mass_bound_ == pytest.approx(machine.largest_mass_)


def test_weights_count_points_and_a_matrix_is_a_kernel(points):
    weights = np.random.default_rng(1).integers(1, 4, size=len(points))
    often = np.repeat(np.arange(len(points)), weights)
    weighted = OneClassMinimaxMachine(0.7).fit(points, sample_weight=weights)
    repeated = OneClassMinimaxMachine(0.7).fit(points[often])
    assert weighted.zeta_ == pytest.approx(repeated.zeta_)
    K = GaussianKernel(0.7).gram(points, points)
    given = OneClassMinimaxMachine(kernel="precomputed").fit(K)
    named = OneClassMinimaxMachine(0.7).fit(points)
    np.testing.assert_allclose(
        given.decision_function(K), named.decision_function(points), atol=1e-8
    )


def test_wrong_parameters_are_sentences(points):
    for options, message in (
        ({"covariance_uncertainty": -1.0}, "must not be negative"),
        ({"covariance_uncertainty": 0.0}, "do not vary"),
        ({"mean_uncertainty": -0.1}, "must not be negative"),
        ({"mass": 1.0}, "between 0 and 1"),
        ({"mass": 0.0}, "mass must be"),
        ({"kernel": "cubic"}, "kernel must be"),
    ):
        with pytest.raises(ValueError, match=message):
            OneClassMinimaxMachine(0.7, **options).fit(points)
    with pytest.raises(ValueError, match="the origin"):
        solve_one_class_machine(np.zeros(2), np.eye(2))
