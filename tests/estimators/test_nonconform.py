"""Our estimators inside nonconform, and our p-values against its own.

The package needs Python 3.12; its formulas are written out here for other versions.
"""

import pickle
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import train_test_split

from nestviz import (
    CentredOneClassSVM,
    ConformalSets,
    EntryLevels,
    EtaOneClassPath,
    HierarchicalMVSets,
    IndependentOneClassSVM,
    NestedOneClassSVM,
    NuOneClassSVM,
    OneClassMinimaxMachine,
    OneClassPath,
    OneClassSVM,
    ParzenLevelSets,
    QuantileOneClassSVM,
    Quantised,
    ReflectedOneClassSVM,
    SoftBall,
    make_sample,
)
from nestviz.estimators.conformity import Conformity

DETECTORS = [
    NestedOneClassSVM(0.4),
    OneClassSVM(0.4),
    OneClassPath(0.4),
    EtaOneClassPath(0.4),
    NuOneClassSVM(0.4, nu=0.1),
    CentredOneClassSVM(0.4, nu=0.1),
    ReflectedOneClassSVM(0.4, nu=0.1),
    SoftBall(0.4, nu=0.1),
    ParzenLevelSets(0.4),
    QuantileOneClassSVM(0.4),
    IndependentOneClassSVM(0.4),
    HierarchicalMVSets(0.4),
    OneClassMinimaxMachine(0.4),
    Quantised(NestedOneClassSVM(0.4)),
    EntryLevels(OneClassPath(0.4)),
    EntryLevels(OneClassPath(0.4), "last"),
    EntryLevels(QuantileOneClassSVM(0.4)),
]


@pytest.fixture(name="nonconform")
def package():
    """Return the package, which needs Python 3.12."""
    return pytest.importorskip("nonconform", reason="nonconform needs Python 3.12")


def banana(n, seed):
    return make_sample("banana", n=n, random_state=seed).X


def with_outliers(seed):
    rng = np.random.default_rng(seed)
    return np.vstack([banana(80, seed), rng.uniform(-9, 9, size=(15, 2)), [[40.0, 40.0]]])


def weighted_p_values(scores, calibrating, test_weights, weights):
    """Return nonconform's weighted p-values: mass at or above a score, with the point's own."""
    above = np.array([weights[calibrating >= score].sum() for score in scores])
    return (above + test_weights) / (weights.sum() + test_weights)


def plain_p_values(scores, calibrating):
    return weighted_p_values(scores, calibrating, np.ones(len(scores)), np.ones(len(calibrating)))


def step_up(p_values, rate):
    """Select by the definition of Benjamini and Hochberg's procedure."""
    order, m = np.argsort(p_values), len(p_values)
    below = np.flatnonzero(p_values[order] <= rate * np.arange(1, m + 1) / m)
    chosen = np.zeros(m, dtype=bool)
    if below.size:
        chosen[order[: below[-1] + 1]] = True
    return chosen


def division(sets, X):
    """Return the points that a split calibration fitted to, and those it held out."""
    (family,) = sets.families_
    fitted = {tuple(x) for x in family.centres}
    is_fitted = np.array([tuple(x) in fitted for x in X])
    return X[is_fitted], X[~is_fitted]


def inside(nonconform, detector, strategy=None, **options):
    """Return a detector of nonconform; ours have larger scores for ordinary points."""
    return nonconform.ConformalDetector(
        detector=detector,
        strategy=strategy or nonconform.Split(n_calib=0.5),
        score_polarity="higher_is_normal",
        **options,
    )


@pytest.mark.parametrize("by", ["first", "last"])
def test_p_values_are_those_of_the_formula_with_equal_weights(by):
    sets = ConformalSets(OneClassPath(0.4), random_state=0).fit(banana(90, 0))
    new = np.vstack([banana(60, 1), [[9.0, 9.0]]])
    held = division(sets, banana(90, 0))[1]
    # Its scores are larger for anomalies, ours for typical points.
    (family,) = sets.families_
    scores, calibrating = (-getattr(Conformity.of(family, X), by) for X in (new, held))
    ones = np.ones(len(held))
    for constant in (1.0, 3.7):
        expected = weighted_p_values(scores, calibrating, constant * np.ones(61), constant * ones)
        np.testing.assert_allclose(sets.p_values(new, by=by), expected, rtol=1e-12)


@pytest.mark.parametrize("rate", [0.05, 0.2, 0.5])
def test_the_selection_is_that_of_the_definition(rate):
    sets = ConformalSets(ParzenLevelSets(0.4), random_state=1).fit(banana(200, 2))
    new = with_outliers(4)
    chosen = sets.select_outliers(new, rate)
    np.testing.assert_array_equal(chosen, step_up(sets.p_values(new), rate))
    # 100 calibrating points allow no selection of fewer than 19 at the smallest rate.
    assert (chosen[80:].sum() > 3) == (rate > 0.1)


@pytest.mark.parametrize("estimator", DETECTORS, ids=lambda e: type(e).__name__)
def test_our_estimators_work_inside_nonconform(nonconform, estimator):
    """Fitted inside, they are what they are outside, but for its least contamination."""
    X, new = banana(100, 8), with_outliers(7)
    found = inside(nonconform, estimator, seed=3).fit(X)
    fitted, held = train_test_split(np.arange(100), test_size=0.5, random_state=3)
    least = {"contamination": sys.float_info.min, "random_state": 3}
    known = estimator.get_params(deep=False)
    own = clone(estimator).set_params(**{key: least[key] for key in least if key in known})
    own.fit(X[fitted])
    scores, calibrating = -own.decision_function(new), -own.decision_function(X[held])
    p_values = found.compute_p_values(new)
    np.testing.assert_array_equal(p_values, plain_p_values(scores, calibrating))
    np.testing.assert_array_equal(found.select(new, alpha=0.2), step_up(p_values, 0.2))
    assert p_values[-1] == p_values.min()


