"""One cost-sensitive SVM, and its offset moved along the asymmetries."""

import numpy as np
import pytest

from nestviz import CostSensitiveSVM, Grid, OffsetCostSensitiveSVM
from nestviz.analysis import auc
from nestviz.data import make_sample
from nestviz.kernels import GaussianKernel

DATA = make_sample("banana", random_state=0, n=160)
X, Y = DATA.X, DATA.y
GAMMAS = np.linspace(0.0, 1.0, 31)


def rank_area(scores, y):
    """The AUC by comparing every pair."""
    inside, outside = scores[y == 1][:, None], scores[y == -1]
    return float(((inside > outside) + 0.5 * (inside == outside)).mean())


@pytest.mark.parametrize("lam", [0.05, 1.0, 50.0])
@pytest.mark.parametrize("gamma", [0.2, 0.5, 0.9])
def test_at_the_asymmetry_that_is_solved_it_is_the_svm_itself(lam, gamma):
    model = OffsetCostSensitiveSVM(0.5, lam, gamma, tol=1e-10).fit(X, Y)
    single = CostSensitiveSVM(0.5, lam, gamma, tol=1e-10).fit(X, Y)
    np.testing.assert_array_equal(model.alpha_, single.alpha_)
    np.testing.assert_allclose(model.decision_function(X), single.decision_function(X), atol=1e-12)
    grid = Grid.around(X, resolution=30)
    np.testing.assert_array_equal(
        model.family_.contains(grid, gamma), single.family_.contains(grid, gamma)
    )


@pytest.mark.parametrize("lam", [0.05, 1.0, 50.0])
def test_every_set_is_a_level_set_of_one_function_and_they_grow(lam):
    model = OffsetCostSensitiveSVM(0.5, lam).fit(X, Y)
    grid = Grid.around(X, resolution=40)
    f = model.alpha_[0] * Y / lam @ GaussianKernel(0.5).gram(X, grid.points())
    values = model.family_.values(grid, GAMMAS)
    offsets = f - values
    np.testing.assert_allclose(offsets, np.repeat(offsets[:, :1], f.size, axis=1), atol=1e-9)
    assert (np.diff(offsets[:, 0]) <= 1e-12).all()
    assert not model.family_.violations(grid, check=True).any()
    inside = values >= 0
    assert not inside[0].any()
    assert inside[-1].all()


@pytest.mark.parametrize("gamma", [0.3, 0.5])
def test_equal_steps_move_equal_numbers_of_points(gamma):
    model = OffsetCostSensitiveSVM(0.5, 0.2, gamma).fit(X, Y)
    shares = np.array([model.family_.contains(X, level).mean() for level in GAMMAS])
    at = shares[0] + model.family_.contains(X, gamma).mean()
    even = np.interp(GAMMAS, [0.0, gamma, 1.0], [0.0, at, 1.0])
    assert np.abs(shares - even).max() < 0.05


def test_its_area_is_that_of_the_function():
    model = OffsetCostSensitiveSVM(0.5, 0.2).fit(X, Y)
    new = make_sample("banana", random_state=1, n=100)
    f = model.decision_function(new.X)
    assert auc(model.family_, new.X, new.y) == pytest.approx(rank_area(f, new.y), abs=1e-12)


def test_a_weight_counts_as_repeated_rows():
    rng = np.random.default_rng(0)
    times = rng.integers(1, 4, len(X))
    weighted = OffsetCostSensitiveSVM(0.5, 0.2, tol=1e-12).fit(X, Y, sample_weight=times)
    rows = np.repeat(np.arange(len(X)), times)
    repeated = OffsetCostSensitiveSVM(0.5, 0.2, tol=1e-12).fit(X[rows], Y[rows])
    np.testing.assert_allclose(weighted.family_.offsets, repeated.family_.offsets, atol=1e-6)


@pytest.mark.parametrize("y", [np.ones(20), -np.ones(20)])
def test_a_single_class_is_accepted(y):
    model = OffsetCostSensitiveSVM(0.5).fit(X[:20], y)
    assert not model.family_.contains(X[:20], 0.0).any()
    assert model.family_.contains(X[:20], 1.0).all()


@pytest.mark.parametrize("gamma", [0.0, 1.0])
def test_an_end_cannot_be_solved_for(gamma):
    with pytest.raises(ValueError, match="gamma must be between 0 and 1"):
        OffsetCostSensitiveSVM(0.5, gamma=gamma).fit(X, Y)


@pytest.mark.parametrize("kernel", [{"kernel": "polynomial", "degree": 3}, {"sigma": 20.0}])
def test_any_kernel_is_nested(kernel):
    model = OffsetCostSensitiveSVM(**kernel).fit(X, Y)
    grid = Grid.around(X, resolution=20)
    assert not model.family_.violations(grid, check=True).any()
    assert not model.family_.contains(X, 0.0).any()
    assert model.family_.contains(X, 1.0).all()
