"""What the estimators say of a whole path."""

from __future__ import annotations

import numpy as np
import pytest
from path_symmetric import circle, torus
from sklearn.exceptions import ConvergenceWarning

import nestviz
from nestviz.estimators import cost_sensitive_path, one_class_path
from nestviz.solvers.nested.certificate import cost_sensitive_certificate, one_class_certificate
from nestviz.solvers.nested.feasible import settle_cost_sensitive, settle_one_class

HOURS = circle(24)
LABELS = np.arange(60) % 2 * 2 - 1


def test_hours_of_the_day_have_an_exact_path() -> None:
    path = nestviz.OneClassPath(1.0).fit(HOURS)
    assert path.converged_
    assert path.duality_gap_ <= 1e-9
    assert path.path_residual_.max() <= 1e-9


@pytest.mark.parametrize("X", [circle(60), torus(24, 7)])
@pytest.mark.parametrize("sigma", [0.3, 1.0, 2.0])
def test_gap_of_a_one_class_path_is_that_of_its_worst_level(X, sigma) -> None:
    fitted = nestviz.OneClassPath(sigma).fit(X)
    assert fitted.converged_
    assert fitted.kkt_residual_ == fitted.path_residual_.max() <= 1e-9
    K, upper = fitted.family_.kernel.gram(X, X), np.full(len(X), 1 / len(X))
    for level in fitted.breakpoints_[0] * np.array([1.0, 0.7, 0.3, 0.1, 0.01]):
        levels = np.array([level])
        alpha = settle_one_class(fitted.coefficients(levels), upper, levels)
        assert one_class_certificate(K, alpha, upper, levels).duality_gap <= 1e-8
    assert fitted.duality_gap_ <= 1e-8


@pytest.mark.parametrize("gamma", [0.02, 0.5])
def test_gap_of_a_cost_path_is_that_of_its_worst_level(gamma) -> None:
    X = circle(60)
    fitted = nestviz.CostSensitivePath(1.0, 1.0, level=gamma).fit(X, LABELS)
    assert fitted.converged_
    assert fitted.duality_gap_ <= 1e-8
    K, y, w = fitted.family_.kernel.gram(X, X), LABELS.astype(float), np.ones(60)
    for at in (0.02, 0.2, 0.5, 0.77, 0.98):
        level = np.array([at])
        alpha = settle_cost_sensitive(fitted.coefficients(level), y, w, level)
        assert cost_sensitive_certificate(K, alpha, y, w, 1.0, level).duality_gap <= 1e-8


def spoilt(solve, at):
    """The same solver, but with one breakpoint whose coefficients are not optimal."""

    def solver(*given, **options):
        path = solve(*given, **options)
        values, residuals = path.values.copy(), path.residuals.copy()
        values[path.indptr[at] : path.indptr[at + 1]] *= 0.9
        residuals[at + 1] = 1e-3
        return path._replace(values=values, residuals=residuals)

    return solver


def test_one_bad_level_is_enough_for_one_class(monkeypatch) -> None:
    X = np.random.default_rng(0).normal(size=(40, 2))
    good = nestviz.OneClassPath(0.7).fit(X)
    monkeypatch.setattr(one_class_path, "one_class_path", spoilt(one_class_path.one_class_path, 20))
    with pytest.warns(ConvergenceWarning):
        bad = nestviz.OneClassPath(0.7).fit(X)
    assert not bad.converged_
    assert bad.kkt_residual_ == 1e-3
    assert bad.duality_gap_ > 1e-6 > good.duality_gap_
    assert bad.family_.tolerance <= 1e-9 * bad.breakpoints_[0]


def test_one_bad_level_is_enough_for_costs(monkeypatch) -> None:
    X = np.random.default_rng(0).normal(size=(40, 2))
    y = np.where(X[:, 0] > 0, 1, -1)
    good = nestviz.CostSensitivePath(0.7, 0.5).fit(X, y)
    monkeypatch.setattr(cost_sensitive_path, "cost_path", spoilt(cost_sensitive_path.cost_path, 20))
    with pytest.warns(ConvergenceWarning):
        bad = nestviz.CostSensitivePath(0.7, 0.5).fit(X, y)
    assert not bad.converged_
    assert bad.kkt_residual_ == 1e-3
    assert bad.duality_gap_ > 1e-6 > good.duality_gap_
    assert bad.family_.tolerance <= 1e-9