@pytest.mark.parametrize("estimator", DETECTORS, ids=lambda e: type(e).__name__)
def test_fitted_estimators_are_calibrated_frozen_and_copied_by_nonconform(nonconform, estimator):
    X, calibrating, new = banana(60, 5), banana(40, 6), with_outliers(7)
    own = clone(estimator).fit(X)
    detector = inside(nonconform, own).calibrate(calibrating)
    scores, held = (-own.decision_function(points) for points in (new, calibrating))
    p_values = detector.compute_p_values(new)
    np.testing.assert_array_equal(p_values, plain_p_values(scores, held))
    again = pickle.loads(pickle.dumps(detector))
    np.testing.assert_array_equal(again.compute_p_values(new), p_values)
    table = pd.DataFrame(new, columns=["a", "b"], index=np.arange(len(new)) + 7)
    by_name = detector.compute_p_values(table)
    assert by_name.index.tolist() == table.index.tolist()
    np.testing.assert_array_equal(by_name.to_numpy(), p_values)
    short = new.astype(np.float32)
    np.testing.assert_array_equal(
        detector.compute_p_values(short), detector.compute_p_values(short.astype(np.float64))
    )
    assert not clone(detector).is_fitted


@pytest.mark.parametrize(
    "estimator", [OneClassPath(0.4), NestedOneClassSVM(0.4), IndependentOneClassSVM(0.4)]
)
def test_calibrated_sets_have_the_p_values_and_selections_of_nonconform(nonconform, estimator):
    """Two detectors of nonconform are the two answers of sets that cross."""
    X, new = banana(120, 0), with_outliers(1)
    sets = ConformalSets(estimator, random_state=0).fit(X)
    fitted, held = division(sets, X)
    both = []
    for by in ("first", "last"):
        own = EntryLevels(estimator, by).fit(fitted)
        detector = inside(nonconform, own).calibrate(held)
        both.append(detector.compute_p_values(new))
        np.testing.assert_array_equal(sets.p_values(new, by=by), both[-1])
        for rate in (0.05, 0.2, 0.5):
            if by == "first":
                np.testing.assert_array_equal(
                    sets.select_outliers(new, rate), detector.select(new, alpha=rate)
                )
    nested = sets.families_[0].is_nested
    assert nested == np.array_equal(*both)


@pytest.mark.parametrize(("method", "parts"), [("cross", 4), ("jackknife+", None)])
def test_cross_calibration_has_the_folds_of_nonconform_and_other_p_values(
    nonconform, method, parts
):
    """It compares the median over all fits, and we each fit with its own held-out points."""
    X, new = banana(30, 2), with_outliers(3)
    strategy = nonconform.CrossValidation(k=parts, shuffle=parts is not None)
    sets = ConformalSets(OneClassPath(0.4), method=method, cv=parts, random_state=5).fit(X)
    theirs = {
        name: inside(
            nonconform, EntryLevels(OneClassPath(0.4)), strategy, aggregation=name, seed=5
        ).fit(X)
        for name in ("median", "minimum", "maximum")
    }
    median = theirs["median"]
    models, calibrating = median.detector_set, median.calibration_set
    assert len(models) == len(sets.families_)
    scores = np.array([model.decision_function(new) for model in models])
    # Folds come in order, and sizes differ by one at most.
    folds = np.array_split(calibrating, len(models))
    count = sum((own >= row[:, None]).sum(axis=1) for own, row in zip(folds, scores, strict=True))
    np.testing.assert_allclose(sets.p_values(new), (1.0 + count) / 31.0, rtol=1e-12)
    p_values = {name: detector.compute_p_values(new) for name, detector in theirs.items()}
    np.testing.assert_array_equal(
        p_values["median"], plain_p_values(np.median(scores, axis=0), calibrating)
    )
    # The least abnormal score of all fits has the largest p-value; ours lie between.
    assert (p_values["maximum"] <= sets.p_values(new) + 1e-12).all()
    assert (sets.p_values(new) <= p_values["minimum"] + 1e-12).all()
    assert not np.allclose(sets.p_values(new), p_values["median"])


def test_other_strategies_of_nonconform_take_entry_levels(nonconform):
    X, new, own = banana(60, 2), with_outliers(3), EntryLevels(OneClassPath(0.4))
    bootstrap = inside(nonconform, own, nonconform.JackknifeBootstrap(8), seed=0).fit(X)
    assert bootstrap.compute_p_values(new)[-1] == 1 / 61
    splits = nonconform.DerandomizedSplits(n_repetitions=2, n_calib=0.5)
    assert inside(nonconform, own, splits, seed=0).fit(X).select(new, alpha=0.4).shape == (96,)
    # Weighted p-values are of finite scores only; the last point is in no set.
    weights = nonconform.logistic_weight_estimator()
    shifted = inside(nonconform, own, weight_estimator=weights, seed=0).fit(X)
    p_values, kept = shifted.compute_p_values(new), shifted.last_result
    expected = weighted_p_values(
        kept.test_scores, kept.calib_scores, kept.test_weights, kept.calib_weights
    )
    np.testing.assert_allclose(p_values, expected, rtol=1e-12)
