from __future__ import annotations

import numpy as np
import pytest
from path_reference import (
    cloud,
    gaussian,
    inner_levels,
    one_class_residual,
    same_solution,
    tied,
)

from nestviz.solvers.path.one_class import one_class_path
from nestviz.solvers.path.state import E, L, R


def uniform(N: int) -> np.ndarray:
    return np.full(N, 1 / N)


def test_one_point() -> None:
    path = one_class_path([[2.0]], [1.0])
    np.testing.assert_allclose(path.breakpoints, [2.0, 0.0])
    np.testing.assert_allclose(path.coefficients([3.0, 2.0, 1.0, 0.0])[:, 0], [1, 1, 0.5, 0])


def test_two_points_by_hand() -> None:
    # Rows of K u are 0.5(1 + k); both points meet the margin together and then shrink with λ.
    k = 0.3
    path = one_class_path([[1, k], [k, 1]], [0.5, 0.5])
    np.testing.assert_allclose(path.breakpoints, [0.5 * (1 + k), 0.0])
    np.testing.assert_allclose(path.coefficients(0.1), [[0.1 / (1 + k)] * 2])
    assert path.events["to_set"].tolist() == [E, E]


def test_two_weights_by_hand() -> None:
    # u = (0.8, 0.2), k = 0.5: point 0 meets the margin at 0.9 and shrinks, while point 1 stays at
    # 0.2 until g_1 = 0.5 α_0 + 0.2 = λ with α_0 = λ − 0.1, that is λ = 0.3.
    path = one_class_path([[1, 0.5], [0.5, 1]], [0.8, 0.2])
    np.testing.assert_allclose(path.breakpoints, [0.9, 0.3, 0.0], atol=1e-15)
    np.testing.assert_allclose(path.coefficients([0.5, 0.3]), [[0.4, 0.2], [0.2, 0.2]])
    assert path.events["point"].tolist() == [0, 1]


def test_three_points_by_hand() -> None:
    # A middle point similar to both ends (k = 0.5), ends unrelated. It meets the margin at 2/3,
    # has shrunk to zero at 1/3 where g = 1/3 at all three, and the ends carry the rest.
    K = np.array([[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]])
    path = one_class_path(K, uniform(3))
    np.testing.assert_allclose(path.breakpoints, [2 / 3, 1 / 3, 0], atol=1e-15)
    np.testing.assert_allclose(
        path.coefficients([0.5, 0.2]), [[1 / 3, 1 / 6, 1 / 3], [0.2, 0, 0.2]], atol=1e-15
    )


@pytest.mark.parametrize("sigma", [0.2, 0.7, 3.0])
@pytest.mark.parametrize("points", [cloud, tied])
@pytest.mark.parametrize("seed", [0, 1])
def test_agrees_with_a_pointwise_solve(points, sigma, seed) -> None:
    X = points(seed)
    K, upper = gaussian(X, sigma), uniform(len(X))
    path = one_class_path(K, upper)
    assert path.converged
    levels = np.random.default_rng(seed).uniform(0, path.breakpoints[0], 50)
    ones = np.ones(len(X))
    for lam, alpha in zip(levels, path.coefficients(levels), strict=True):
        same_solution(K, ones, lam, alpha, upper)


@pytest.mark.parametrize("sigma", [0.05, 0.3, 1.0, 10.0, 100.0])
@pytest.mark.parametrize("points", [cloud, tied])
def test_optimal_at_every_breakpoint_and_between(points, sigma) -> None:
    K = gaussian(points(3), sigma)
    path = one_class_path(K, uniform(len(K)))
    assert path.converged
    assert path.residuals.max() <= 1e-9
    assert one_class_residual(K, path, path.breakpoints) <= path.residuals.max() + 1e-12
    assert one_class_residual(K, path, inner_levels(path, 40)) <= path.residuals.max() + 1e-12


@pytest.mark.parametrize("kernel", ["linear", "quadratic"])
@pytest.mark.parametrize("points", [cloud, tied])
def test_kernels_of_low_rank(points, kernel) -> None:
    X = points(4, d=3) + 0.5
    K = X @ X.T if kernel == "linear" else (X @ X.T + 1) ** 2
    path = one_class_path(K, uniform(len(K)))
    assert path.converged
    assert path.residuals.max() <= 1e-8
    assert one_class_residual(K, path, inner_levels(path, 40)) <= 1e-8


def test_a_linear_kernel_on_centred_points_has_no_path() -> None:
    X = cloud(0)
    X -= X.mean(axis=0)
    path = one_class_path(X @ X.T, uniform(len(X)))
    assert path.breakpoints.tolist() == [0.0]
    np.testing.assert_array_equal(path.coefficients(0.7)[0], uniform(len(X)))


def test_identity_kernel() -> None:
    N = 12
    path = one_class_path(np.eye(N), uniform(N))
    np.testing.assert_allclose(path.breakpoints, [1 / N, 0])
    np.testing.assert_allclose(path.coefficients(0.03), np.full((1, N), 0.03))


def test_constant_kernel() -> None:
    # Only the sum of the coefficients matters: it is λ below λ_0 = 1.
    N = 9
    path = one_class_path(np.ones((N, N)), uniform(N))
    levels = np.linspace(0.01, 1, 37)
    np.testing.assert_allclose(path.coefficients(levels).sum(axis=1), levels)
    assert len(path.events) <= 2 * N


