"""Calibrated sets hold what they promise, and tests fail where calibration is broken."""

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.ensemble import IsolationForest

from nestviz import (
    ConformalLabels,
    ConformalSets,
    HierarchicalMVSets,
    IndependentOneClassSVM,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    OneClassPath,
    ParzenLevelSets,
    QuantileOneClassSVM,
    make_sample,
)

DRAWS, POINTS, NEW = 100, 60, 300


def banana(n, seed):
    return make_sample("banana", n=n, random_state=seed).X


def coverages(alpha, draws=DRAWS, **options):
    """The share of new points inside, for many draws of data."""
    found = []
    for seed in range(draws):
        sets = ConformalSets(ParzenLevelSets(0.3), random_state=seed, **options)
        sets.fit(banana(POINTS, seed))
        found.append(sets.contains(banana(NEW, 10_000 + seed), 1 - alpha).mean())
    return np.array(found)


def far_below(found, promise):
    """Whether the mean is below a promise by more than chance: four standard errors."""
    return found.mean() < promise - 4 * found.std(ddof=1) / np.sqrt(len(found))


@pytest.mark.parametrize("alpha", [0.1, 0.3])
def test_split_sets_hold_new_points_as_promised(alpha):
    found, n = coverages(alpha), POINTS // 2
    rank = int(np.floor(alpha * (n + 1)))
    # Without ties the coverage of each draw follows a beta distribution (Vovk 2012).
    law = beta(n + 1 - rank, rank)
    assert not far_below(found, 1 - alpha)
    assert abs(found.mean() - law.mean()) < 4 * np.sqrt(
        (law.var() + law.mean() * (1 - law.mean()) / NEW) / DRAWS
    )


class Repeated(ParzenLevelSets):
    """Fits to all points of a draw, those held out for calibration included."""

    points = banana(POINTS, 0)

    def fit(self, X, *more):
        return super().fit(self.points, *more)


