"""The one-class SVM with the coefficients of ηλ, after Vert & Vert."""

import numpy as np
import pytest

from nestviz import EtaOneClassPath, OneClassPath, OneClassSVM, ParzenLevelSets
from nestviz.data import make_sample
from nestviz.grids import Grid
from nestviz.kernels import GaussianKernel

X = make_sample("banana", random_state=0, n=120).X
AWAY = np.random.default_rng(1).uniform(-6, 6, size=(200, 2))
SIGMA = 0.4


@pytest.mark.parametrize("eta", [1.0, 1.3, 2.0, 7.7])
def test_the_coefficients_are_those_of_a_solve_at_eta_lambda(eta):
    """Two roads: the path read at ηλ, and a decomposition solver at that one level."""
    model = EtaOneClassPath(SIGMA, eta).fit(X)
    G = GaussianKernel(SIGMA).gram(X, AWAY)
    for lam in np.geomspace(2 * model.hold_level_, 1.5 * model.breakpoints_[0], 9):
        alpha = OneClassSVM(SIGMA, eta * lam, tol=1e-12).fit(X).alpha_[0]
        np.testing.assert_allclose(model.coefficients([lam])[0], alpha, atol=1e-9)
        np.testing.assert_allclose(model.family_.values(AWAY, lam), alpha @ G - lam, atol=1e-9)


def test_with_eta_one_it_is_the_path_bit_by_bit():
    path, model = OneClassPath(SIGMA).fit(X), EtaOneClassPath(SIGMA, 1.0).fit(X)
    np.testing.assert_array_equal(model.family_.levels, path.family_.levels)
    np.testing.assert_array_equal(model.family_.field(AWAY), path.family_.field(AWAY))
    np.testing.assert_array_equal(model.path_residual_, path.path_residual_)
    np.testing.assert_array_equal(model.nus_, path.nus_)


@pytest.mark.parametrize("eta", [1.5, 3.0])
def test_its_sets_are_parzen_sets_from_the_first_breakpoint_up(eta):
    model = EtaOneClassPath(SIGMA, eta).fit(X)
    parzen = ParzenLevelSets(SIGMA).fit(X).family_
    levels = model.breakpoints_[0] * np.array([1.0, 1.2, eta])
    np.testing.assert_allclose(
        model.family_.values(AWAY, levels), parzen.values(AWAY, levels), atol=1e-13
    )


@pytest.mark.parametrize("eta", [1.2, 2.0, 50.0])
def test_below_the_smallest_level_coefficients_are_held_as_in_the_path(eta):
    path, model = OneClassPath(SIGMA).fit(X), EtaOneClassPath(SIGMA, eta).fit(X)
    assert model.hold_level_ == model.family_.hold_level == path.hold_level_
    held = model.coefficients([model.hold_level_])[0] @ GaussianKernel(SIGMA).gram(X, AWAY)
    below = model.hold_level_ * np.array([0.7, 1e-3])
    np.testing.assert_allclose(
        model.family_.values(AWAY, below), held - below[:, None], rtol=1e-9, atol=1e-15
    )


def test_its_sets_may_cross_yet_less_than_those_of_the_path():
    grid = Grid.around(X, resolution=60)
    crossed = [EtaOneClassPath(0.3, eta).fit(X).family_.violations(grid).mean() for eta in (1, 1.2)]
    assert crossed[0] > crossed[1] > 0


@pytest.mark.parametrize("eta", [1.0, 1.7, 4.0])
@pytest.mark.parametrize("nu", [0.05, 0.3, 0.9])
def test_no_more_than_a_share_nu_is_outside(eta, nu):
    model = EtaOneClassPath(SIGMA, eta, level=EtaOneClassPath(SIGMA, eta).fit(X).level_of_nu(nu))
    model.fit(X)
    assert model.nu_of_level(model.level_) == pytest.approx(nu)
    assert (model.predict(X) == -1).mean() <= nu
    assert model.cost_of_level(model.level_) == pytest.approx(1 / (len(X) * eta * model.level_))


@pytest.mark.parametrize("eta", [1.0, 2.0])
@pytest.mark.parametrize("share", [0.02, 0.1, 0.5])
def test_contamination_is_the_share_outside(eta, share):
    model = EtaOneClassPath(SIGMA, eta, contamination=share).fit(X)
    outside = (model.predict(X) == -1).mean()
    assert outside <= share
    if not model.family_.violations(X).any():
        assert outside > share - 2 / len(X)


def test_breakpoints_next_to_each_other_stay_apart():
    lattice = np.indices((7, 7)).reshape(2, -1).T.astype(float)
    model = EtaOneClassPath(1.3, 3.0).fit(lattice)
    assert (np.diff(model.breakpoints_) < 0).all()
    path = OneClassPath(1.3).fit(lattice)
    levels = np.geomspace(1e-5, 1.0, 30) * path.breakpoints_[0]
    np.testing.assert_allclose(
        model.coefficients(levels / 3.0), path.coefficients(levels), atol=1e-12
    )


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"eta": 0.9}, "eta must be 1 or more"),
        ({"eta": np.nan}, "eta must be a finite number"),
        ({"eta": "much"}, "eta must be a finite number"),
        ({"eta": 10.0, "hold_below": 0.2}, "eta times hold_below must be below 1"),
    ],
)
def test_wrong_values_are_refused_in_words(parameters, words):
    with pytest.raises(ValueError, match=words):
        EtaOneClassPath(SIGMA, **parameters).fit(X)


def test_without_a_smallest_level_it_is_the_pure_path():
    pure, model = (
        OneClassPath(SIGMA, hold_below=None).fit(X),
        EtaOneClassPath(SIGMA, 2.0, hold_below=None).fit(X),
    )
    assert model.hold_level_ is None
    np.testing.assert_array_equal(2.0 * model.family_.levels, pure.family_.levels)
