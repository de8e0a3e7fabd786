"""The three estimators of several quantiles: Theorem 2, what they share and what they do not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import OneClassSVM as LibsvmOneClassSVM

from nestviz import (
    Grid,
    HierarchicalMVSets,
    IndependentOneClassSVM,
    NuOneClassSVM,
    QuantileOneClassSVM,
    make_sample,
)
from nestviz.analysis import nesting_report
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel
from nestviz.solvers.quantile.certificate import quantile_certificate

ALL = [QuantileOneClassSVM, IndependentOneClassSVM, HierarchicalMVSets]
NINETEEN = np.arange(1, 20) / 20


def points(seed, n, name="banana"):
    return make_sample(name, random_state=seed, n=n).X


def unmarked(family):
    """The same sets without the word that they are nested, so that crossings are looked for."""
    names = ("levels", "coefficients", "offsets", "centres", "kernel", "orientation", "tolerance")
    return SetFamily(**{name: getattr(family, name) for name in names})


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(5, 60),
    sigma=st.sampled_from([0.1, 0.5, 2.0]),
    quantiles=st.lists(st.integers(1, 39), min_size=1, max_size=8, unique=True),
)
def test_theorem_2_nested_and_the_nu_property(seed, n, sigma, quantiles):
    """(1) C_j ⊆ C_k for α_j < α_k; (2) |SV_o|/n ≤ 1 − α_j ≤ (|SV_o| + |SV_b|)/n."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 2)), 1)
    alpha = np.sort(quantiles) / 40
    model = QuantileOneClassSVM(sigma=sigma, quantiles=alpha).fit(X)
    places = np.vstack([X, rng.normal(size=(300, 2)) * 1.5])
    inside = model.family_.values(places, alpha) > 0
    assert np.all(inside[:-1] <= inside[1:])
    assert not unmarked(model.family_).violations(places).any()
    assert np.all(np.diff(model.rho_) <= 0)
    # The boundary is where the function equals ρ_j up to rounding.
    g = model.family_.values(X, alpha)
    outside, on = (g < -1e-12).mean(axis=1), (np.abs(g) <= 1e-12).mean(axis=1)
    assert np.all(outside <= 1 - alpha + 1e-12)
    assert np.all(outside + on >= 1 - alpha - 1e-12)


def test_theorem_2_the_share_outside_tends_to_one_minus_the_quantile():
    """(3): points on the boundary become a vanishing share of all points."""
    worst = []
    for n in (50, 200, 800, 3200):
        model = QuantileOneClassSVM(sigma=0.5, tol=1e-9).fit(points(1, n))
        g = model.family_.values(points(1, n), NINETEEN)
        outside = (g < -1e-6 * model.rho_[:, None]).mean(axis=1)
        worst.append(np.abs(outside - (1 - NINETEEN)).max())
    assert worst[-1] < 0.005
    assert worst[-1] < worst[0] / 4


@pytest.mark.parametrize("seed", range(3))
def test_the_certificate_is_that_of_the_coefficients(seed):
    X = points(seed, 120)
    model = QuantileOneClassSVM(sigma=0.4, quantiles=5).fit(X)
    K = GaussianKernel(0.4).gram(X, X)
    again = quantile_certificate(K, model.alpha_, np.ones(120), model.quantiles_)
    assert again.objective == pytest.approx(model.objective_, rel=1e-12)
    assert again.duality_gap == pytest.approx(model.duality_gap_, abs=1e-12)
    np.testing.assert_allclose(again.rho, model.rho_, rtol=1e-9)
    assert model.converged_
    shared = model.alpha_.sum(axis=0) / 5
    np.testing.assert_allclose(
        model.family_.field(X), K @ shared - model.rho_[:, None] * np.ones(120), atol=1e-12
    )


@pytest.mark.parametrize("seed", range(2))
def test_independent_sets_are_those_of_libsvm(seed):
    X = points(seed, 150)
    alpha = np.array([0.2, 0.5, 0.9])
    model = IndependentOneClassSVM(sigma=0.4, quantiles=alpha, tol=1e-10).fit(X)
    K = GaussianKernel(0.4).gram(X, X)
    for row, nu, objective in zip(model.alpha_, 1 - alpha, model.objectives_, strict=True):
        peer = LibsvmOneClassSVM(nu=nu, gamma=0.5 / 0.4**2, tol=1e-9).fit(X)
        a = np.zeros(150)
        a[peer.support_] = peer.dual_coef_.ravel() / (nu * 150)
        assert objective == pytest.approx(0.5 * a @ K @ a, rel=1e-7)
        assert objective == pytest.approx(0.5 * row @ K @ row, rel=1e-10)
    assert model.objective_ == pytest.approx(model.objectives_.sum())


def test_only_independent_sets_cross():
    X = points(0, 200)
    grid = Grid.around(X, resolution=60)
    areas = {}
    for estimator in ALL:
        family = estimator(sigma=0.3, quantiles=9).fit(X).family_
        areas[estimator] = nesting_report(family, grid).area
        inside = family.values(grid, family.levels) > 0
        assert np.all(inside[:-1] <= inside[1:]) == (estimator is not IndependentOneClassSVM)
    assert areas[IndependentOneClassSVM] > 0
    assert areas[QuantileOneClassSVM] == areas[HierarchicalMVSets] == 0


