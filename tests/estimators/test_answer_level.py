"""The level at which estimators answer, their offsets, splitters, seeds and progress."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold

import nestviz
from nestviz.estimators import error_table
from nestviz.kernels import auto_sigma, median_distance

X = np.random.default_rng(0).normal(size=(60, 2))
Y = np.where(X[:, 0] + 0.3 * X[:, 1] > 0, 1, -1)
SMALL = {"nu_grid": 3, "sigmas": [0.7, 1.4], "cv": 2}

ONE_CLASS = [
    nestviz.ParzenLevelSets(0.8),
    nestviz.OneClassPath(0.8),
    nestviz.EtaOneClassPath(0.8),
    nestviz.NestedOneClassSVM(0.8),
    nestviz.NuOneClassSVM(0.8, 0.2),
    nestviz.SoftBall(0.8, 0.2),
    nestviz.ReflectedOneClassSVM(0.8, 0.2),
    nestviz.CentredOneClassSVM(0.8, 0.2),
    nestviz.QuantileOneClassSVM(0.8),
    nestviz.IndependentOneClassSVM(0.8),
    nestviz.HierarchicalMVSets(0.8),
]
TWO_CLASSES = [
    nestviz.CostSensitivePath(0.8),
    nestviz.NestedCostSensitiveSVM(0.8),
    nestviz.OffsetCostSensitiveSVM(0.8),
]
FIXED = [
    nestviz.OneClassSVM(0.8, 0.1),
    nestviz.MinimumVolumeSet(0.7, **SMALL),
    nestviz.MinimumVolumeSet(0.7, "one-class", **SMALL),
]


def name(model):
    return type(model).__name__ if hasattr(model, "fit") else str(model)


@pytest.mark.parametrize("model", [*ONE_CLASS, *TWO_CLASSES], ids=name)
def test_a_given_level_is_the_level_in_use(model):
    usual = clone(model).fit(X, Y)
    low, high = usual.family_.domain
    level = 0.75 * usual.level_ if low < 0.75 * usual.level_ < high else 0.9 * usual.level_
    given = clone(model).set_params(level=level).fit(X, Y)
    assert given.level_ == level
    inside = usual.family_.contains(X, level)
    np.testing.assert_array_equal(given.decision_function(X) >= 0, inside)
    assert given.predict(X)[inside].tolist() == [1] * inside.sum()
    with pytest.raises(ValueError, match="level"):
        clone(model).set_params(level="high").fit(X, Y)


@pytest.mark.parametrize("model", [*ONE_CLASS, *FIXED], ids=name)
def test_one_class_decides_by_score_minus_offset(model):
    fitted = clone(model).fit(X)
    np.testing.assert_allclose(
        fitted.decision_function(X), fitted.score_samples(X) - fitted.offset_, atol=1e-12
    )


@pytest.mark.parametrize(
    "model", [*ONE_CLASS, *FIXED, *TWO_CLASSES, nestviz.DualNuSVM(sigma=0.8)], ids=name
)
def test_the_boundary_is_inside(model, monkeypatch):
    fitted = clone(model).fit(X, Y)
    monkeypatch.setattr(fitted, "decision_function", lambda points: np.array([-0.0, 0.0]))
    np.testing.assert_array_equal(fitted.predict(X[:2]), [1, 1])


@pytest.mark.parametrize(
    "model", [nestviz.DualCostSVM(sigma=0.8), nestviz.DualNuSVM(sigma=0.8)], ids=name
)
def test_two_classes_add_their_intercept(model):
    model.fit(X, Y)
    kernel = model.family_.kernel.gram(X, X)
    decision = (model.alpha_[0] * Y) @ kernel + model.intercept_
    np.testing.assert_allclose(model.decision_function(X), decision, atol=1e-12)


@pytest.mark.parametrize("kind", [nestviz.OneClassSVM, nestviz.ParzenLevelSets, nestviz.DualNuSVM])
def test_the_default_width_is_a_fifth_of_the_median_distance(kind):
    assert kind().fit(X, Y).sigma_ == auto_sigma(X) == pytest.approx(0.2 * median_distance(X))
    assert kind(sigma="median").fit(X, Y).sigma_ == median_distance(X)


def test_folds_may_be_a_splitter():
    whole = error_table(X, Y, [0.5, 1.0], [0.5], [1.0], cv=3, random_state=4)
    folds = StratifiedKFold(3, shuffle=True, random_state=4)
    same = error_table(X, Y, [0.5, 1.0], [0.5], [1.0], cv=folds)
    np.testing.assert_array_equal(same.miss, whole.miss)
    assert same.folds == 3
    # Test sets that overlap: a rate is still a share of the points tested.
    many = ShuffleSplit(4, test_size=0.5, random_state=0)
    rates = error_table(X, Y, [1.0], [1.0], [1e-3], cv=many)
    assert 0 <= rates.false_alarm[0, 0, 0] <= 1
    assert 0.5 <= max(rates.false_alarm[0, 0, 0], rates.miss[0, 0, 0]) <= 1
    model = nestviz.MinimaxClassifier(**{**SMALL, "cv": folds}).fit(X, Y)
    again = nestviz.MinimaxClassifier(**{**SMALL, "cv": 3}, random_state=4).fit(X, Y)
    assert model.search_.cell == again.search_.cell
    sets = [
        nestviz.MinimumVolumeSet(0.7, "one-class", **{**SMALL, "cv": cv}, random_state=2).fit(X)
        for cv in (3, KFold(3, shuffle=True, random_state=2))
    ]
    np.testing.assert_array_equal(*(found.search_.miss for found in sets))


def test_a_random_state_may_be_a_generator():
    def rates(state):
        return error_table(X, Y, [0.5], [0.5], [0.3], cv=5, random_state=state).miss

    one, two = (rates(np.random.RandomState(3)) for _ in range(2))
    np.testing.assert_array_equal(one, two)
    assert np.isfinite(rates(None)).all()


@pytest.mark.parametrize(
    "model",
    [
        *ONE_CLASS[1:], *TWO_CLASSES, nestviz.DualNuSVM(sigma=0.8), *FIXED,
        nestviz.MinimaxClassifier(**SMALL),
        nestviz.NeymanPearsonClassifier(**SMALL, strategy="coordinate-3d"),
        nestviz.NeymanPearsonClassifier(**SMALL, strategy="nu-svm"),
    ],
    ids=name,
)  # fmt: skip
def test_every_callback_receives_the_same_record(model):
    seen = []
    clone(model).fit(X, Y, callback=seen.append)
    assert seen
    assert all(type(progress) is nestviz.Progress for progress in seen)
    done = [progress.done for progress in seen]
    assert done == sorted(done)
    shares = [progress.share for progress in seen if progress.share is not None]
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares)
    assert all(p.share is not None or p.duality_gap is not None for p in seen)
