from __future__ import annotations

import numpy as np
import pytest
from path_reference import (
    classes,
    cloud,
    cost_residual,
    gaussian,
    inner_levels,
    same_solution,
    tied,
    upper_at,
)

from nestviz.solvers.path.cost_sensitive import cost_path
from nestviz.solvers.path.one_class import one_class_path
from nestviz.solvers.path.state import E, L, R


def test_one_point_of_each_class_alone() -> None:
    # α = min(bound, λ / K): the bound rules until it passes λ / K.
    positive = cost_path([[2.0]], [1], lam=1.0)
    np.testing.assert_allclose(positive.coefficients([0, 0.25, 0.5, 1])[:, 0], [0, 0.25, 0.5, 0.5])
    np.testing.assert_allclose(positive.breakpoints, [0, 0.5, 1])
    negative = cost_path([[2.0]], [-1], lam=1.0)
    np.testing.assert_allclose(negative.coefficients([0, 0.5, 0.75, 1])[:, 0], [0.5, 0.5, 0.25, 0])


def test_two_points_by_hand() -> None:
    # λ = 1/2, k = 1/2. At γ = 0: α_- = λ. While both are free: α_+ = α_- = λ / (1 − k) = 1, which
    # no bound allows, so at any γ one of the two is at its bound.
    path = cost_path([[1, 0.5], [0.5, 1]], [1, -1], lam=0.5)
    np.testing.assert_allclose(
        path.coefficients([0, 0.2, 1 / 3, 0.5, 0.8, 1]),
        [[0, 0.5], [0.2, 0.6], [1 / 3, 2 / 3], [0.5, 0.5], [0.6, 0.2], [0.5, 0]],
    )


def test_three_points_by_hand() -> None:
    # Unrelated points, so each is on its own: α = min(bound, λ / K_ii).
    K, y, lam = np.diag([1.0, 2.0, 4.0]), np.array([1.0, -1.0, 1.0]), 0.8
    path = cost_path(K, y, lam)
    gammas = np.linspace(0, 1, 21)
    bounds = np.where(y > 0, gammas[:, None], 1 - gammas[:, None])
    expected = np.minimum(bounds, lam / np.diagonal(K))
    np.testing.assert_allclose(path.coefficients(gammas), expected, atol=1e-15)
    np.testing.assert_allclose(path.breakpoints, [0, 0.2, 0.6, 0.8, 1])


@pytest.mark.parametrize("lam", [0.05, 1.0, 8.0])
@pytest.mark.parametrize("sigma", [0.3, 2.0])
@pytest.mark.parametrize("points", [cloud, tied])
def test_agrees_with_a_pointwise_solve(points, sigma, lam) -> None:
    X = points(1)
    y, K = classes(1, X), gaussian(X, sigma)
    path = cost_path(K, y, lam)
    assert path.converged
    levels = np.random.default_rng(1).uniform(0, 1, 50)
    for gamma, alpha in zip(levels, path.coefficients(levels), strict=True):
        same_solution(K, y, lam, alpha, np.where(y > 0, gamma, 1 - gamma))


@pytest.mark.parametrize("lam", [0.01, 0.5, 5.0])
@pytest.mark.parametrize("sigma", [0.05, 0.5, 3.0, 50.0])
@pytest.mark.parametrize("points", [cloud, tied])
def test_optimal_at_every_breakpoint_and_between(points, sigma, lam) -> None:
    X = points(2)
    y, K = classes(2, X), gaussian(X, sigma)
    path = cost_path(K, y, lam)
    assert path.converged
    assert path.residuals.max() <= 1e-7
    assert cost_residual(K, y, lam, path, path.breakpoints) <= path.residuals.max() + 1e-11
    assert cost_residual(K, y, lam, path, inner_levels(path, 40)) <= path.residuals.max() + 1e-11


@pytest.mark.parametrize("kernel", ["linear", "quadratic"])
@pytest.mark.parametrize("points", [cloud, tied])
def test_kernels_of_low_rank(points, kernel) -> None:
    X = points(3, d=3)
    y = classes(3, X)
    K = X @ X.T if kernel == "linear" else (X @ X.T + 1) ** 2
    path = cost_path(K, y, 1.0)
    assert path.converged
    assert path.residuals.max() <= 1e-7
    assert cost_residual(K, y, 1.0, path, inner_levels(path, 40)) <= 1e-7


def test_contradicting_labels_on_coincident_points() -> None:
    X = np.repeat(cloud(4, N=12), 3, axis=0)
    y = np.tile([1.0, 1.0, -1.0], 12)
    K = gaussian(X, 1.0)
    path = cost_path(K, y, 0.2)
    assert path.converged
    assert cost_residual(K, y, 0.2, path, inner_levels(path, 40)) <= 1e-9


def test_a_large_lam_keeps_every_point_at_its_bound() -> None:
    X = cloud(5)
    y = classes(5, X)
    path = cost_path(gaussian(X, 0.5), y, lam=100.0)
    assert path.breakpoints.tolist() == [0.0, 1.0]
    assert len(path.events) == 0
    np.testing.assert_allclose(path.coefficients(0.3)[0], np.where(y > 0, 0.3, 0.7))


