"""Sets are closed, and everything that says who is inside says the same."""

import numpy as np
import pytest

from nestviz import (
    CostSensitivePath,
    CostSensitiveSVM,
    DualCostSVM,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    OneClassPath,
    OneClassSVM,
)
from nestviz.analysis import cluster_tree, coverage_ratio, outlier_ranking
from nestviz.analysis.level_sweep import sweep
from nestviz.data import make_sample
from nestviz.estimators import IndependentOneClassSVM, QuantileOneClassSVM
from nestviz.grids import Grid

NORMAL = np.random.default_rng(0).normal(size=(60, 2))


@pytest.mark.parametrize("sigma", [0.1, 0.3, 1.0])
@pytest.mark.parametrize("hold_below", [1e-6, None])
def test_training_points_on_the_margin_of_a_path_are_inside(sigma, hold_below):
    path = OneClassPath(sigma, nu=0.01, hold_below=hold_below).fit(NORMAL)
    family = path.family_
    inside = path.sets(path.level_) != 0  # on the margin or beyond it: not L
    np.testing.assert_array_equal(path.predict(NORMAL) == 1, inside)
    np.testing.assert_array_equal(family.contains(NORMAL, path.level_), inside)
    assert np.isfinite(family.first_level(NORMAL)).all()
    assert (cluster_tree(family, NORMAL).cut(path.level_) >= 0).sum() == inside.sum()
    assert np.isfinite(outlier_ranking(family, NORMAL).level).all()
    walk = sweep(family, Grid.around(NORMAL, resolution=20), NORMAL, [path.level_])
    assert walk.inside[0] == inside.mean()


def test_a_margin_point_enters_where_it_first_reaches_the_margin():
    path = OneClassPath(0.5, hold_below=None).fit(NORMAL)
    first = path.family_.first_level(NORMAL)
    events = path.events_
    left = {}
    for event, point in zip(events, path.event_points_, strict=True):
        if event["from_set"] == 0 and point not in left:
            left[point] = path.breakpoints_[event["breakpoint"]]
    assert len(left) == len(NORMAL)
    entered = np.array([left[i] for i in range(len(NORMAL))])
    np.testing.assert_allclose(first, entered, rtol=1e-9)


@pytest.mark.parametrize("lam", [1e-4, 1e-2, 0.1])
@pytest.mark.parametrize("estimator", [OneClassSVM, NestedOneClassSVM])
def test_predict_and_contains_agree_on_training_points(estimator, lam):
    model = OneClassSVM(0.3, lam) if estimator is OneClassSVM else NestedOneClassSVM(0.3)
    model.fit(NORMAL)
    level = model.level_
    inside = model.family_.contains(NORMAL, level)
    np.testing.assert_array_equal(model.predict(NORMAL) == 1, inside)
    np.testing.assert_array_equal(model.family_.at(level).contains(NORMAL), inside)
    np.testing.assert_array_equal(model.decision_function(NORMAL) >= 0, inside)


@pytest.mark.parametrize("estimator", [QuantileOneClassSVM, IndependentOneClassSVM])
def test_coverage_counts_what_predict_counts(estimator):
    model = estimator(0.2, quantiles=[0.5, 0.9, 0.97]).fit(NORMAL)
    family = model.family_
    ratio = coverage_ratio(model, NORMAL)
    for quantile, mass in zip(ratio.quantiles, ratio.masses, strict=True):
        assert mass == family.contains(NORMAL, quantile).mean()
    # The margin is inside, so the largest set holds about its share, and no less than that share
    # of what lies beyond its margin.
    assert ratio.masses[-1] >= 0.9


TWO_CLASSES = [
    CostSensitiveSVM(0.3, 0.1, gamma=0.5),
    CostSensitivePath(0.3, 0.1, level=0.5),
    CostSensitivePath(0.3, 0.1, level=0.0),
    CostSensitivePath(0.3, 0.1, level=1.0),
    NestedCostSensitiveSVM(0.3, 0.1, level=1.0),
]


@pytest.mark.parametrize("model", TWO_CLASSES, ids=lambda m: f"{type(m).__name__}-{m.get_params()}")
def test_far_from_the_data_there_is_no_boundary(model):
    data = make_sample("mixture", random_state=0, n=60)
    model.fit(data.X, data.y)
    far = np.array([[1e4, 1e4], [-1e5, 3.0]])
    family = model.family_
    assert np.all(model.predict(far) == model.classes_[0])
    assert np.all(family.first_level(far) == np.inf)
    assert not family.violations(far).any()
    for level in family.levels[[0, len(family.levels) // 2, -1]]:
        assert not family.contains(far, float(level)).any()
    assert family.intervals(far).counts.sum() == 0


@pytest.mark.parametrize("distance", [8.0, 15.0, 25.0])
def test_small_values_far_away_have_the_sign_of_their_class(distance):
    """Where kernel values are tiny but not zero, the nearer class decides, not a tolerance."""
    X, y = np.array([[-1.0], [1.0]]), np.array([-1, 1])
    path = CostSensitivePath(1.0, 0.5).fit(X, y)
    away = np.array([[-distance], [distance]])
    np.testing.assert_array_equal(path.predict(away), [-1, 1])
    np.testing.assert_array_equal(path.family_.contains(away, 0.5), [False, True])


def test_the_offset_decides_where_the_kernel_has_died_out():
    X, y = np.array([[-1.0], [1.0], [1.5]]), np.array([-1, 1, 1])
    model = DualCostSVM(C=10.0, sigma=0.5).fit(X, y)
    assert model.predict([[1e6]])[0] == (1 if model.intercept_ >= 0 else -1)
