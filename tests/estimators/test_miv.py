"""sigma="miv": the width of least integrated volume, chosen inside fit."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from nestviz.data import make_sample
from nestviz.estimators import (
    CostSensitivePath,
    CostSensitiveSVM,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    OneClassPath,
    OneClassSVM,
    ParzenLevelSets,
)
from nestviz.volume import select_bandwidth

X = make_sample("multi", n=36).X


# Those of scikit-learn's checks whose outcome the choice of the width could change; the others
# are run with a given width in test_contract.
TOUCHED = {
    "check_dict_unchanged",
    "check_dtype_object",
    "check_estimators_overwrite_params",
    "check_estimators_pickle",
    "check_fit2d_1feature",
    "check_fit2d_1sample",
    "check_fit_idempotent",
    "check_readonly_memmap_input",
}


def test_scikit_learn_checks():
    done = set()
    for estimator, check in estimator_checks_generator(ParzenLevelSets(sigma="miv")):
        name = check.func.__name__
        if name in TOUCHED:
            check(estimator)
            done.add(name)
    assert done == TOUCHED


@pytest.mark.parametrize(
    "estimator",
    [
        ParzenLevelSets(sigma="miv"),
        pytest.param(OneClassPath(sigma="miv"), marks=pytest.mark.slow),
        NestedOneClassSVM(sigma="miv"),
        OneClassSVM(sigma="miv", lam=0.05),
    ],
    ids=lambda e: type(e).__name__,
)
def test_fit_uses_the_selected_width(estimator):
    sigma = estimator.fit(X).sigma_
    assert sigma == select_bandwidth(X, estimator, random_state=0).sigma
    assert estimator.sigma == "miv"
    given = type(estimator)(**{**estimator.get_params(), "sigma": sigma}).fit(X)
    np.testing.assert_array_equal(estimator.decision_function(X), given.decision_function(X))
    assert estimator.fit(X).sigma_ == sigma


def test_the_width_follows_the_units_of_the_data():
    width = ParzenLevelSets(sigma="miv").fit(X).sigma_
    assert ParzenLevelSets(sigma="miv").fit(8.0 * X).sigma_ == pytest.approx(8.0 * width)


def test_few_points_and_many_features():
    few = NestedOneClassSVM(sigma="miv").fit(X[:3])
    assert np.isfinite(few.sigma_)
    wide = np.random.default_rng(0).normal(scale=1e6, size=(12, 300))
    assert np.isfinite(ParzenLevelSets(sigma="miv").fit(wide).sigma_)
    with pytest.raises(ValueError, match="n_samples = 1"):
        ParzenLevelSets(sigma="miv").fit(X[:1])


@pytest.mark.parametrize("estimator", [CostSensitiveSVM, CostSensitivePath, NestedCostSensitiveSVM])
def test_two_classes_are_told_why_not(estimator):
    y = np.where(X[:, 0] > 0, 1, -1)
    with pytest.raises(ValueError, match="needs data of one class"):
        estimator(sigma="miv").fit(X, y)


def test_other_words_are_refused():
    with pytest.raises(ValueError, match="'median', 'dimension' or 'miv', not 'mean'"):
        ParzenLevelSets(sigma="mean").fit(X)