@pytest.mark.parametrize("label", [-1.0, 1.0])
def test_one_class_alone(label) -> None:
    # With one class the bounds are γ (or 1 − γ) for all, and scaling turns λ into λ / bound.
    K = gaussian(cloud(6), 0.5)
    y, lam = np.full(30, label), 2.0
    path = cost_path(K, y, lam)
    other = one_class_path(K, np.ones(30))
    for bound in (0.2, 0.7, 1.0):
        gamma = bound if label > 0 else 1 - bound
        np.testing.assert_allclose(
            path.coefficients(gamma), bound * other.coefficients(lam / bound), atol=1e-11
        )


def test_swapped_classes_reverse_the_path() -> None:
    X = cloud(7)
    y, K = classes(7, X), gaussian(X, 0.6)
    gammas = np.linspace(0, 1, 33)
    forth, back = cost_path(K, y, 0.5), cost_path(K, -y, 0.5)
    np.testing.assert_allclose(
        forth.coefficients(gammas), back.coefficients(1 - gammas), atol=1e-10
    )


def test_midpoint_of_a_step_is_the_mean_of_its_ends() -> None:
    X = cloud(8)
    path = cost_path(gaussian(X, 0.6), classes(8, X), 0.3)
    ends = path.breakpoints
    at_ends = path.coefficients(ends)
    middle = path.coefficients((ends[:-1] + ends[1:]) / 2)
    np.testing.assert_allclose(middle, (at_ends[:-1] + at_ends[1:]) / 2, atol=1e-12)


def test_sets_change_as_announced() -> None:
    X = cloud(9, N=40)
    y = classes(9, X)
    path = cost_path(gaussian(X, 0.5), y, 0.7)
    nodes = path.breakpoints
    assert np.all(np.diff(nodes) > 0)
    assert nodes[0] == 0
    assert nodes[-1] == 1
    steps = (nodes[:-1] + nodes[1:]) / 2
    alpha = path.coefficients(steps)
    upper = np.array([upper_at(path, gamma) for gamma in steps])
    seen = np.where(alpha >= upper, L, np.where(alpha <= 0, R, E))
    before = np.vstack([path.start_sets, seen[:-1]])
    changes = {(j, i) for j, i in zip(*np.nonzero(before != seen), strict=True)}
    assert changes == {(int(e["breakpoint"]), int(e["point"])) for e in path.events}
    for event in path.events:
        j, i = event["breakpoint"], event["point"]
        assert (before[j, i], seen[j, i]) == (event["from_set"], event["to_set"])


def test_permuted_points_give_the_permuted_path() -> None:
    X = cloud(10)
    y, K = classes(10, X), gaussian(X, 0.5)
    order = np.random.default_rng(0).permutation(30)
    path, other = cost_path(K, y, 0.4), cost_path(K[np.ix_(order, order)], y[order], 0.4)
    gammas = np.linspace(0, 1, 30)
    np.testing.assert_allclose(
        other.coefficients(gammas), path.coefficients(gammas)[:, order], atol=1e-10
    )


def test_a_doubled_point_is_a_doubled_weight() -> None:
    X = cloud(11, N=20)
    y = classes(11, X)
    weights = np.ones(20)
    weights[:5] = 2
    path = cost_path(gaussian(X, 0.5), y, 0.5, weights)
    doubled = np.concatenate([X, X[:5]])
    other = cost_path(gaussian(doubled, 0.5), np.concatenate([y, y[:5]]), 0.5)
    gammas = np.linspace(0, 1, 40)
    alpha, split = path.coefficients(gammas), other.coefficients(gammas)
    split[:, :5] += split[:, 20:]
    np.testing.assert_allclose(split[:, :20], alpha, atol=1e-8)


def test_points_of_weight_zero_take_no_part() -> None:
    X = cloud(12, N=20)
    y, K, weights = classes(12, X), gaussian(X, 0.5), np.ones(20)
    weights[[4, 9]] = 0
    kept = np.flatnonzero(weights)
    path = cost_path(K, y, 0.5, weights)
    other = cost_path(K[np.ix_(kept, kept)], y[kept], 0.5)
    gammas = np.linspace(0, 1, 20)
    np.testing.assert_array_equal(path.coefficients(gammas)[:, kept], other.coefficients(gammas))
    assert not path.coefficients(gammas)[:, [4, 9]].any()


@pytest.mark.parametrize("lam", [0.1, 1.0, 3.0])
def test_constant_and_identity_kernels(lam) -> None:
    y = np.where(np.arange(12) % 3 == 0, 1.0, -1.0)
    for K in (np.ones((12, 12)), np.eye(12)):
        path = cost_path(K, y, lam)
        assert path.converged
        assert cost_residual(K, y, lam, path, np.linspace(0, 1, 50)) <= 1e-12


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"lam": 0.0}, "lam must be a positive number"),
        ({"lam": np.nan}, "lam must be a positive number"),
        ({"y": [1, 0]}, r"-1 and \+1"),
        ({"y": [1, -1, 1]}, "each of the 2 points"),
        ({"weights": [1, -1]}, "not negative"),
        ({"weights": [1, 1, 1]}, "each of the 2 points"),
        ({"K": [[1.0, 0.0]]}, "square"),
        ({"K": [[1.0, np.nan], [np.nan, 1.0]]}, "NaN"),
        ({"K": [[-1.0, 0.0], [0.0, 1.0]]}, "diagonal of K"),
    ],
)
def test_bad_input_is_refused_in_words(change, words) -> None:
    good = {"K": np.eye(2), "y": [1, -1], "lam": 1.0}
    with pytest.raises(ValueError, match=words):
        cost_path(**(good | change))
