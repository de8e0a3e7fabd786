"""The nested solvers against a general QP solver, by hand, and against each other."""

import numpy as np
import pytest
from nested_reference import (
    CostSensitive,
    OneClass,
    cost_sensitive,
    objective,
    one_class,
    reference,
)

from nestviz.solvers.nested.solve import solve_cost_sensitive, solve_one_class

KINDS = [
    pytest.param(one_class, {}, id="one-class"),
    pytest.param(one_class, {"M": 1}, id="one-class, one level"),
    pytest.param(one_class, {"M": 9, "sigma": 3.0}, id="one-class, wide kernel"),
    pytest.param(one_class, {"sigma": 0.05}, id="one-class, narrow kernel"),
    pytest.param(one_class, {"weighted": True}, id="one-class, weights"),
    pytest.param(cost_sensitive, {}, id="cost-sensitive"),
    pytest.param(cost_sensitive, {"M": 1, "lam": 0.1}, id="cost-sensitive, one level"),
    pytest.param(cost_sensitive, {"M": 6, "sigma": 3.0, "lam": 0.02}, id="cs, wide kernel"),
    pytest.param(cost_sensitive, {"sigma": 0.05, "lam": 0.2}, id="cs, narrow kernel"),
    pytest.param(cost_sensitive, {"weighted": True, "lam": 0.1}, id="cost-sensitive, weights"),
]


@pytest.mark.parametrize("whole", [0, 500], ids=["in parts", "whole"])
@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(("make", "options"), KINDS)
def test_objective_of_a_general_solver(make, options, seed, whole, monkeypatch):
    monkeypatch.setattr("nestviz.solvers.nested.decomposition.WHOLE", whole)
    problem = make(seed, **options)
    solution = problem.solve(tol=1e-9)
    best = objective(problem, reference(problem))
    assert solution.converged
    assert solution.objective == pytest.approx(best, rel=1e-7)
    assert objective(problem, solution.alpha) == pytest.approx(solution.objective, rel=1e-12)


@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize(("make", "options"), KINDS)
def test_the_tolerance_asked_for_is_kept(make, options, tol):
    solution = make(3, **options).solve(tol=tol)
    assert solution.converged
    assert 0 <= solution.duality_gap <= tol
    assert solution.kkt_residual <= tol**0.5


@pytest.mark.parametrize(("make", "options"), KINDS)
@pytest.mark.parametrize("tol", [1e-2, 1e-6])
def test_constraints_hold_to_the_last_bit(make, options, tol):
    problem = make(5, **options)
    alpha = problem.solve(tol=tol).alpha
    first, second = problem.order()
    assert np.all(alpha >= 0)
    assert np.all(alpha <= problem.bounds())
    if isinstance(problem, OneClass):
        ratio = alpha / problem.levels[:, None]
        assert np.all(ratio[:-1] <= ratio[1:])
    else:
        assert np.all(first * alpha[:-1] <= second * alpha[1:])


def test_two_points_by_hand():
    """K = (1 k; k 1), u = ½: α = min(½, λ/(1 + k)) by symmetry, and no constraint between levels
    binds, for λ/(1 + k) divided by λ does not depend on λ."""
    k = 0.5
    K = np.array([[1.0, k], [k, 1.0]])
    levels = np.array([0.9, 0.6, 0.3])
    expected = np.minimum(0.5, levels / (1 + k))
    solution = solve_one_class(K, np.full(2, 0.5), levels, tol=1e-12)
    # Coefficients are known to the square root of the gap only.
    np.testing.assert_allclose(solution.alpha, np.repeat(expected[:, None], 2, 1), rtol=1e-6)
    # Σ_m [α²(1 + k)/λ − 2α]
    by_hand = np.sum(expected**2 * (1 + k) / levels - 2 * expected)
    assert solution.objective == pytest.approx(by_hand, rel=1e-12)


def test_three_points_by_hand():
    """Two coincident points and a distant one: fields are 2α and β, each wanted to be λ."""
    K = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    solution = solve_one_class(K, np.full(3, 1 / 3), np.array([0.5]), tol=1e-12)
    assert solution.alpha[0, :2].sum() == pytest.approx(0.5, rel=1e-12)
    assert solution.alpha[0, 2] == pytest.approx(1 / 3, rel=1e-15)
    # ½/λ (0.5² + 1/9) − 0.5 − 1/3 with λ = ½
    assert solution.objective == pytest.approx(0.25 + 1 / 9 - 0.5 - 1 / 3, rel=1e-12)


def test_binding_nesting_by_hand():
    """One point at its small bound v on both levels, the other free: alone, its α/λ = 1 − kv/λ
    would fall as λ falls. Nested, both levels share one β with β Σλ = Σλ − 2kv."""
    k, v = 0.5, 0.1
    K = np.array([[1.0, k], [k, 1.0]])
    levels = np.array([1.0, 0.5])
    beta = 1 - 2 * k * v / levels.sum()
    solution = solve_one_class(K, np.array([1.0, v]), levels, tol=1e-12)
    np.testing.assert_allclose(solution.alpha[:, 0], beta * levels, rtol=1e-6)
    assert np.all(solution.alpha[:, 1] == v)
    other = v / levels
    by_hand = levels @ (0.5 * (beta**2 + 2 * k * beta * other + other**2) - beta - other)
    assert solution.objective == pytest.approx(by_hand, rel=1e-12)


