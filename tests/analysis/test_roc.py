import numpy as np
import pytest
from crossing_families import crossing_families, crossing_family, membership
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score
from sklearn.metrics import roc_curve as sklearn_curve

from nestviz import (
    CostSensitivePath,
    GaussianKernel,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    OneClassPath,
    OneClassSVM,
    ParzenLevelSets,
    SetFamily,
    make_sample,
)
from nestviz.analysis.ranking import ranking_disagreement
from nestviz.analysis.roc import auc, auc_minus_disagreement, roc_curve
from nestviz.figures.roc import roc_figure


def labels_for(n, seed=0):
    y = np.where(np.random.default_rng(seed).random(n) < 0.5, 1, -1)
    y[:2] = 1, -1
    return y


def finite(scores):
    """Infinities to the nearest side of the rest; the order is all that a ROC sees."""
    return np.unique(scores, return_inverse=True)[1].astype(float)


def nested_families(seed):
    two = make_sample("mixture", random_state=seed, n=80)
    one = make_sample("multi", random_state=seed, n=80)
    yield ParzenLevelSets(0.4).fit(one.X).family_
    yield NestedOneClassSVM(0.4).fit(one.X).family_
    yield OneClassPath(0.4).fit(one.X).family_.union()
    yield OneClassSVM(0.4, lam=0.02).fit(one.X).family_
    yield NestedCostSensitiveSVM(0.4).fit(two.X, two.y).family_
    yield CostSensitivePath(0.4).fit(two.X, two.y).family_.union()


@pytest.mark.parametrize("seed", range(3))
def test_nested_sets_give_the_ordinary_curve_of_the_entry_level(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(scale=2.0, size=(90, 2))
    X[60:70] = X[:10]  # ties
    X[70:75] += 1000.0  # outside every set
    y = labels_for(90, seed)
    for family in nested_families(seed):
        score = finite(-family.orientation * family.scan(X).first)
        expected = sklearn_curve(y, score, drop_intermediate=False)
        curve = roc_curve(family, X, y)
        np.testing.assert_allclose(curve.false_alarm, expected[0], atol=1e-15)
        np.testing.assert_allclose(curve.detection, expected[1], atol=1e-15)
        assert curve.is_monotone
        assert curve.area == pytest.approx(roc_auc_score(y, score), abs=1e-12)
        assert auc(family, X, y) == curve.area == auc_minus_disagreement(family, X, y)


@given(crossing_families(), st.integers(0, 5))
def test_the_curve_has_the_rates_of_every_level(case, seed):
    family, X = case
    y = labels_for(len(X), seed)
    _, inside = membership(family, X)
    rates = {(float(row[y == -1].mean()), float(row[y == 1].mean())) for row in inside}
    rates |= {(0.0, 0.0), (1.0, 1.0)}
    curve = roc_curve(family, X, y)
    assert not np.isnan(curve.levels).any()
    if family.domain[0] < family.domain[1]:
        assert set(zip(curve.false_alarm, curve.detection, strict=True)) == rates
        x, d = np.array(sorted(rates)).T
        assert curve.area == pytest.approx(np.trapezoid(d, x), abs=1e-12)
    assert curve.false_alarm[0] == curve.detection[0] == 0.0
    assert curve.false_alarm[-1] == curve.detection[-1] == 1.0


@given(crossing_families(), st.integers(0, 5))
def test_the_rates_hold_on_their_stretch(case, seed):
    family, X = case
    y = labels_for(len(X), seed)
    curve = roc_curve(family, X, y)
    for (low, high), alarm, detection in zip(
        curve.levels, curve.false_alarm, curve.detection, strict=True
    ):
        if low == high:
            continue
        start = min(high, 0.0) - 1.0 if np.isinf(low) else low
        inside = family.contains(X, float(start + min(high, start + 1.0)) / 2)
        assert inside[y == -1].mean() == alarm
        assert inside[y == 1].mean() == detection


def test_a_family_that_shrinks_on_the_way():
    # Between levels 1 and 2 the only positive point is out again.
    family, X = crossing_family([0, 1, 2, 3], [[-1, -1], [1, -1], [-1, 1], [1, 1]], 1)
    curve = roc_curve(family, X, [1, -1])
    np.testing.assert_allclose(curve.levels[:, 0], [0, 0.5, 1.5, 2.5])
    np.testing.assert_array_equal(curve.false_alarm, [0, 0, 1, 1])
    np.testing.assert_array_equal(curve.detection, [0, 1, 0, 1])
    assert not curve.is_monotone
    # Sorted: (0, 0), (0, 1), (1, 0), (1, 1); the trapezoid from (0, 1) to (1, 0) is one half.
    assert curve.area == 0.5
    assert auc_minus_disagreement(family, X, [1, -1]) == 0.5 - ranking_disagreement(family, X)


def test_one_set_is_one_point_of_the_curve():
    X = np.array([[0.0], [0.1], [3.0], [0.2]])
    family = SetFamily([0.1], [[1.0]], [0.1], [[0.0]], GaussianKernel(1.0), -1)
    curve = roc_curve(family, X, [1, 1, -1, -1])
    np.testing.assert_array_equal(curve.false_alarm, [0, 0.5, 1])
    np.testing.assert_array_equal(curve.detection, [0, 1, 1])
    np.testing.assert_array_equal(curve.levels, [[np.inf] * 2, [0.1, 0.1], [-np.inf] * 2])


@pytest.mark.parametrize("seed", range(2))
def test_paths_against_a_dense_walk_over_levels(seed):
    data = make_sample("mixture", random_state=seed, n=60)
    X = np.random.default_rng(seed).normal(scale=1.5, size=(50, 2))
    y = labels_for(50, seed)
    for family in (
        CostSensitivePath(0.3, lam=0.05).fit(data.X, data.y).family_,
        OneClassPath(0.3).fit(data.X).family_,
    ):
        curve = roc_curve(family, X, y)
        seen = set(zip(curve.false_alarm.round(12), curve.detection.round(12), strict=True))
        for inside in family.values(X, np.linspace(0.0123, 0.4, 500)) > 0:
            rates = inside[y == -1].mean(), inside[y == 1].mean()
            assert (round(rates[0], 12), round(rates[1], 12)) in seen
        d = ranking_disagreement(family, X)
        assert auc_minus_disagreement(family, X, y) == pytest.approx(curve.area - d, abs=1e-15)


def test_errors_are_sentences():
    family = ParzenLevelSets(1.0).fit([[0.0], [1.0]]).family_
    with pytest.raises(ValueError, match="both kinds"):
        roc_curve(family, [[0.0], [1.0]], [1, 1])
    with pytest.raises(ValueError, match=r"\+1"):
        roc_curve(family, [[0.0], [1.0]], [1, 0])
    with pytest.raises(ValueError, match="3 points but 2 labels"):
        roc_curve(family, [[0.0], [1.0], [2.0]], [1, -1])


def test_the_figure_has_a_line_per_curve():
    family, X = crossing_family([0, 1, 2, 3], [[-1, -1], [1, -1], [-1, 1], [1, 1]], 1)
    curve = roc_curve(family, X, [1, -1])
    figure = roc_figure({"crossing": curve, "union": roc_curve(family.union(), X, [1, -1])})
    assert len(figure.data) == 3
    assert figure.data[1].line.dash != figure.data[2].line.dash
    assert tuple(figure.data[1].x) == tuple(curve.false_alarm)
    assert "0.5" in figure.data[1].name
