"""Our estimators inside nonconform, and our p-values against its formulas.

The package needs Python 3.12; its formulas are written out here for other versions.
"""

import numpy as np
import pytest

from nestviz import (
    ConformalSets,
    NestedOneClassSVM,
    NuOneClassSVM,
    OneClassPath,
    ParzenLevelSets,
    make_sample,
)
from nestviz.estimators.conformity import Conformity


def banana(n, seed):
    return make_sample("banana", n=n, random_state=seed).X


def weighted_p_values(scores, calibrating, test_weights, weights):
    """Return nonconform's weighted p-values: mass at or above a score, with the point's own."""
    above = np.array([weights[calibrating >= score].sum() for score in scores])
    return (above + test_weights) / (weights.sum() + test_weights)


def step_up(p_values, rate):
    """Select by the definition of Benjamini and Hochberg's procedure."""
    order, m = np.argsort(p_values), len(p_values)
    below = np.flatnonzero(p_values[order] <= rate * np.arange(1, m + 1) / m)
    chosen = np.zeros(m, dtype=bool)
    if below.size:
        chosen[order[: below[-1] + 1]] = True
    return chosen


@pytest.mark.parametrize("by", ["first", "last"])
def test_p_values_are_those_of_the_formula_with_equal_weights(by):
    sets = ConformalSets(OneClassPath(0.4), random_state=0).fit(banana(90, 0))
    new = np.vstack([banana(60, 1), [[9.0, 9.0]]])
    (family,) = sets.families_
    fitted = {tuple(x) for x in family.centres}
    held = np.array([x for x in banana(90, 0) if tuple(x) not in fitted])
    # Its scores are larger for anomalies, ours for typical points.
    scores, calibrating = (-getattr(Conformity.of(family, X), by) for X in (new, held))
    ones = np.ones(len(held))
    for constant in (1.0, 3.7):
        expected = weighted_p_values(scores, calibrating, constant * np.ones(61), constant * ones)
        np.testing.assert_allclose(sets.p_values(new, by=by), expected, rtol=1e-12)


@pytest.mark.parametrize("rate", [0.05, 0.2, 0.5])
def test_the_selection_is_that_of_the_definition(rate):
    sets = ConformalSets(ParzenLevelSets(0.4), random_state=1).fit(banana(200, 2))
    rng = np.random.default_rng(3)
    new = np.vstack([banana(80, 4), rng.uniform(-9, 9, size=(15, 2))])
    chosen = sets.select_outliers(new, rate)
    np.testing.assert_array_equal(chosen, step_up(sets.p_values(new), rate))
    # 100 calibrating points allow no selection of fewer than 19 at the smallest rate.
    assert (chosen[80:].sum() > 3) == (rate > 0.1)


@pytest.mark.parametrize(
    "estimator", [NestedOneClassSVM(0.4), NuOneClassSVM(0.4, nu=0.1), ParzenLevelSets(0.4)]
)
def test_our_estimators_work_inside_nonconform(estimator):
    nonconform = pytest.importorskip("nonconform", reason="needs Python 3.12")
    X, calibrating, new = banana(60, 5), banana(40, 6), banana(30, 7)
    detector = nonconform.ConformalDetector(
        detector=estimator.fit(X),
        strategy=nonconform.Split(n_calib=0.5),
        score_polarity="higher_is_normal",
    )
    detector.calibrate(calibrating)
    scores, held = (-estimator.decision_function(points) for points in (new, calibrating))
    expected = weighted_p_values(scores, held, np.ones(30), np.ones(40))
    np.testing.assert_allclose(detector.compute_p_values(new), expected, rtol=1e-12)
    found = nonconform.ConformalDetector(
        detector=estimator,
        strategy=nonconform.Split(n_calib=0.5),
        score_polarity="higher_is_normal",
        seed=0,
    ).fit(banana(100, 8))
    p_values, far = found.compute_p_values(new), found.compute_p_values(np.array([[40.0, 40.0]]))
    np.testing.assert_allclose(51 * p_values, np.rint(51 * p_values), atol=1e-9)
    assert far[0] <= p_values.min()