def test_coincident_positive_points_by_hand():
    """Two positive points at one place: 2α = λ is wanted at every γ, and α ≤ γ."""
    gamma = np.array([0.0, 0.25, 0.5, 1.0])
    solution = solve_cost_sensitive(np.ones((2, 2)), np.ones(2), np.ones(2), 0.6, gamma, tol=1e-12)
    np.testing.assert_allclose(solution.alpha.sum(axis=1), np.minimum(2 * gamma, 0.6), rtol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_nesting_binds_somewhere_or_nothing_is_tested(seed):
    problem = cost_sensitive(seed, N=30, M=5, lam=0.05)
    nested = problem.solve(tol=1e-9)
    apart = sum(
        problem._replace(asymmetries=problem.asymmetries[m : m + 1]).solve(tol=1e-9).objective
        for m in range(5)
    )
    assert nested.objective > apart + 1e-4 * abs(apart)


def test_what_does_not_bind_does_not_matter():
    """For K = I every point is alone: nested and independent solutions agree."""
    rng = np.random.default_rng(0)
    upper = rng.uniform(0.1, 1.0, 8)
    levels = np.array([0.9, 0.5, 0.2])
    together = solve_one_class(np.eye(8), upper, levels, tol=1e-12)
    for m, level in enumerate(levels):
        alone = solve_one_class(np.eye(8), upper, np.array([level]), tol=1e-12)
        np.testing.assert_allclose(together.alpha[m], alone.alpha[0], rtol=1e-12)
    np.testing.assert_allclose(together.alpha, np.minimum(upper, levels[:, None]), rtol=1e-12)


@pytest.mark.parametrize("make", [one_class, cost_sensitive])
def test_a_repeated_level_changes_nothing(make):
    problem = make(2, M=3)
    field = "levels" if isinstance(problem, OneClass) else "asymmetries"
    levels = getattr(problem, field)
    twice = problem._replace(**{field: np.repeat(levels, 2)}).solve(tol=1e-10)
    once = problem.solve(tol=1e-10)
    assert twice.objective == pytest.approx(2 * once.objective, rel=1e-9)
    np.testing.assert_allclose(twice.alpha[::2] @ problem.K, once.alpha @ problem.K, atol=1e-4)


def repeated(problem, points):
    K = problem.K[np.ix_(points, points)]
    if isinstance(problem, OneClass):
        return OneClass(K, problem.upper[points], problem.levels)
    weights = problem.weights[points]
    return CostSensitive(K, problem.y[points], weights, problem.lam, problem.asymmetries)


@pytest.mark.parametrize("make", [one_class, cost_sensitive])
def test_a_doubled_point_is_a_doubled_weight(make):
    problem = make(4)
    N = len(problem.K)
    doubled = repeated(problem, np.append(np.arange(N), 2)).solve(tol=1e-10)
    field = "upper" if isinstance(problem, OneClass) else "weights"
    weight = getattr(problem, field) * np.where(np.arange(N) == 2, 2.0, 1.0)
    weighted = problem._replace(**{field: weight}).solve(tol=1e-10)
    assert doubled.objective == pytest.approx(weighted.objective, rel=1e-9)
    merged = doubled.alpha[:, :N].copy()
    merged[:, 2] += doubled.alpha[:, N]
    np.testing.assert_allclose(merged, weighted.alpha, atol=1e-5)


@pytest.mark.parametrize("make", [one_class, cost_sensitive])
def test_permuted_points_permute_the_answer(make):
    problem = make(6)
    order = np.random.default_rng(1).permutation(len(problem.K))
    there = problem.solve(tol=1e-11).alpha[:, order]
    np.testing.assert_allclose(repeated(problem, order).solve(tol=1e-11).alpha, there, atol=1e-5)


@pytest.mark.parametrize("make", [one_class, cost_sensitive])
def test_the_same_input_gives_the_same_bits(make):
    first, second = make(7).solve(), make(7).solve()
    assert first.alpha.tobytes() == second.alpha.tobytes()
    assert first[1:] == second[1:]


@pytest.mark.parametrize("make", [one_class, cost_sensitive])
def test_swapped_classes_or_scaled_weights(make):
    problem = make(8, weighted=True)
    if isinstance(problem, OneClass):
        other = OneClass(problem.K, 3 * problem.upper, 3 * problem.levels)
        np.testing.assert_allclose(
            other.solve(tol=1e-11).alpha, 3 * problem.solve(tol=1e-11).alpha, atol=1e-5
        )
    else:
        other = problem._replace(y=-problem.y, asymmetries=1 - problem.asymmetries[::-1])
        assert other.solve(tol=1e-11).objective == pytest.approx(
            problem.solve(tol=1e-11).objective, rel=1e-9
        )