def test_a_broken_calibration_is_noticed(monkeypatch):
    found = []
    for seed in range(DRAWS // 2):
        monkeypatch.setattr(Repeated, "points", banana(POINTS, seed))
        sets = ConformalSets(Repeated(0.1), random_state=seed).fit(Repeated.points)
        found.append(sets.contains(banana(NEW, 10_000 + seed), 0.9).mean())
    assert far_below(np.array(found), 0.9)


@pytest.mark.parametrize("method", ["cross", "jackknife+"])
def test_cross_and_jackknife_hold_new_points_as_promised(method):
    found = coverages(0.2, draws=40 if method == "cross" else 8, method=method, cv=5)
    sets = ConformalSets(ParzenLevelSets(0.3), method=method, cv=5, random_state=0)
    promise = sets.fit(banana(POINTS, 0)).coverage_bound(0.8)
    assert 0.4 < promise <= 0.6 + 1e-12
    assert not far_below(found, promise)
    # What is usual on ordinary data.
    assert found.mean() > 0.75


@pytest.mark.slow
def test_guarantees_over_a_thousand_draws():
    for alpha in (0.05, 0.1, 0.25):
        assert not far_below(coverages(alpha, draws=1000), 1 - alpha)


@pytest.mark.nightly
@pytest.mark.parametrize(("method", "draws"), [("cross", 1000), ("jackknife+", 200)])
def test_guarantees_of_cross_and_jackknife_over_many_draws(method, draws):
    found = coverages(0.2, draws=draws, method=method, cv=5)
    sets = ConformalSets(ParzenLevelSets(0.3), method=method, cv=5, random_state=0)
    assert not far_below(found, sets.fit(banana(POINTS, 0)).coverage_bound(0.8))


def test_p_values_are_ranks_among_the_held_out_points():
    X, new = banana(80, 3), banana(50, 4)
    sets = ConformalSets(NestedOneClassSVM(0.4), random_state=0).fit(X)
    (family,) = sets.families_
    fitted = {tuple(x) for x in family.centres}
    held = np.array([x for x in X if tuple(x) not in fitted])
    assert len(held) == sets.n_calibration_ == 40
    ours, theirs = family.first_level(new), family.first_level(held)
    expected = [(1 + np.sum(theirs <= level)) / 41 for level in ours]
    np.testing.assert_allclose(sets.p_values(new), expected, rtol=1e-12)


@pytest.mark.parametrize("method", ["split", "cross", "jackknife+"])
@pytest.mark.parametrize("alpha", [0.01, 0.1, 0.35, 0.9])
def test_sets_are_those_of_p_values_above_alpha(method, alpha):
    sets = ConformalSets(ParzenLevelSets(0.4), 1 - alpha, method=method, cv=4, random_state=1)
    sets.fit(banana(50, 5))
    new = np.vstack([banana(80, 6), [[40.0, 40.0]]])
    inside = sets.p_values(new) > alpha + 1e-12
    np.testing.assert_array_equal(sets.contains(new), inside)
    np.testing.assert_array_equal(sets.predict(new) == 1, inside)
    np.testing.assert_array_equal(sets.decision_function(new) >= 0, inside)


@pytest.mark.parametrize("alpha", [0.05, 0.2, 0.5])
def test_split_sets_are_sets_of_the_family(alpha):
    sets = ConformalSets(NestedOneClassSVM(0.4), random_state=0).fit(banana(90, 7))
    new = banana(200, 8)
    (family,) = sets.families_
    expected = family.contains(new, sets.level_at(1 - alpha))
    np.testing.assert_array_equal(sets.contains(new, 1 - alpha), expected)


@pytest.mark.parametrize(
    "estimator",
    [NestedOneClassSVM, QuantileOneClassSVM, HierarchicalMVSets, ParzenLevelSets],
)
@pytest.mark.parametrize("seed", range(4))
def test_the_set_at_a_level_has_the_points_that_decide_it(estimator, seed):
    """Points on a grid: rounding left the point that decides outside, and all equal to it."""
    X = np.random.default_rng(seed).integers(0, 4, size=(80, 2)).astype(float)
    sets = ConformalSets(estimator(0.7), random_state=seed).fit(X)
    for coverage in (0.5, 0.7, 0.8, 0.9):
        inside = sets.families_[0].contains(X, sets.level_at(coverage))
        assert inside[sets.contains(X, coverage)].all()


def test_the_bound_of_parts_that_differ_in_size_is_that_of_their_p_values():
    """The smaller term of Barber et al. is proved for parts of equal size only."""

    def bound(n, **options):
        sets = ConformalSets(ParzenLevelSets(0.4), method="cross", random_state=0, **options)
        return sets.fit(banana(n, 1)).coverage_bound(0.9)

    assert bound(40, cv=10) == pytest.approx(0.8 - (1 - 10 / 40) / 11)
    assert bound(41, cv=10) == pytest.approx(0.8 - 2 * 0.9 * 9 / 51)
    assert bound(41, cv=41) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("estimator", "sentence"),
    [
        (IsolationForest(n_estimators=5), "IsolationForest has no family_"),
        (NestedCostSensitiveSVM(0.5, 1.0), "NestedCostSensitiveSVM separates two"),
        (NestedOneClassSVM(kernel="precomputed"), "cannot be precomputed"),
    ],
)
def test_estimators_without_sets_of_one_class_get_a_sentence(estimator, sentence):
    with pytest.raises(ValueError, match=sentence):
        ConformalSets(estimator, random_state=0).fit(banana(20, 0))


def test_too_few_held_out_points_leave_nothing_outside():
    sets = ConformalSets(ParzenLevelSets(0.4), 0.99, random_state=0).fit(banana(20, 0))
    assert sets.contains([[1e6, 1e6]], 0.99).all()
    assert np.isinf(sets.level_at(0.99))


def test_crossing_families_have_two_p_values():
    X = make_sample("multi", n=120, random_state=0).X
    sets = ConformalSets(OneClassPath(0.4), random_state=0).fit(X)
    first, last = sets.p_values(X), sets.p_values(X, by="last")
    assert (first != last).any()
    nested = ConformalSets(NestedOneClassSVM(0.4), random_state=0).fit(X)
    np.testing.assert_array_equal(nested.p_values(X), nested.p_values(X, by="last"))


@pytest.mark.parametrize("draws", [25, pytest.param(1000, marks=pytest.mark.nightly)])
def test_few_of_the_selected_outliers_are_ordinary(draws):
    shares, found = [], []
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        sets = ConformalSets(ParzenLevelSets(0.4), random_state=seed).fit(banana(400, seed))
        planted = rng.uniform(-9, 9, size=(20, 2))
        chosen = sets.select_outliers(np.vstack([banana(180, 500 + seed), planted]), 0.2)
        shares.append(chosen[:180].sum() / max(chosen.sum(), 1))
        found.append(chosen[180:].sum())
    assert np.mean(found) >= 5
    shares = np.array(shares)
    assert shares.mean() <= 0.2 + 4 * shares.std(ddof=1) / np.sqrt(len(shares))


