"""Old names of parameters and attributes: accepted with a warning, in scikit-learn's contract."""

import inspect
import warnings

import numpy as np
import pytest
from sklearn.base import clone

import nestviz
from nestviz.estimators import ErrorOracle, error_table
from nestviz.renamed import renamed

X = np.random.default_rng(0).normal(size=(40, 2))
Y = np.where(X[:, 0] > 0, 1, -1)
SMALL = {"nu_grid": 3, "sigmas": [1.0], "cv": 2}

PARAMETERS = [
    (nestviz.NeymanPearsonClassifier, "alpha", "max_false_positive_rate", 0.3),
    (nestviz.NeymanPearsonClassifier, "nu", "nu_grid", 4),
    (nestviz.NeymanPearsonClassifier, "folds", "cv", 3),
    (nestviz.NeymanPearsonClassifier, "seed", "random_state", 7),
    (nestviz.MinimaxClassifier, "nu", "nu_grid", [0.5]),
    (nestviz.MinimaxClassifier, "folds", "cv", 3),
    (nestviz.MinimaxClassifier, "seed", "random_state", 7),
    (nestviz.MinimumVolumeSet, "nu", "nu_grid", 4),
    (nestviz.MinimumVolumeSet, "folds", "cv", 3),
    (nestviz.MinimumVolumeSet, "seed", "random_state", 7),
    (nestviz.MinimumVolumeSet, "neighbours", "n_neighbors", 4),
    (nestviz.CostSensitivePath, "gamma", "level", 0.3),
    (nestviz.NestedCostSensitiveSVM, "gamma", "level", 0.3),
]


@pytest.mark.parametrize(("kind", "old", "new", "value"), PARAMETERS)
def test_an_old_parameter_is_the_new_one(kind, old, new, value):
    with pytest.warns(FutureWarning, match=f"'{old}' of {kind.__name__} is now '{new}'") as seen:
        model = kind(**{old: value})
    assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        parameters = model.get_params()
        copied = clone(model).get_params()
    assert parameters == copied == {**kind().get_params(), new: value}
    with pytest.warns(FutureWarning, match=f"is now '{new}'"):
        assert getattr(model, old) == value
    with pytest.warns(FutureWarning, match=f"is now '{new}'"):
        assert kind().set_params(**{old: value}).get_params()[new] == value
    with pytest.warns(FutureWarning), pytest.raises(TypeError, match=f"'{new}' is given twice"):
        kind(**{old: value, new: value})


def test_signatures_have_the_new_names_only():
    for name in nestviz.__all__:
        kind = getattr(nestviz, name)
        if hasattr(kind, "get_params"):
            given = list(inspect.signature(kind).parameters)
            assert sorted(given) == sorted(kind().get_params())
            assert not {"seed", "folds", "neighbours", "alpha"} & set(given)
            assert "sigma" not in given or given[0] == "sigma"
            assert kind().get_params().get("sigma", "auto") == "auto"
            assert kind().get_params().get("n_jobs") is None


@pytest.mark.parametrize(
    ("kind", "order"),
    [
        (nestviz.DualCostSVM, {"C": 3.0, "gamma": 0.4, "sigma": 0.5}),
        (nestviz.DualNuSVM, {"nu_plus": 0.3, "nu_minus": 0.6, "sigma": 0.5}),
    ],
)
def test_the_old_positions_keep_their_meaning(kind, order):
    for count in range(1, 4):
        names = list(order)[:count]
        with pytest.warns(FutureWarning, match=f"takes {', '.join(names)} by name"):
            model = kind(*list(order.values())[:count])
        assert model.get_params() == {**kind().get_params(), **{n: order[n] for n in names}}
    with pytest.warns(FutureWarning), pytest.raises(TypeError, match="positional"):
        kind(*order.values(), "gaussian")


def test_the_rate_is_the_first_argument():
    assert nestviz.NeymanPearsonClassifier(0.3).max_false_positive_rate == 0.3


def test_old_attributes_of_two_classes():
    svm = nestviz.DualNuSVM(sigma=1.0).fit(X, Y)
    with pytest.warns(FutureWarning, match="'offset_' of DualNuSVM is now 'intercept_'"):
        assert svm.offset_ == svm.intercept_
    with pytest.warns(FutureWarning):
        svm.offset_ = 2.0
    assert svm.intercept_ == 2.0
    found = nestviz.MinimaxClassifier(**SMALL).fit(X, Y)
    with pytest.warns(FutureWarning, match="unshifted_intercept_"):
        assert found.unshifted_offset_ == found.intercept_
    assert not hasattr(nestviz.DualNuSVM(), "offset_")


def test_functions_accept_old_names_too():
    new = error_table(X, Y, [0.5], [0.5], [1.0], cv=3, random_state=1)
    with pytest.warns(FutureWarning, match="'folds' of error_table is now 'cv'"):
        old = error_table(X, Y, [0.5], [0.5], [1.0], folds=3, seed=1)
    np.testing.assert_array_equal(old.miss, new.miss)
    with pytest.warns(FutureWarning, match="'seed' of ErrorOracle is now 'random_state'"):
        oracle = ErrorOracle(X, Y, [0.5], [0.5], [1.0], folds=3, seed=1)
    assert oracle.at(0, 0, 0) == (new.false_alarm[0, 0, 0], new.miss[0, 0, 0])


def test_a_decorated_function_keeps_its_signature():
    @renamed(old="new")
    def double(new: int = 1) -> int:
        return 2 * new

    assert list(inspect.signature(double).parameters) == ["new"]
    assert double(3) == double(new=3) == 6
    with pytest.warns(FutureWarning):
        assert double(old=4) == 8