def test_constant_above_and_proportional_at_the_end() -> None:
    K = gaussian(cloud(5), 0.5)
    upper = uniform(len(K))
    path = one_class_path(K, upper)
    np.testing.assert_array_equal(path.coefficients([path.breakpoints[0], 7.0]), [upper, upper])
    last = path.breakpoints[-2]
    assert not np.any(path.sets(last / 2) == L)
    np.testing.assert_allclose(path.coefficients(last / 4), path.coefficients(last) / 4, atol=1e-16)
    assert not path.coefficients(0.0).any()


@pytest.mark.parametrize("points", [cloud, tied])
def test_midpoint_of_a_step_is_the_mean_of_its_ends(points) -> None:
    path = one_class_path(gaussian(points(6), 0.6), uniform(len(points(6))))
    ends = path.breakpoints
    wide = np.flatnonzero(-np.diff(ends) > 1e-9)
    at_ends = path.coefficients(ends)
    middle = path.coefficients((ends[wide] + ends[wide + 1]) / 2)
    np.testing.assert_allclose(middle, (at_ends[wide] + at_ends[wide + 1]) / 2, atol=1e-12)


def test_sets_change_as_announced() -> None:
    K = gaussian(cloud(7, N=40), 0.5)
    upper = uniform(len(K))
    path = one_class_path(K, upper)
    nodes = path.breakpoints
    assert np.all(np.diff(nodes) < 0)
    steps = (nodes[:-1] + nodes[1:]) / 2
    alpha = path.coefficients(steps)
    # What the coefficients themselves say about the sets on every step.
    seen = np.where(alpha >= upper, L, np.where(alpha <= 0, R, E))
    before = np.vstack([np.full(len(K), L), seen[:-1]])
    changes = {(j, i) for j, i in zip(*np.nonzero(before != seen), strict=True)}
    announced = {(int(e["breakpoint"]), int(e["point"])) for e in path.events}
    assert announced == changes
    for event in path.events:
        j, i = event["breakpoint"], event["point"]
        assert (before[j, i], seen[j, i]) == (event["from_set"], event["to_set"])
    np.testing.assert_array_equal(path.sets(steps), seen)


def test_permuted_points_give_the_permuted_path() -> None:
    K = gaussian(cloud(8), 0.4)
    order = np.random.default_rng(0).permutation(len(K))
    path = one_class_path(K, uniform(len(K)))
    other = one_class_path(K[np.ix_(order, order)], uniform(len(K)))
    np.testing.assert_allclose(other.breakpoints, path.breakpoints, atol=1e-13)
    levels = np.linspace(0, path.breakpoints[0], 30)
    np.testing.assert_allclose(
        other.coefficients(levels), path.coefficients(levels)[:, order], atol=1e-11
    )


def test_a_doubled_point_is_a_doubled_weight() -> None:
    X = cloud(9, N=20)
    doubled = np.concatenate([X, X[:5]])
    weights = np.ones(20)
    weights[:5] = 2
    K, K2 = gaussian(X, 0.5), gaussian(doubled, 0.5)
    path = one_class_path(K, weights / 25)
    other = one_class_path(K2, uniform(25))
    levels = np.linspace(0.001, path.breakpoints[0], 40)
    alpha, split = path.coefficients(levels), other.coefficients(levels)
    split[:, :5] += split[:, 20:]
    np.testing.assert_allclose(split[:, :20], alpha, atol=1e-9)


def test_points_of_weight_zero_take_no_part() -> None:
    X = cloud(10, N=20)
    K = gaussian(X, 0.5)
    upper = uniform(20)
    upper[[3, 8]] = 0
    kept = np.flatnonzero(upper)
    path = one_class_path(K, upper)
    other = one_class_path(K[np.ix_(kept, kept)], upper[kept])
    levels = np.linspace(0, 1, 20)
    np.testing.assert_array_equal(path.coefficients(levels)[:, kept], other.coefficients(levels))
    assert not path.coefficients(levels)[:, [3, 8]].any()
    assert not np.isin(path.events["point"], [3, 8]).any()


def test_no_weight_at_all() -> None:
    path = one_class_path(np.eye(3), np.zeros(3))
    assert path.converged
    assert not path.coefficients([0.0, 1.0]).any()


def test_a_near_duplicate_of_every_point() -> None:
    X = cloud(11, N=15)
    X = np.concatenate([X, X + 1e-9])
    K = gaussian(X, 0.5)
    path = one_class_path(K, uniform(30))
    assert path.converged
    assert one_class_residual(K, path, inner_levels(path, 40)) <= 1e-9


@pytest.mark.parametrize("factor", [2.0**-400, 2.0**400])
def test_scale_of_the_kernel_scales_the_levels(factor) -> None:
    K = gaussian(cloud(12), 0.5)
    path, other = one_class_path(K, uniform(30)), one_class_path(K * factor, uniform(30))
    np.testing.assert_allclose(other.breakpoints, path.breakpoints * factor, rtol=1e-9)


def test_same_input_same_output() -> None:
    K = gaussian(tied(13), 0.8)
    first, second = one_class_path(K, uniform(40)), one_class_path(K, uniform(40))
    for name in ("breakpoints", "indices", "values", "events", "residuals"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
