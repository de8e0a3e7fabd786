"""A certificate must refuse what is not optimal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nested_reference import OneClass, cost_sensitive, objective, one_class, reference

from nestviz.solvers.nested.feasible import (
    is_cost_sensitive_feasible,
    is_one_class_feasible,
    settle_cost_sensitive,
    settle_one_class,
)
from nestviz.solvers.nested.gap import LONGEST, best_multiples
from nestviz.solvers.records import Chains

MAKERS = [one_class, cost_sensitive]


def settled(problem, alpha):
    if isinstance(problem, OneClass):
        return settle_one_class(alpha, problem.upper, problem.levels)
    return settle_cost_sensitive(alpha, problem.y, problem.weights, problem.asymmetries)


@pytest.mark.parametrize("make", MAKERS)
def test_a_solution_is_its_own_certificate(make):
    problem = make(0, weighted=True)
    solution = problem.solve(tol=1e-8)
    proof = problem.certify(solution.alpha)
    assert proof.objective == solution.objective
    assert proof.kkt_residual == solution.kkt_residual
    assert proof.duality_gap == solution.duality_gap


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("size", [1e-1, 1e-2, 1e-3])
def test_a_perturbed_solution_is_refused(make, size):
    problem = make(1)
    alpha = problem.solve(tol=1e-10).alpha
    rng = np.random.default_rng(2)
    moved = settled(problem, alpha + size * problem.bounds() * rng.uniform(-1, 1, alpha.shape))
    assert not np.array_equal(moved, alpha)
    proof = problem.certify(moved)
    assert proof.duality_gap > 1e-6
    assert proof.kkt_residual > 1e-6


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("level", [0, 2, 3])
def test_one_wrong_coefficient_is_refused(make, level):
    """Each point in turn, at one level: moved by a hundredth of its bound, as far as it may go."""
    problem = make(3)
    alpha = problem.solve(tol=1e-11).alpha
    tried = 0
    for i in range(alpha.shape[1]):
        for size in (0.01, -0.01):
            moved = alpha.copy()
            moved[level, i] += size * problem.bounds()[level, i]
            moved = settled(problem, moved)
            worse = objective(problem, moved) - objective(problem, alpha)
            if worse > 1e-5 * abs(objective(problem, alpha)):
                tried += 1
                assert problem.certify(moved).duality_gap > 1e-6
                assert problem.certify(moved).kkt_residual > 1e-6
    assert tried > 3


@pytest.mark.parametrize("make", MAKERS)
def test_an_infeasible_solution_is_refused(make):
    problem = make(2)
    alpha = problem.solve(tol=1e-9).alpha
    falling = alpha.copy()
    falling[-1] = 0.0
    for wrong in (alpha - 1e-9, np.where(alpha == problem.bounds(), 2 * alpha, alpha), falling):
        proof = problem.certify(wrong)
        assert proof.duality_gap == np.inf
        assert proof.kkt_residual == np.inf


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("seed", range(3))
def test_the_gap_is_never_smaller_than_the_error(make, seed):
    """Weak duality: the gap bounds how far the objective is from that of a general solver."""
    problem = make(seed)
    best = objective(problem, reference(problem))
    for max_iter in (0, 1, 2):
        rough = problem.solve(tol=1e-12, max_iter=max_iter)
        error = (rough.objective - best) / abs(rough.objective)
        assert rough.duality_gap >= error - 1e-9


@pytest.mark.parametrize("make", MAKERS)
def test_the_residual_bounds_the_gap(make):
    problem = make(5, weighted=True)
    rng = np.random.default_rng(0)
    for _ in range(20):
        alpha = settled(problem, problem.bounds() * rng.uniform(-0.5, 1.5, problem.bounds().shape))
        proof = problem.certify(alpha)
        bound = proof.kkt_residual * problem.bounds().sum()
        assert proof.duality_gap * abs(proof.objective) <= bound * (1 + 1e-9)


@pytest.mark.parametrize("make", MAKERS)
def test_the_certificate_has_no_scale(make):
    """Weights and λ multiplied by a million: the same sets, the same certificate."""
    problem = make(6)
    if isinstance(problem, OneClass):
        other = problem._replace(upper=1e6 * problem.upper, levels=1e6 * problem.levels)
    else:
        other = problem._replace(weights=1e6 * problem.weights, lam=1e6 * problem.lam)
    alpha = settled(problem, 0.3 * problem.bounds())
    here, there = problem.certify(alpha), other.certify(settled(other, 1e6 * alpha))
    assert there.duality_gap == pytest.approx(here.duality_gap, rel=1e-9)
    assert there.kkt_residual == pytest.approx(here.kkt_residual, rel=1e-9)


@given(st.integers(0, 2**32 - 1), st.floats(1e-12, 1e3), st.integers(1, 8))
def test_settled_coefficients_are_feasible_to_the_last_bit(seed, scale, M):
    rng = np.random.default_rng(seed)
    N = 5
    levels = np.sort(scale * rng.uniform(1e-6, 1.0, M))[::-1].copy()
    upper = rng.uniform(0, 1, N) * rng.integers(0, 2, N)
    alpha = settle_one_class(rng.uniform(-0.1, 1.1, (M, N)), upper, levels)
    assert is_one_class_feasible(alpha, upper, levels)
    assert np.array_equal(settle_one_class(alpha, upper, levels), alpha)

    y = np.where(rng.uniform(size=N) < 0.5, -1.0, 1.0)
    gamma = np.sort(rng.uniform(0, 1, M))
    alpha = settle_cost_sensitive(rng.uniform(-0.1, 1.1, (M, N)), y, upper, gamma)
    assert is_cost_sensitive_feasible(alpha, y, upper, gamma)
    assert np.array_equal(settle_cost_sensitive(alpha, y, upper, gamma), alpha)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("scale", [0.02, 1.0, 50.0])
def test_no_other_multiple_of_the_primal_vector_is_better(seed, scale):
    """Against a fine grid, and against every t at which a point meets its margin."""
    rng = np.random.default_rng(seed)
    n = 40
    s = rng.choice([-1.0, 1.0], n) * rng.choice([0.5, 1.0], n)
    chains = Chains(np.ones(3), s, rng.uniform(0, 1, (3, n)))
    A = rng.normal(size=(n, n))
    b = scale * np.sign(s) * rng.uniform(0, 0.1, (3, n))
    b[2] = 0.0
    F = b @ (A @ A.T) / n
    found, lengths = best_multiples(chains, b, F)
    np.testing.assert_allclose(lengths, (b * F).sum(axis=1), rtol=1e-12)
    assert found[2] == 1.0
    for m in range(2):
        f = np.sign(s) * F[m]

        def value(t, m=m, f=f):
            slack = np.maximum(np.abs(s) - np.multiply.outer(t, f), 0.0)
            return 0.5 * t**2 * lengths[m] + slack @ chains.h[m]

        others = np.concatenate([np.linspace(0.0, LONGEST, 1001), np.abs(s) / f])
        others = others[(others >= 0.0) & (others <= LONGEST)]
        assert 0.0 <= found[m] <= LONGEST
        assert value(found[m]) <= value(others).min() * (1 + 1e-12)
