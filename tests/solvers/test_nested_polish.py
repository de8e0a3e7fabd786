"""The end of a solve: every optimality condition met up to rounding."""

import numpy as np
import pytest
from nested_reference import CostSensitive, OneClass, cost_sensitive, one_class, worst_condition

from nestviz.kernels import GaussianKernel
from nestviz.solvers.columns import KernelRows, StoredMatrix
from nestviz.solvers.nested.coarse_start import share_out
from nestviz.solvers.nested.coordinate_descent import project
from nestviz.solvers.nested.feasible import cost_sensitive_chains, one_class_chains
from nestviz.solvers.nested.gap import dual_objective
from nestviz.solvers.nested.isotonic import close_ranks
from nestviz.solvers.nested.limits import lambda_cs, lambda_oc
from nestviz.solvers.nested.newton import step_within_limits
from nestviz.solvers.nested.polish import point_defects, polish
from nestviz.solvers.nested.solve import solve_one_class
from nestviz.solvers.records import Chains

MAKERS = [one_class, cost_sensitive]
T = np.arange(40) * np.pi / 20
RNG = np.random.default_rng(5)
LAYOUTS = {
    "normal": RNG.normal(size=(60, 2)),
    "repeated": RNG.normal(size=(12, 2))[RNG.integers(0, 12, 60)],
    "circle": np.column_stack([np.cos(T), np.sin(T)]),
    "lattice": np.stack(np.meshgrid(np.arange(6.0), np.arange(6.0)), -1).reshape(-1, 2) / 3,
    "one-hot": np.column_stack([np.eye(4)[np.arange(48) % 4], np.eye(3)[np.arange(48) // 4 % 3]]),
    "mirror": np.concatenate([LEFT := RNG.normal(size=(25, 2)), -LEFT]),
}


def chains_of(problem):
    if isinstance(problem, OneClass):
        return one_class_chains(*problem[1:])
    return cost_sensitive_chains(*problem[1:])


def posed(X, sigma, two_classes, M=6):
    """A problem over given points, with unequal weights."""
    K = GaussianKernel(sigma).gram(X, X)
    weights = 1.0 + 0.1 * np.cos(np.arange(len(X)))
    if not two_classes:
        upper = weights / weights.sum()
        top = lambda_oc(K, upper)
        return OneClass(K, upper, np.linspace(top, 1e-6 * top, M))
    y = np.where(np.arange(len(X)) % 3 == 0, 1.0, -1.0)
    return CostSensitive(K, y, weights, 0.02 * lambda_cs(K, y, weights), np.linspace(0, 1, M))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("sigma", [0.2, 0.7, 2.0, 8.0])
@pytest.mark.parametrize("two_classes", [False, True])
def test_margins_hold_to_rounding_on_data_of_every_layout(layout, sigma, two_classes):
    problem = posed(LAYOUTS[layout], sigma, two_classes)
    solution = problem.solve()
    assert solution.converged
    assert worst_condition(problem, solution.alpha) < 1e-12


@pytest.mark.parametrize("make", MAKERS)
def test_margins_hold_at_random_problems(make):
    for seed in range(40):
        problem = make(seed, N=10 + seed, M=1 + seed % 7, sigma=0.2 + 0.1 * seed)
        assert worst_condition(problem, problem.solve().alpha) < 1e-12


@pytest.mark.parametrize("make", MAKERS)
def test_defects_are_those_of_the_definition(make):
    for seed in range(10):
        problem = make(seed)
        chains = chains_of(problem)
        alpha = problem.solve(tol=1e-2).alpha * 0.9
        b = alpha / problem.levels[:, None] if make is one_class else problem.y * alpha
        assert point_defects(chains, b, b @ problem.K).max() > 1e-3
        assert worst_condition(problem, alpha) > 1e-3
        exact = problem.solve().alpha
        b = exact / problem.levels[:, None] if make is one_class else problem.y * exact
        assert point_defects(chains, b, b @ problem.K).max() < 1e-12


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("sigma", [0.2, 1.0, 5.0])
def test_a_polish_from_anywhere_never_makes_it_worse(make, sigma):
    for seed in range(10):
        problem = make(seed, sigma=sigma, weighted=seed % 2 == 0)
        chains = chains_of(problem)
        rng = np.random.default_rng(seed)
        b = np.sign(chains.s) * chains.h * rng.uniform(-0.3, 1.3, chains.h.shape)
        project(chains, b)
        F = b @ problem.K
        objective, defect = dual_objective(chains, b, F), point_defects(chains, b, F).max()
        polish(StoredMatrix(problem.K), chains, b, F)
        assert np.all(np.diff(b, axis=0) >= 0)
        assert np.all(np.abs(b) <= chains.h)
        assert np.all(b * np.sign(chains.s) >= 0)
        np.testing.assert_allclose(F, b @ problem.K, rtol=1e-12, atol=1e-12 * np.abs(F).max())
        assert dual_objective(chains, b, F) <= objective
        assert point_defects(chains, b, F).max() <= defect


def test_too_many_points_for_a_factor_leave_the_answer_as_it_is(monkeypatch):
    monkeypatch.setattr("nestviz.solvers.nested.polish.MOST_POINTS", 0)
    problem = one_class(3)
    chains = chains_of(problem)
    b = chains.h * 0.5
    project(chains, b)
    F = b @ problem.K
    before = b.copy()
    polish(StoredMatrix(problem.K), chains, b, F)
    assert np.array_equal(b, before)
    assert problem.solve().converged


def test_margins_hold_with_a_kernel_matrix_that_is_not_stored():
    X = np.random.default_rng(1).normal(size=(700, 2))
    kernel = GaussianKernel(0.8)
    K, upper = kernel.gram(X, X), np.full(700, 1 / 700)
    levels = np.linspace(lambda_oc(K, upper), 1e-6, 5)
    solution = solve_one_class(KernelRows(kernel, X, chunk_budget=1 << 18), upper, levels)
    assert worst_condition(OneClass(K, upper, levels), solution.alpha) < 1e-12


def test_a_block_that_meets_its_limit_lies_on_it():
    """Next to it, within rounding, it would stay free for ever."""
    for seed in range(200):
        rng = np.random.default_rng(seed)
        A = rng.normal(size=(5, 5))
        H, g, x = A @ A.T + 0.1 * np.eye(5), 10 * rng.normal(size=5), rng.uniform(0.1, 0.9, 5)
        low, high = rng.uniform(0.0, 0.1, 5), rng.uniform(0.9, 1.0, 5)
        U = np.linalg.cholesky(H).T.copy()
        step_within_limits(U, np.linalg.solve(U.T, -g), x, low, high, np.zeros(5, dtype=np.bool_))
        near = (np.abs(x - low) < 1e-12) | (np.abs(x - high) < 1e-12)
        assert np.all((x == low) | (x == high) | ~near)


def test_a_block_that_meets_its_neighbour_has_its_value():
    x, g = np.array([0.3, 0.7]), np.array([-1.0, 1.0])
    far = np.full(2, 10.0)
    step_within_limits(np.eye(2), -g, x, -far, far, np.array([True, False]))
    assert x[0] == x[1]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_coefficients_a_rounding_apart_become_one(sign):
    h = np.array([[0.3], [0.5], [0.9], [0.9]])[:: int(sign)]
    b = sign * np.array([[0.3 * (1 - 1e-15)], [0.3], [0.6], [0.6 * (1 + 1e-15)]])[:: int(sign)]
    chains = Chains(np.ones(4), np.array([sign]), np.ascontiguousarray(h))
    b = np.ascontiguousarray(b)
    close_ranks(chains, b)
    assert np.array_equal(np.abs(b[:: int(sign), 0]), [0.3, 0.3, 0.6, 0.6])


def test_shares_of_a_representative_at_its_bound_are_at_theirs():
    rng = np.random.default_rng(0)
    weights, levels = rng.uniform(0.1, 1.0, 50) / 7, np.array([0.9, 0.7, 0.3])
    chains = one_class_chains(weights, levels)
    coarse = one_class_chains(np.array([weights.sum()]), levels)
    b = share_out(chains, coarse, coarse.h.copy(), np.zeros(50, dtype=np.intp))
    assert np.array_equal(b, chains.h)
