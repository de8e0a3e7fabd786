"""What every estimator promises: scikit-learn's own checks, one sign, one order."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from nestviz.estimators import ParzenLevelSets

ONE_CLASS = [ParzenLevelSets(sigma=1.0)]


@parametrize_with_checks(ONE_CLASS)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", ONE_CLASS, ids=lambda e: type(e).__name__)
@pytest.mark.parametrize("seed", range(3))
def test_positive_means_inside(estimator, seed):
    X = np.random.default_rng(seed).normal(size=(60, 2))
    fitted = estimator.fit(X)
    far = np.full((1, 2), 50.0)
    assert fitted.decision_function(far)[0] < 0
    assert fitted.predict(far)[0] == -1
    inside = fitted.decision_function(X) > 0
    np.testing.assert_array_equal(fitted.predict(X) == 1, inside)
    np.testing.assert_array_equal(fitted.family_.contains(X, fitted.level_), inside)
    assert inside.mean() > 0.5
