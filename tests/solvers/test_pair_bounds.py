"""Coefficients within rounding of a bound are on it, and do not pass for free."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from nestviz.data import make_sample
from nestviz.kernels import GaussianKernel
from nestviz.solvers.box_sum.dual_svm import nu_problem, solve_dual_nu
from nestviz.solvers.box_sum.records import PairProblem, multipliers, settle
from nestviz.solvers.box_sum.solve import repaired


@pytest.mark.parametrize("seed", range(1, 4))
@pytest.mark.parametrize("sigma", [0.8, 2.0])
def test_the_offset_does_not_depend_on_the_start_where_no_point_is_free(seed, sigma):
    """Bounds that fill a sum up to a rounding leave the offset the middle of an interval."""
    sample = make_sample("imbalanced", seed, n=70, ratio=3)
    folds = StratifiedKFold(3, shuffle=True, random_state=0).split(sample.X, sample.y)
    for train, _ in folds:
        X, y = sample.X[train], np.where(sample.y[train] == sample.y.max(), 1.0, -1.0)
        K, weights = GaussianKernel(sigma).gram(X, X), np.ones(len(y))
        for pair, other in (((0.5, 1.0), (0.5, 0.75)), ((0.75, 0.75), (0.25, 0.5))):
            cold = solve_dual_nu(K, y, weights, *pair, tol=1e-9)
            start = solve_dual_nu(K, y, weights, *other, tol=1e-9).alpha
            warm = solve_dual_nu(K, y, weights, *pair, start=start, tol=1e-9)
            assert warm.offset == pytest.approx(cold.offset, abs=1e-5 * cold.margin)
            assert warm.margin == pytest.approx(cold.margin, rel=1e-5)


@pytest.mark.parametrize("n", [50, 4000])
def test_a_repaired_start_leaves_no_point_free_by_a_rounding(n):
    rng = np.random.default_rng(n)
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    for before, after in np.sort(rng.integers(1, n // 2, size=(20, 2)), axis=1):
        c = np.zeros(n)
        for sign in (1.0, -1.0):
            c[rng.permutation(np.flatnonzero(y == sign))[:before]] = sign / before
        problem = nu_problem(y, np.ones(n), after / (n // 2), after / (n // 2))
        start = repaired(problem, c, rng.normal(size=n))
        settle(problem, start)
        assert np.all((start == problem.low) | (start == problem.high))
        assert (start != 0).sum() == 2 * after


@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e9])
def test_near_a_bound_is_measured_by_the_bound(scale):
    high = scale * np.array([1.0, 1.0, 1.0, 1.0, 1e15])
    c = scale * np.array([1e-14, 1e-9, 1 - 1e-14, 1 - 1e-9, 0.5])
    settled = c.copy()
    group = np.zeros(5, dtype=np.intp)
    problem = PairProblem(np.zeros(5), np.zeros(5), high, group, np.array([c.sum()]))
    settle(problem, settled)
    np.testing.assert_array_equal(settled, [0.0, c[1], scale, c[3], c[4]])


def test_a_rounding_does_not_pin_the_multiplier():
    bounds, group = np.full(3, 0.1), np.zeros(3, dtype=np.intp)
    problem = PairProblem(np.zeros(3), np.zeros(3), bounds, group, np.array([0.2]))
    c, gradient = np.array([0.1, 0.1 - 1.7e-17, 0.0]), np.array([1.0, 2.0, 5.0])
    assert c[1] < 0.1
    assert multipliers(problem, c, gradient) == pytest.approx([2.0])
    settle(problem, c)
    assert multipliers(problem, c, gradient) == pytest.approx([3.5])
