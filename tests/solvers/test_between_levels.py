"""The gap between levels: a bound that holds at every level, and levels inserted by it."""

import numpy as np
import pytest
from qpsolvers import solve_qp

from nestviz import make_sample
from nestviz.kernels import GaussianKernel
from nestviz.solvers.columns import StoredMatrix
from nestviz.solvers.nested.adaptive import gap_curve, level_gaps, solve_adaptive
from nestviz.solvers.nested.between import Segment, gaps_at, worst
from nestviz.solvers.nested.feasible import (
    cost_sensitive_bounds,
    is_cost_sensitive_feasible,
    is_one_class_feasible,
)
from nestviz.solvers.nested.limits import lambda_oc
from nestviz.solvers.nested.problems import CostSensitiveProblem, OneClassProblem
from nestviz.solvers.nested.solve import solve_at, solve_cost_sensitive, solve_one_class

N = 24
LEVELS_PER_SEGMENT = 200


def one_class(n=N, sigma=0.5, seed=0, weighted=False):
    X = make_sample("banana", n=n, random_state=seed).X
    K = GaussianKernel(sigma).gram(X, X)
    upper = np.random.default_rng(seed).uniform(0.5, 1.5, n)
    return OneClassProblem(StoredMatrix(K), upper / upper.sum(), weighted)


def two_classes(n=N, sigma=0.7, lam=0.5, seed=0, weighted=False):
    data = make_sample("banana", n=n, random_state=seed)
    K = GaussianKernel(sigma).gram(data.X, data.X)
    return CostSensitiveProblem(StoredMatrix(K), data.y.astype(float), np.ones(n), lam, weighted)


def ends(problem):
    if isinstance(problem, CostSensitiveProblem):
        return np.array([0.0, 0.5, 1.0])
    top = lambda_oc(problem.columns, problem.upper)
    return np.array([1.0, 0.5, 1e-6]) * top


def solved(problem, levels, nested=True):
    """Coefficients at these levels, nested or each level on its own."""
    one = isinstance(problem, OneClassProblem)
    solve, given = (solve_one_class if one else solve_cost_sensitive), tuple(problem)[:-1]
    if nested:
        return solve(*given, levels, tol=1e-10).alpha
    return np.concatenate([solve(*given, level[None], tol=1e-10).alpha for level in levels])


def matrix(problem):
    return problem.columns.block(np.arange(len(problem.columns.diagonal)))


def quadratic(problem, level):
    """Q and the upper bounds of min ½ αᵀQα − Σα at one level, written as in the paper."""
    if isinstance(problem, OneClassProblem):
        return matrix(problem) / level, problem.upper
    bounds = cost_sensitive_bounds(problem.y, problem.weights, np.array([level]))[0]
    return problem.y[:, None] * problem.y * matrix(problem) / problem.lam, bounds


def true_gap(problem, levels, alpha, m, level, nested):
    """How much better the best coefficients at a level are, by an independent solver."""
    t = (level - levels[m]) / (levels[m + 1] - levels[m])
    mine = (1 - t) * alpha[m] + t * alpha[m + 1]
    Q, upper = quadratic(problem, level)
    low = np.zeros(N)
    if nested and isinstance(problem, OneClassProblem):
        low = alpha[m] * level / levels[m]
        upper = np.minimum(upper, alpha[m + 1] * level / levels[m + 1])
    elif nested:
        low = np.minimum(alpha[m], alpha[m + 1])
        upper = np.minimum(upper, np.maximum(alpha[m], alpha[m + 1]))
    upper = np.maximum(upper, low)
    # In units of the bounds: near λ = 0 they are a millionth.
    unit = max(upper.max(), 1e-300)
    best = solve_qp(
        Q * unit, -np.ones(N), lb=low / unit, ub=upper / unit, solver="piqp",
        eps_abs=1e-13, eps_rel=1e-13,
    )  # fmt: skip
    best = np.clip(best * unit, low, upper)

    def value(a):
        return value_at(problem, a, level)

    unit = value(mine)
    if isinstance(problem, CostSensitiveProblem):
        unit = np.mean([value_at(problem, a, x) for a, x in zip(alpha, levels, strict=True)])
    return (value(best) - value(mine)) / unit


def value_at(problem, alpha, level):
    Q, _ = quadratic(problem, level)
    return alpha.sum() - 0.5 * alpha @ Q @ alpha


def random_segment(seed, n=12):
    """Any linear functions with distances that are not negative."""
    rng = np.random.default_rng(seed)
    residual = rng.normal(size=(2, n)) * rng.choice([0.0, 1e-6, 1.0], size=(2, n))
    below, above, beside = rng.exponential(size=(3, 2, n)) * rng.choice([0.0, 1.0], size=(3, 2, n))
    return Segment(residual, below, above, beside, rng.uniform(0.1, 2.0, 3))