@pytest.mark.parametrize("estimator", [IndependentOneClassSVM, HierarchicalMVSets])
def test_the_largest_set_is_that_of_a_single_one_class_svm(estimator):
    """Glazer et al. (2013), section 5.1."""
    X = points(0, 150)
    model = estimator(sigma=0.4, quantiles=NINETEEN, tol=1e-11).fit(X)
    single = NuOneClassSVM(sigma=0.4, nu=0.05, tol=1e-11).fit(X)
    assert model.objectives_[-1] == pytest.approx(single.objective_, rel=1e-9)
    assert model.rho_[-1] == pytest.approx(single.rho_, rel=1e-5)
    np.testing.assert_allclose(model.alpha_[-1], single.alpha_[0], atol=1e-5)


@pytest.mark.parametrize("estimator", ALL)
@pytest.mark.parametrize("seed", range(3))
def test_every_set_keeps_the_nu_property(estimator, seed):
    """Of the greedy sets too: what was left out before counts, and no more is left out."""
    X = points(seed, 200)
    model = estimator(sigma=0.3, quantiles=NINETEEN, tol=1e-10).fit(X)
    g = model.family_.values(X, NINETEEN)
    rounding = 1e-5 * np.abs(model.rho_)[:, None]
    assert np.all((g < -rounding).mean(axis=1) <= 1 - NINETEEN + 1e-12)
    assert np.all((g <= rounding).mean(axis=1) >= 1 - NINETEEN - 1e-12)


@pytest.mark.parametrize("estimator", ALL)
def test_a_doubled_row_is_a_doubled_weight(estimator):
    X = points(0, 40)
    weights = np.ones(40)
    weights[[3, 7]] = 2.0
    options = {"sigma": 0.5, "quantiles": [0.3, 0.6, 0.8], "tol": 1e-12}
    weighted = estimator(**options).fit(X, sample_weight=weights)
    doubled = estimator(**options).fit(np.vstack([X, X[[3, 7]]]))
    assert weighted.objective_ == pytest.approx(doubled.objective_, rel=1e-9)
    np.testing.assert_allclose(
        weighted.decision_function(X), doubled.decision_function(X), atol=1e-6
    )
    assert doubled.alpha_.shape == (3, 42)
    np.testing.assert_allclose(doubled.alpha_.sum(axis=1), 1.0, rtol=1e-9)


@pytest.mark.parametrize("estimator", ALL)
def test_a_precomputed_kernel_gives_the_same_sets(estimator):
    X = points(0, 60)
    K = GaussianKernel(0.5).gram(X, X)
    named = estimator(sigma=0.5, quantiles=4, tol=1e-12).fit(X)
    given_values = estimator(kernel="precomputed", quantiles=4, tol=1e-12).fit(K)
    np.testing.assert_allclose(given_values.rho_, named.rho_, rtol=1e-6)
    np.testing.assert_allclose(
        given_values.decision_function(K), named.decision_function(X), atol=1e-6
    )


@pytest.mark.parametrize("estimator", ALL)
def test_levels_and_scores(estimator):
    X = points(0, 80)
    model = estimator(sigma=0.5, quantiles=[0.9, 0.2, 0.5, 0.5]).fit(X)
    np.testing.assert_array_equal(model.quantiles_, [0.2, 0.5, 0.9])
    assert model.level_ == 0.9
    assert estimator(sigma=0.5, quantiles=[0.2, 0.5]).fit(X).level_ == 0.5
    chosen = estimator(sigma=0.5, quantiles=[0.2, 0.5], level=0.3).fit(X)
    np.testing.assert_allclose(chosen.decision_function(X), chosen.family_.values(X, 0.3))
    np.testing.assert_allclose(
        model.score_samples(X) - model.offset_, model.decision_function(X), atol=1e-14
    )


@pytest.mark.parametrize("estimator", ALL)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"quantiles": 0}, "at least 1"),
        ({"quantiles": [0.5, 1.0]}, "above 0 and below 1"),
        ({"quantiles": [[0.5]]}, "a whole number, or a list"),
        ({"quantiles": [0.2, 0.5], "level": 0.9}, "within the quantiles, from 0.2 to 0.5"),
    ],
)
def test_wrong_parameters_are_refused_in_a_sentence(estimator, options, message):
    with pytest.raises(ValueError, match=message):
        estimator(**options).fit(points(0, 20))


def test_points_around_the_origin_of_a_linear_kernel_have_no_sets():
    X = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    with pytest.raises(ValueError, match="optimal function is zero everywhere"):
        QuantileOneClassSVM(kernel="precomputed", quantiles=[0.2, 0.4]).fit(X @ X.T)


@pytest.mark.parametrize("estimator", ALL)
def test_a_callback_sees_all_rounds_and_can_stop(estimator):
    X = points(0, 300)
    seen = []
    estimator(sigma=0.1, quantiles=5).fit(X, callback=lambda p: seen.append(p.done))
    assert seen[0] == 0
    assert np.all(np.diff(seen) >= 0)
    calls = []
    with pytest.warns(UserWarning, match="stopped before it converged"):
        stopped = estimator(sigma=0.1, quantiles=5, tol=1e-12).fit(
            X, callback=lambda p: calls.append(p) or True
        )
    assert len(calls) == 1
    assert not stopped.converged_
    assert np.isfinite(stopped.decision_function(X)).all()
