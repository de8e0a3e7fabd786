"""A search shares distances between its fits, and finds what separate fits find."""

import pickle

import numpy as np
import pytest
from sklearn.model_selection import KFold, ShuffleSplit

from nestviz import NestedOneClassSVM, OneClassPath, ParzenLevelSets, make_sample
from nestviz.kernels import GaussianGrams, GaussianKernel
from nestviz.volume import (
    default_sigmas,
    draw_reference,
    integrated_volume,
    select_bandwidth,
    uniform_reference,
)

X = make_sample("multi", n=60).X


class FittedOneByOne(NestedOneClassSVM):
    """The same estimator; a ``fit`` of its own closes the short cut."""

    def fit(self, X, y=None, sample_weight=None, callback=None):
        return super().fit(X, y, sample_weight, callback)


@pytest.mark.parametrize(
    "name", ["bench-banana", "bench-flare-solar", "bench-thyroid", "bench-titanic", "bench-german"]
)
def test_a_search_finds_the_width_of_separate_fits(name):
    data = make_sample(name)
    points = data.X[data.y == 1][:60]
    sigmas = default_sigmas(points, 10)
    box = uniform_reference(points, 512, relative=True)
    options = {"cv": 3, "reference": box}
    shared = select_bandwidth(points, NestedOneClassSVM(), sigmas, **options)
    apart = [
        integrated_volume(points, FittedOneByOne(sigma=sigma), **options).value for sigma in sigmas
    ]
    np.testing.assert_allclose(shared.values, apart, rtol=1e-6, atol=1e-9)
    assert shared.sigma == select_bandwidth(points, FittedOneByOne(), sigmas, **options).sigma


def test_families_by_width_are_those_of_fit():
    points = np.concatenate([X, X[:5]])
    family = NestedOneClassSVM().families_by_width(points, 1.0)(0.5)
    expected = NestedOneClassSVM(sigma=0.5).fit(points).family_
    np.testing.assert_allclose(family.levels, expected.levels)
    np.testing.assert_allclose(family.coefficients, expected.coefficients, atol=1e-12)
    np.testing.assert_array_equal(family.centres, expected.centres)


@pytest.mark.parametrize("features", [1, 3, 40])
@pytest.mark.parametrize("sigma", [1e-200, 0.3, 1e200])
def test_grams_of_shared_distances_are_those_of_the_kernel(features, sigma):
    rng = np.random.default_rng(features)
    A, B = rng.normal(size=(7, features)), rng.normal(size=(600, features))
    B[0] = A[0]
    grams, kernel = GaussianGrams(A, B, 0.7), GaussianKernel(sigma)
    np.testing.assert_allclose(grams.at(sigma), kernel.gram(A, B), rtol=1e-10, atol=1e-15)
    c = rng.uniform(size=(2, 7))
    np.testing.assert_allclose(grams.product(c, sigma), c @ kernel.gram(A, B), rtol=1e-10)


@pytest.mark.parametrize("estimator", [ParzenLevelSets, NestedOneClassSVM, OneClassPath])
def test_the_curve_is_kept_with_the_estimator_and_is_small(estimator):
    fitted = estimator(sigma="miv").fit(X)
    kept = pickle.loads(pickle.dumps(fitted)).bandwidth_search_
    assert kept.sigma == fitted.sigma_
    assert kept.values.shape == kept.errors.shape == kept.sigmas.shape
    assert kept.fold_values.shape == (kept.sigmas.size, 5)
    assert len(pickle.dumps(fitted.bandwidth_search_)) < 100_000
    with pytest.raises(ValueError, match="were not kept"):
        _ = kept.curves
    assert not hasattr(estimator(sigma=0.5).fit(X), "bandwidth_search_")


def test_splitters_of_scikit_learn_are_accepted():
    splitter = KFold(4, shuffle=True, random_state=3)
    found = integrated_volume(X, ParzenLevelSets(0.5), cv=splitter)
    again = integrated_volume(X[::-1], ParzenLevelSets(0.5), cv=splitter)
    assert found.fold_values.shape == again.fold_values.shape == (4,)
    one = select_bandwidth(X, ParzenLevelSets(), [0.1, 0.5, 2.0], cv=ShuffleSplit(1))
    assert one.fold_values.shape == (3, 1)
    assert one.spreads.tolist() == [0.0, 0.0, 0.0]


def test_old_keywords_warn_and_mean_the_same():
    sigmas, windows = [0.1, 0.5, 2.0], ParzenLevelSets()
    expected = select_bandwidth(X, windows, sigmas, cv=3, random_state=2)
    with pytest.warns(FutureWarning, match="'cv'"):
        old = select_bandwidth(X, windows, sigmas, folds=3, random_state=2)
    np.testing.assert_array_equal(old.values, expected.values)
    with pytest.warns(FutureWarning, match="'random_state'"):
        old = uniform_reference(X, seed=2)
    np.testing.assert_array_equal(old.points, uniform_reference(X, random_state=2).points)
    with pytest.warns(FutureWarning, match="'n_neighbors'"):
        old = draw_reference(X, 5, "manifold", neighbours=3)
    np.testing.assert_array_equal(old, draw_reference(X, 5, "manifold", n_neighbors=3))


def test_a_random_state_is_a_source_of_seeds():
    rng = np.random.RandomState(0)
    first, second = (uniform_reference(X, 64, random_state=rng).points for _ in range(2))
    assert not np.array_equal(first, second)
    again = uniform_reference(X, 64, random_state=np.random.RandomState(0)).points
    np.testing.assert_array_equal(first, again)


def test_more_points_than_memory_for_distances_change_nothing(monkeypatch):
    sigmas = [0.1, 0.5, 2.0]
    kept = select_bandwidth(X, NestedOneClassSVM(), sigmas, cv=2)
    monkeypatch.setattr("nestviz.volume.trials.MOST_DISTANCES", 0)
    computed = select_bandwidth(X, NestedOneClassSVM(), sigmas, cv=2)
    np.testing.assert_allclose(kept.values, computed.values, rtol=1e-6)