@pytest.mark.parametrize("seed", range(40))
def test_the_largest_gap_of_a_segment_is_exact(seed):
    segment = random_segment(seed)
    found = worst(segment)
    t = np.linspace(0.0, 1.0, 4001)
    sampled = gaps_at(segment, t)
    assert found.gap >= sampled.max() * (1 - 1e-12)
    # Sampling comes close to it: it is not only a bound.
    near = np.clip(found.t + np.array([-1e-9, 0.0, 1e-9]), 0.0, 1.0)
    assert found.gap == pytest.approx(gaps_at(segment, near).max(), rel=1e-6)


@pytest.mark.parametrize("nested", [True, False], ids=["nested", "plain"])
@pytest.mark.parametrize("problem", [one_class(), two_classes()], ids=["one class", "two classes"])
def test_the_bound_holds_at_random_levels_of_every_segment(problem, nested):
    rng, first = np.random.default_rng(1), ends(problem)
    levels = np.linspace(first[0], first[-1], 4)
    alpha = solved(problem, levels, nested)
    field = problem.columns.product(problem.variables(alpha, levels))
    bound = level_gaps(problem, levels, alpha, field, nested=nested)
    ratios = []
    for m in range(len(levels) - 1):
        at = rng.uniform(*sorted(levels[m : m + 2]), LEVELS_PER_SEGMENT)
        curve = gap_curve(problem, levels, alpha, at, nested=nested)
        truth = np.array([true_gap(problem, levels, alpha, m, x, nested) for x in at])
        assert np.all(truth <= curve + 1e-8)
        assert np.all(curve <= bound.gaps[m] * (1 + 1e-9))
        ratios.append(bound.gaps[m] / truth.max())
    # The certificate is no more than this many times the largest error that it bounds.
    if not nested and isinstance(problem, OneClassProblem):
        ratios.pop()  # Near λ = 0 a slack of the plain problem costs more than the whole objective
    assert max(ratios) <= 2.5


@pytest.mark.parametrize(
    "problem", [one_class(60, weighted=True), two_classes(60, weighted=True)], ids=["one", "two"]
)
@pytest.mark.parametrize("level_tol", [1e-2, 1e-3])
def test_inserted_levels_bring_the_gap_below_the_tolerance(problem, level_tol):
    first = ends(problem)
    found = solve_adaptive(
        problem, first, level_tol=level_tol, max_levels=200, tol=1e-8, max_iter=1000
    )
    levels, alpha = found.levels, found.solution.alpha
    assert found.solution.converged
    assert np.isin(first, levels).all()
    at = np.random.default_rng(0).uniform(*sorted(first[[0, -1]]), 2000)
    assert gap_curve(problem, levels, alpha, at).max() <= found.round_gaps[-1] <= level_tol
    assert found.round_gaps[:-1].min() > level_tol  # No round without need
    assert found.rounds.max() == len(found.round_gaps) - 1
    if isinstance(problem, OneClassProblem):
        assert is_one_class_feasible(alpha, problem.upper, levels)
    else:
        assert is_cost_sensitive_feasible(alpha, problem.y, problem.weights, levels)
    # The same as a solve at these levels from zero.
    again = solve_at(problem, levels, 1e-8, 1000).alpha
    np.testing.assert_allclose(alpha, again, atol=1e-6 * alpha.max())
    # Fewer than evenly spaced levels would have to be.
    grid = np.linspace(first[0], first[-1], len(levels))
    even = solved(problem, grid)
    field = problem.columns.product(problem.variables(even, grid))
    assert level_gaps(problem, grid, even, field).gap > found.round_gaps[-1]


def test_a_largest_number_of_levels_and_a_callback_end_it():
    problem = one_class(60)
    few = solve_adaptive(
        problem, ends(problem), level_tol=1e-6, max_levels=7, tol=1e-8, max_iter=1000
    )
    assert len(few.levels) == 7
    assert few.solution.converged
    assert few.round_gaps[-1] > 1e-6
    seen = []
    stopped = solve_adaptive(
        problem, ends(problem), level_tol=1e-6, max_levels=99, tol=1e-8, max_iter=1000,
        callback=lambda progress: seen.append(progress.done) or len(seen) > 4,
    )  # fmt: skip
    assert seen == sorted(seen)
    assert len(seen) == 5
    assert is_one_class_feasible(stopped.solution.alpha, problem.upper, stopped.levels)
    assert not stopped.solution.converged


def test_interpolated_levels_are_feasible_and_keep_the_value_between_those_of_the_ends():
    problem = one_class()
    levels = ends(problem)
    alpha = solved(problem, levels)
    t = np.linspace(0.0, 1.0, 50)[:, None]
    for m in range(2):
        level = (1 - t) * levels[m] + t * levels[m + 1]
        mine = (1 - t) * alpha[m] + t * alpha[m + 1]
        ratio = mine / level
        assert np.all(np.diff(ratio, axis=0) >= -1e-12 * ratio[1:])
        value = mine.sum(1) - 0.5 * np.einsum("ti,ij,tj->t", mine, matrix(problem), mine) / level.T
        chord = (1 - t.T) * value[0, 0] + t.T * value[0, -1]
        assert np.all(value >= chord - 1e-14)  # Concave
