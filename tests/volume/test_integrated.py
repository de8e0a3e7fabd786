"""Integrated volume by cross-validation: identities, and every choice stated."""

import numpy as np
import pytest
from sklearn.model_selection import KFold
from volume_twins import pairwise_auc

from nestviz.analysis.roc import auc
from nestviz.data import make_sample
from nestviz.estimators import NestedOneClassSVM, OneClassPath, ParzenLevelSets
from nestviz.volume import integrated_volume, mass_volume_curve, uniform_reference
from nestviz.volume.integrated import split


def fold_fits(estimator, X, folds, seed):
    for rows in split(len(X), folds, seed):
        train = np.setdiff1d(np.arange(len(X)), rows)
        yield rows, estimator.fit(X[train]).family_


@pytest.mark.parametrize("estimator", [NestedOneClassSVM(sigma=0.5), ParzenLevelSets(sigma=0.4)])
@pytest.mark.parametrize("seed", range(2))
def test_equals_one_minus_auc_against_uniform_points(estimator, seed):
    X = make_sample("multi", n=83, random_state=seed).X
    reference = uniform_reference(X, n=256, random_state=seed)
    found = integrated_volume(X, estimator, cv=4, reference=reference, random_state=seed)
    aucs, sizes = [], []
    for rows, family in fold_fits(estimator, X, 4, seed):
        entry = family.first_level(np.concatenate([X[rows], reference.points]))
        aucs.append(pairwise_auc(entry[: len(rows)], entry[len(rows) :]))
        sizes.append(len(rows))
    np.testing.assert_allclose(found.fold_values, reference.volume * (1 - np.array(aucs)))
    assert found.auc == pytest.approx(np.average(aucs, weights=sizes))
    assert found.value == pytest.approx(reference.volume * (1 - found.auc))
    assert found.spread == pytest.approx(np.std(found.fold_values, ddof=1))


def test_equals_one_minus_auc_for_a_path_that_is_not_nested():
    X = make_sample("multi", n=60).X
    reference = uniform_reference(X, n=128)
    found = integrated_volume(X, OneClassPath(sigma=0.4), cv=3, reference=reference)
    for value, (rows, family) in zip(
        found.fold_values, fold_fits(OneClassPath(sigma=0.4), X, 3, 0), strict=True
    ):
        both = np.concatenate([X[rows], reference.points])
        labels = np.where(np.arange(len(both)) < len(rows), 1, -1)
        assert value == pytest.approx(reference.volume * (1 - auc(family, both, labels)))


def test_curve_joins_the_folds_level_by_level():
    X = make_sample("ring", n=50).X
    reference = uniform_reference(X, n=128)
    estimator = NestedOneClassSVM(sigma=0.6)
    curve = integrated_volume(X, estimator, cv=3, reference=reference).curve
    parts = list(fold_fits(estimator, X, 3, 0))
    for j in (0, 10, 40, curve.levels.size - 2):
        level = (curve.levels[j] + curve.levels[j + 1]) / 2
        held = sum(family.contains(X[rows], level).sum() for rows, family in parts)
        volumes = [
            reference.measure(family.contains(reference.points, level))[0] for _, family in parts
        ]
        assert curve.mass[j] == held / 50
        assert curve.volume[j] == pytest.approx(np.mean(volumes))


def test_two_equal_folds_of_one_family_are_its_own_curve():
    """With sets that do not depend on the data, cross-validation changes nothing."""

    class Fixed(ParzenLevelSets):
        def fit(self, X, y=None):
            return super().fit(np.array([[0.0, 0.0], [1.0, 0.0]]))

    X = np.random.default_rng(0).normal(size=(40, 2))
    reference = uniform_reference(X, n=256)
    found = integrated_volume(X, Fixed(sigma=1.0), cv=2, reference=reference)
    whole = mass_volume_curve(Fixed(sigma=1.0).fit(X).family_, X, reference)
    assert found.value == pytest.approx(whole.area())
    assert found.curve.area() == pytest.approx(whole.area())
    np.testing.assert_allclose(found.curve.mass, whole.mass)


def test_stated_error_is_the_spread_over_references():
    X = make_sample("multi", n=60).X
    estimator = ParzenLevelSets(sigma=0.4)
    found = [
        integrated_volume(X, estimator, reference=uniform_reference(X, n=256, random_state=seed))
        for seed in range(30)
    ]
    spread = np.std([one.value for one in found], ddof=1)
    stated = np.sqrt(np.mean([one.error**2 for one in found]))
    assert 0.6 < spread / stated < 1.6
    binomial = uniform_reference(X, n=256, scramblings=1)
    assert integrated_volume(X, estimator, reference=binomial).error > spread


def test_folds_are_a_seeded_partition_with_sizes_like_scikit_learns():
    parts = split(23, 5, seed=1)
    np.testing.assert_array_equal(np.sort(np.concatenate(parts)), np.arange(23))
    sizes = [len(test) for _, test in KFold(5).split(np.zeros(23))]
    assert [len(part) for part in parts] == sizes
    assert all(np.array_equal(a, b) for a, b in zip(parts, split(23, 5, seed=1), strict=True))
    assert not np.array_equal(parts[0], split(23, 5, seed=2)[0])


@pytest.mark.parametrize("folds", [1, 61, 2.5, True])
def test_impossible_folds(folds):
    with pytest.raises(ValueError, match="cv must be a scikit-learn splitter or a whole number"):
        integrated_volume(
            np.random.default_rng(0).normal(size=(60, 2)), ParzenLevelSets(), cv=folds
        )


def test_impossible_data():
    with pytest.raises(ValueError, match="two points or more"):
        integrated_volume([[0.0, 1.0]], ParzenLevelSets())
    with pytest.raises(ValueError, match="finite numbers"):
        integrated_volume([[0.0], [np.inf]], ParzenLevelSets())
