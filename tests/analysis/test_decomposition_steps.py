"""The decomposition step by step, against a general solver for each of its parts."""

import numpy as np
import pytest
from scipy.optimize import minimize

from nestviz import GaussianKernel, NestedOneClassSVM
from nestviz.analysis.decomposition import decompose

SIGMA = 0.7


@pytest.fixture(scope="module")
def example():
    X = np.random.default_rng(5).normal(size=(18, 2))
    K = GaussianKernel(SIGMA).gram(X, X)
    top = K.sum(axis=1).max() / len(X)
    levels = np.array([0.9, 0.5, 0.2]) * top
    return X, K, levels, decompose(K, levels, 150)


def objective(K, levels, alpha):
    return sum(a @ K @ a / (2 * lam) - a.sum() for a, lam in zip(alpha, levels, strict=True))


def test_steps_replayed_by_hand_give_the_recorded_objectives(example):
    X, K, levels, found = example
    alpha = np.full((3, len(X)), 1 / len(X))
    assert found.start.objective == pytest.approx(objective(K, levels, alpha))
    for step in found.steps:
        np.testing.assert_allclose(step.before, alpha[:, step.point] / levels, atol=1e-12)
        outputs = (alpha @ K)[:, step.point] / levels
        targets = alpha[:, step.point] + levels * (1 - outputs) / K[step.point, step.point]
        np.testing.assert_allclose(step.targets, targets / levels, atol=1e-9)
        alpha[:, step.point] = step.after * levels
        assert step.objective == pytest.approx(objective(K, levels, alpha), abs=1e-12)


def test_every_answer_is_feasible_and_the_nearest_to_its_targets(example):
    X, _, levels, found = example
    for step in (*found.steps[:12], *found.steps[12::30]):
        assert (step.after >= 0).all()
        assert (np.diff(step.after) >= -1e-12).all()
        assert (step.after * levels <= 1 / len(X) + 1e-12).all()
        best = minimize(
            lambda b, z=step.targets: levels @ (b - z) ** 2,
            np.zeros(3),
            bounds=[(0, bound) for bound in found.bounds],
            constraints=[{"type": "ineq", "fun": np.diff}],
            method="SLSQP",
            options={"ftol": 1e-14, "maxiter": 300},
        )
        np.testing.assert_allclose(step.after, best.x, atol=1e-5)


def test_objective_and_gap_never_rise_and_the_gap_bounds_the_error(example):
    X, _, levels, found = example
    exact = NestedOneClassSVM(SIGMA, levels, tol=1e-12).fit(X).objective_
    objectives = np.array([found.start.objective, *(step.objective for step in found.steps)])
    gaps = np.array([found.start.gap, *(step.gap for step in found.steps)])
    assert (np.diff(objectives) <= 1e-12).all()
    assert (np.diff(gaps) <= 1e-12).all()
    assert (gaps >= objectives - exact - 1e-12).all()
    assert gaps[-1] < 1e-6 * abs(exact)


def test_the_chosen_point_gains_most_to_begin_with(example):
    """At the start all coefficients are at their bound: the largest output is the worst."""
    _, K, _, found = example
    assert found.steps[0].point == K.sum(axis=1).argmax()
    assert found.start.point == -1
    assert len(found.steps) == 150
