"""A point far away neither spoils a solution nor hides from its certificate."""

import inspect
import warnings

import numpy as np
import pytest

import nestviz
from nestviz.kernels import GaussianKernel
from nestviz.solvers.nested.certificate import cost_sensitive_certificate, one_class_certificate

ONE_CLASS = [
    nestviz.OneClassSVM(0.5, 0.05),
    nestviz.NestedOneClassSVM(0.5, 5),
    nestviz.OneClassPath(0.5),
    nestviz.NuOneClassSVM(0.5, 0.3),
    nestviz.SoftBall(0.5, 0.3),
    nestviz.QuantileOneClassSVM(0.5, 5),
    nestviz.IndependentOneClassSVM(0.5, 5),
    nestviz.HierarchicalMVSets(0.5, 5),
]
TWO_CLASSES = [
    nestviz.CostSensitiveSVM(0.5, 0.1),
    nestviz.NestedCostSensitiveSVM(0.5, 0.1),
    nestviz.CostSensitivePath(0.5, 0.1),
    nestviz.DualCostSVM(C=10.0, sigma=0.5),
    nestviz.DualNuSVM(nu_plus=0.3, nu_minus=0.3, sigma=0.5),
]


def data(seed, d=2, n=60):
    X = np.random.default_rng(seed).normal(size=(n, d))
    return X, np.where(X[:, 0] + 0.5 * X[:, 1] > 0, 1, -1)


@pytest.mark.parametrize("far", [1e7, 1e9, 1e200])
def test_coefficients_are_optimal_by_differences(far):
    X, y = data(0)
    X[7] = far
    K = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(-1) / 0.25) if far < 1e100 else None
    if K is None:
        K = GaussianKernel(0.5).gram_by_differences(X, X)
    u = np.full(60, 1 / 60)
    model = nestviz.OneClassSVM(0.5, 0.05).fit(X)
    found = one_class_certificate(K, model.alpha_, u, np.array([0.05]))
    assert found.duality_gap <= 1e-6
    assert model.duality_gap_ == pytest.approx(found.duality_gap, abs=1e-9)
    model = nestviz.CostSensitiveSVM(0.5, 0.1).fit(X, y)
    found = cost_sensitive_certificate(K, model.alpha_, y * 1.0, np.ones(60), 0.1, np.array([0.5]))
    assert found.duality_gap <= 1e-6


@pytest.mark.parametrize("estimator", ONE_CLASS + TWO_CLASSES, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("d", [2, 20])
def test_a_far_point_changes_nothing_for_the_others(estimator, d):
    """At 1e4 all its kernel values with the others are zero already."""
    X, y = data(1, d)
    estimator.set_params(sigma=0.5 * np.sqrt(d / 2))
    near, far = X.copy(), X.copy()
    near[3], far[3] = 1e4, 1e9
    values = [estimator.fit(Z, y).decision_function(X[10:]) for Z in (near, far)]
    np.testing.assert_allclose(values[1], values[0], atol=1e-9)


@pytest.mark.parametrize("estimator", ONE_CLASS + TWO_CLASSES, ids=lambda e: type(e).__name__)
def test_a_wrong_matrix_is_seen_by_the_certificate(estimator, monkeypatch):
    X, y = data(2)
    estimator.set_params(sigma=0.5)
    right = GaussianKernel.gram

    def blurred(self, A, B):
        noise = 0.3 * np.cos(3e3 * (A.sum(axis=1)[:, None] + B.sum(axis=1)))
        return right(self, A, B) * (1.0 + noise)

    monkeypatch.setattr(GaussianKernel, "gram", blurred)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator.fit(X, y)
    assert estimator.duality_gap_ > 1e-4
    assert estimator.kkt_residual_ > 1e-4
    if "tol" in inspect.signature(type(estimator)).parameters:
        assert not estimator.converged_


@pytest.mark.parametrize("lam", [1e-2, 1e-5, 1e-8, 1e-10])
@pytest.mark.parametrize("sigma", [0.3, 1.0, 3.0])
def test_a_gap_means_the_same_at_every_level(lam, sigma):
    """The exact path is as good at small levels as at large ones, and is certified to be."""
    X, y = data(3, n=120)
    K, u, levels = GaussianKernel(sigma).gram(X, X), np.full(120, 1 / 120), np.array([lam])
    path = nestviz.OneClassPath(sigma).fit(X)
    alpha = np.clip(path.coefficients(levels), 0.0, u)
    assert one_class_certificate(K, alpha, u, levels).duality_gap <= 1e-7
    for model in (
        nestviz.OneClassSVM(sigma, lam),
        nestviz.NestedOneClassSVM(sigma, [3 * lam, 2 * lam, lam]),
        nestviz.CostSensitiveSVM(sigma, lam),
        nestviz.NestedCostSensitiveSVM(sigma, lam),
    ):
        model.fit(X, y)
        assert model.converged_
        assert model.duality_gap_ <= 1e-4 if lam < 1e-9 else model.duality_gap_ <= 1e-6


@pytest.mark.parametrize("lam", [1e-1, 1e-4, 1e-8])
def test_a_solution_that_is_off_shows_it_at_every_level(lam):
    """Coefficients one percent too small: their objective is 1e-4 of itself above the least."""
    X, _ = data(4)
    u, levels = np.full(60, 1 / 60), np.array([lam])
    K = GaussianKernel(1.0).gram(X, X)
    alpha = nestviz.OneClassSVM(1.0, lam, tol=1e-12).fit(X).alpha_
    best = one_class_certificate(K, alpha, u, levels)
    worse = one_class_certificate(K, 0.99 * alpha, u, levels)
    missed = (worse.objective - best.objective) / abs(best.objective)
    assert missed > 5e-5
    assert missed <= worse.duality_gap <= 3.0
    assert best.duality_gap <= 1e-9
