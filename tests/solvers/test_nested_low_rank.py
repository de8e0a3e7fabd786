"""Kernel matrices of low numerical rank: one feature, points on a line, a wide kernel.

Solves take few rounds there, too. No test rests on time: rounds are counted.
"""

import numpy as np
import pytest
from nested_reference import CostSensitive, OneClass, objective, reference, worst_condition

from nestviz.kernels import GaussianKernel
from nestviz.solvers.cholesky import ridge_cholesky, solve_transposed
from nestviz.solvers.nested.limits import lambda_oc
from nestviz.solvers.nested.newton import step_within_limits
from nestviz.solvers.nested.solve import solve_one_class

GAMMA = np.linspace(0.0, 1.0, 5)


def on_a_line(N, seed=0):
    """Two classes of overlapping normal distributions, one feature."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(N) % 2 == 0, 1.0, -1.0)
    return rng.normal(size=(N, 1)) + 0.5 * y[:, None], y


def posed(X, y, sigma=0.2, lam=1.0, gamma=GAMMA):
    return CostSensitive(GaussianKernel(sigma).gram(X, X), y, np.ones(len(y)), lam, gamma)


def in_five_features(N):
    X, y = on_a_line(N)
    return X * np.array([1.0, 2.0, 0.0, -1.0, 0.5]) / 2.5, y


def rounded(N):
    X, y = on_a_line(N)
    return np.round(X, 2), y


# Rounds before Newton steps passed all limits: 114, over 300, 240, over 300, over 300 and 266.
CRAWLED = [
    pytest.param(on_a_line(500), {}, 15, id="line"),
    pytest.param(on_a_line(1000), {}, 45, id="longer line"),
    pytest.param(on_a_line(2000), {"gamma": np.array([0.5])}, 60, id="one asymmetry"),
    pytest.param(in_five_features(1000), {}, 45, id="line in five features"),
    pytest.param(rounded(1000), {}, 45, id="two decimals"),
    pytest.param(on_a_line(400, seed=1), {"lam": 0.1, "gamma": np.linspace(0.0, 1.0, 11)}, 15,
                 id="small lambda"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "options", "rounds"), CRAWLED)
def test_few_rounds_for_two_classes(data, options, rounds):
    problem = posed(*data, **options)
    solution = problem.solve(max_iter=rounds)
    assert solution.n_iter < rounds
    assert solution.converged
    certificate = problem.certify(solution.alpha)
    assert 0.0 <= certificate.duality_gap <= 1e-6
    assert certificate.kkt_residual <= 1e-3


def test_few_rounds_for_one_class():
    """Working sets of 100 violators took 105 rounds, of 5,000 points more than 1,000."""
    X, _ = on_a_line(2000, seed=1)
    K, upper = GaussianKernel(0.2).gram(X, X), np.full(2000, 1 / 2000)
    solution = solve_one_class(K, upper, np.array([0.3 * lambda_oc(K, upper)]), max_iter=60)
    assert solution.n_iter < 60
    assert solution.converged
    assert solution.duality_gap <= 1e-6


@pytest.mark.parametrize("sigma", [0.05, 0.2, 0.5, 2.0])
def test_the_optimum_is_that_of_a_general_solver(sigma):
    X, y = on_a_line(150)
    K = GaussianKernel(sigma).gram(X, X)
    upper = np.full(150, 1 / 150)
    for problem in (
        posed(X, y, sigma, gamma=np.linspace(0.0, 1.0, 4)),
        posed(X, y, sigma, lam=0.1, gamma=np.array([0.3])),
        OneClass(K, upper, np.linspace(lambda_oc(K, upper), 1e-3, 4)),
    ):
        solution = problem.solve(tol=1e-9)
        assert solution.converged
        assert solution.objective == pytest.approx(objective(problem, reference(problem)), rel=1e-7)
        assert worst_condition(problem, solution.alpha) < 1e-4


def low_rank_step(n=200, rank=5):
    """A Newton step on more blocks than the rank of their matrix, with limits on all sides."""
    rng = np.random.default_rng(0)
    A = rng.normal(size=(n, rank))
    H, g, x = A @ A.T, rng.normal(size=n), rng.uniform(0.2, 0.8, n)
    U, works = ridge_cholesky(np.triu(H), (1e-10,))
    assert works
    w = -g
    solve_transposed(U, n, w)
    return H, g, x, (U, w), (np.zeros(n), np.ones(n), np.zeros(n, dtype=np.bool_))


def test_a_step_ends_at_a_minimum_between_its_limits():
    H, g, x, system, limits = low_rank_step()
    start = x.copy()
    step_within_limits(*system, x, *limits)
    free = (x > 0) & (x < 1)
    assert free.sum() <= 5
    np.testing.assert_allclose((g + H @ (x - start))[free], 0.0, atol=1e-6)


def test_a_step_cut_into_slices_is_the_same(monkeypatch):
    _, _, whole, system, limits = low_rank_step()
    step_within_limits(*system, whole, *limits)
    _, _, sliced, system, limits = low_rank_step()
    monkeypatch.setattr("nestviz.solvers.nested.newton.SLICE", 1)
    step_within_limits(*system, sliced, *limits)
    assert np.array_equal(whole, sliced)


def test_equal_input_gives_equal_bits():
    problem = posed(*on_a_line(600))
    assert np.array_equal(problem.solve().alpha, problem.solve().alpha)