@pytest.mark.parametrize("draws", [25, pytest.param(1000, marks=pytest.mark.nightly)])
def test_label_sets_hold_the_label_in_every_class(draws):
    kept = {-1: [], 1: []}
    for seed in range(draws):
        data = make_sample("moons", n=120, random_state=seed)
        labels = ConformalLabels(ParzenLevelSets(0.3), 0.8, random_state=seed)
        labels.fit(data.X, data.y)
        new = make_sample("moons", n=300, random_state=900 + seed)
        sets = labels.label_sets(new.X)
        for column, label in enumerate(labels.classes_):
            kept[int(label)].append(sets[new.y == label, column].mean())
    for found in kept.values():
        assert not far_below(np.array(found), 0.8)
    assert not labels.label_sets([[50.0, 50.0]]).any()
    assert (labels.predict(new.X) == new.y).mean() > 0.8


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"coverage": 0.0}, "coverage must be a finite number above 0"),
        ({"coverage": 1.0}, "coverage must be a share below 1"),
        ({"method": "half"}, "method must be one of split, cross"),
        ({"method": "cross", "cv": 1}, "cv must be 2 or more"),
        ({"calibration": 0.0}, "calibration must be a finite number"),
    ],
)
def test_wrong_settings_get_a_sentence(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        ConformalSets(ParzenLevelSets(0.4), random_state=0, **options).fit(banana(20, 0))


def test_other_wrong_questions_get_a_sentence():
    sets = ConformalSets(ParzenLevelSets(0.4), method="cross", cv=2, random_state=0)
    sets.fit(banana(20, 0))
    with pytest.raises(ValueError, match="Only method='split'"):
        sets.level_at(0.9)
    with pytest.raises(ValueError, match="by must be 'first' or 'last'"):
        sets.p_values([[0.0, 0.0]], by="best")
    with pytest.raises(ValueError, match="Class 2 has one point; each class needs at least 2"):
        ConformalLabels().fit(banana(10, 0), [1] * 9 + [2])


@pytest.mark.parametrize(
    "estimator", [QuantileOneClassSVM, IndependentOneClassSVM, HierarchicalMVSets]
)
def test_sets_of_quantiles_go_on_beyond_the_largest(estimator):
    """At 0.9 no set of the page's quantiles holds enough; the calibrated ones do."""
    inner = estimator(0.4, [0.3, 0.6, 0.9])
    found = []
    for seed in range(20):
        sets = ConformalSets(inner, random_state=seed).fit(banana(80, seed))
        new = banana(NEW, 10_000 + seed)
        found.append(sets.contains(new, 0.9).mean())
        assert not sets.contains([[40.0, 40.0]], 0.9).any()
    assert not far_below(np.array(found), 0.9)
    (family,) = sets.families_
    own = inner.fit(np.unique(family.centres, axis=0)).family_
    # Up to the largest quantile the sets are the family's own.
    inside = own.contains(new, 0.6)
    np.testing.assert_array_equal(family.contains(new, 0.6), inside)
    assert family.levels[-1] == 1.0
    assert own.contains(new, 0.9).mean() < 0.9


def test_progress_is_reported_for_each_fit():
    shares = []
    sets = ConformalSets(ParzenLevelSets(0.4), method="cross", cv=4, random_state=0)
    sets.fit(banana(40, 0), callback=shares.append)
    assert shares == [0.0, 0.25, 0.5, 0.75]


@pytest.mark.parametrize(
    ("options", "method", "families"),
    [
        ({}, "split", 1),
        ({"cv": 4}, "cross", 4),
        ({"cv": "cross"}, "cross", 10),
        ({"method": "cross"}, "cross", 10),
        ({"method": "cross", "cv": 3}, "cross", 3),
        ({"cv": "split"}, "split", 1),
        ({"cv": "jackknife+"}, "jackknife+", 12),
    ],
)
def test_cv_alone_says_how_points_are_held_out(options, method, families):
    sets = ConformalSets(ParzenLevelSets(0.5), random_state=0, **options).fit(banana(12, 0))
    assert (sets.method_, len(sets.families_)) == (method, families)


def test_cv_and_method_may_not_contradict_each_other():
    sets = ConformalSets(method="split", cv="jackknife+")
    with pytest.raises(ValueError, match="contradicts"):
        sets.fit(banana(12, 0))
