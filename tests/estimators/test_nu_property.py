"""ν bounds the share outside, whatever the width of the kernel and the tolerance of the solver."""

import warnings

import numpy as np
import pytest

import nestviz

WIDTHS = [0.3, 1.0, 10.0, 100.0, 1000.0]


def points(seed, n=61):
    return np.random.default_rng(seed).normal(size=(n, 2))


@pytest.mark.parametrize("sigma", WIDTHS)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "kind",
    [nestviz.IndependentOneClassSVM, nestviz.HierarchicalMVSets, nestviz.QuantileOneClassSVM],
)
def test_no_quantile_leaves_out_more_than_its_share(kind, seed, sigma):
    for n in (40, 61):
        X = points(seed, n)
        quantiles = [0.1, 0.5, 0.7]
        model = kind(sigma, quantiles).fit(X)
        for quantile in quantiles:
            outside = (model.set_params(level=quantile).fit(X).predict(X) < 0).mean()
            assert outside <= 1 - quantile + 1e-12


@pytest.mark.parametrize("sigma", WIDTHS)
@pytest.mark.parametrize("tol", [1e-1, 1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("kind", [nestviz.NuOneClassSVM, nestviz.SoftBall])
def test_a_loose_tolerance_does_not_move_the_level(kind, tol, sigma):
    for seed in range(4):
        for nu in (0.1, 0.3, 0.5):
            X = points(seed)
            model, reference = kind(sigma, nu, tol=tol).fit(X), kind(sigma, nu, tol=1e-10).fit(X)
            scores = reference.score_samples(X)
            assert abs(model.level_ - reference.level_) <= 1e-4 * np.ptp(scores)
            assert (model.predict(X) < 0).mean() <= nu + 1e-12
            assert len(model.support_) / len(X) >= nu - 1e-12
            assert np.mean(model.predict(X) != reference.predict(X)) <= 0.02


@pytest.mark.parametrize("tol", [1e-1, 1e-2])
def test_known_outliers_with_a_loose_tolerance(tol):
    X, known = points(3), np.array([[2.5, 2.5], [-3.0, 0.0]])
    model = nestviz.ReflectedOneClassSVM(1.0, 0.3, tol=tol).fit(X, outliers=known)
    reference = nestviz.ReflectedOneClassSVM(1.0, 0.3, tol=1e-10).fit(X, outliers=known)
    assert model.level_ == pytest.approx(reference.level_, rel=1e-6)
    np.testing.assert_array_equal(model.predict(X), reference.predict(X))


def test_stopped_early_the_share_outside_is_still_bounded():
    X = points(0, 300)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = nestviz.NuOneClassSVM(0.2, 0.3).fit(X, callback=lambda progress: True)
    assert not model.converged_
    assert (model.predict(X) < 0).mean() <= 0.3


def test_a_machine_that_is_certain_says_so():
    X = np.array([[0.0, -1.0], [0.0, 2.0], [3.0, 0.0], [3.0, 5.0], [3.0, 1.0]])
    y = np.array([0, 0, 1, 1, 1])
    machine = nestviz.MinimaxProbabilityMachine(kernel="linear", covariance_uncertainty=0.0)
    with pytest.warns(UserWarning, match="infinite"):
        machine.fit(X, y)
    assert machine.is_certain_
    assert np.isinf(machine.kappa_)
    assert machine.accuracy_bound_ == 1.0
    assert machine.objective_ == 0.0
    assert machine.converged_
    np.testing.assert_array_equal(machine.predict(X), y)
    # Half way between the means along the direction without variance.
    np.testing.assert_allclose(machine.decision_function([[1.5, 7.0], [1.5, -4.0]]), 0, atol=1e-12)
    machine.set_params(mean_uncertainty=2.0)
    with pytest.warns(UserWarning, match="infinite"):
        assert machine.fit(X, y).accuracy_bound_ == 1.0
    machine.set_params(covariance_uncertainty=0.01).fit(X, y)
    assert not machine.is_certain_
    assert machine.accuracy_bound_ < 1.0


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_certainty_is_found_along_any_direction(scale):
    rng = np.random.default_rng(1)
    Z = np.concatenate([rng.normal(size=(20, 3)), 4 + 2 * rng.normal(size=(25, 3))]) * scale
    Z[:, 0] = np.repeat([1.0, 1.5], [20, 25])
    X = Z @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
    machine = nestviz.MinimaxProbabilityMachine(kernel="linear", covariance_uncertainty=0.0)
    with pytest.warns(UserWarning, match="infinite"):
        machine.fit(X, np.repeat([0, 1], [20, 25]))
    assert machine.accuracy_bound_ == 1.0
    assert (machine.predict(X) == np.repeat([0, 1], [20, 25])).all()
