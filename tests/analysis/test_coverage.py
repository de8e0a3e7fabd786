"""Coverage of held-out points, families read by mass, and the paper's experiment in small."""

import numpy as np
import pytest

from nestviz import (
    HierarchicalMVSets,
    IndependentOneClassSVM,
    NestedOneClassSVM,
    OneClassPath,
    ParzenLevelSets,
    QuantileOneClassSVM,
    make_sample,
)
from nestviz.analysis import at_masses, coverage_ratio
from nestviz.analysis.coverage import CoverageRatio

NINETEEN = np.arange(1, 20) / 20


def test_masses_are_counted():
    X = make_sample("banana", random_state=0, n=100).X
    held_out = make_sample("banana", random_state=1, n=300).X
    model = QuantileOneClassSVM(sigma=0.5, quantiles=[0.2, 0.5, 0.9]).fit(X)
    coverage = coverage_ratio(model, held_out)
    expected = [model.family_.contains(held_out, level).mean() for level in (0.2, 0.5, 0.9)]
    np.testing.assert_array_equal(coverage.masses, expected)
    np.testing.assert_allclose(coverage.ratios, np.array(expected) / [0.2, 0.5, 0.9])
    assert coverage.size == 300
    assert coverage.mean_error == pytest.approx(np.abs(1 - coverage.ratios).mean())
    between = coverage_ratio(model.family_, held_out, [0.3])
    assert coverage.masses[0] <= between.masses[0] <= coverage.masses[1]


def test_intervals_hold_the_truth_as_often_as_they_say():
    """Sets of known mass: the share of 400 points in them, many times."""
    rng = np.random.default_rng(0)
    alpha = np.array([0.05, 0.5, 0.95])
    hits = np.zeros(3)
    for _ in range(400):
        masses = rng.binomial(400, alpha) / 400
        low, high = CoverageRatio(alpha, masses, 400).intervals.T
        hits += (low <= 1) & (high >= 1)
    assert np.all(hits / 400 > 0.92)
    assert np.all(hits / 400 < 0.99)


@pytest.mark.parametrize(
    "estimator", [ParzenLevelSets(0.5), NestedOneClassSVM(0.5)], ids=["parzen", "nested"]
)
def test_families_read_by_mass_hold_it(estimator):
    X = make_sample("banana", random_state=0, n=200).X
    family = estimator.fit(X).family_
    read = at_masses(family, X, NINETEEN)
    masses = (read.values(X, NINETEEN) >= 0).mean(axis=1)
    assert np.all(masses >= NINETEEN - 1e-12)
    assert np.all(masses <= NINETEEN + 0.01)
    places = np.random.default_rng(0).normal(size=(400, 2)) * 2
    inside = read.values(places, np.linspace(0.05, 0.95, 200)) >= 0
    assert np.all(inside[:-1] <= inside[1:])
    # Each set is one of the family: the offset is the density level it was read at.
    for level, quantile in zip(read.offsets, NINETEEN, strict=True):
        np.testing.assert_array_equal(
            read.contains(places, quantile), family.contains(places, level)
        )


def test_what_cannot_be_read_is_refused_in_a_sentence():
    X = make_sample("banana", random_state=0, n=60).X
    crossing = OneClassPath(0.3).fit(X).family_
    with pytest.raises(ValueError, match=r"successive union"):
        at_masses(crossing, X, [0.5])
    with pytest.raises(ValueError, match="at least one point"):
        coverage_ratio(QuantileOneClassSVM(0.5).fit(X), np.empty((0, 2)))
    far = np.full((3, 2), 1e3)
    with pytest.raises(ValueError, match="No set of this family holds"):
        at_masses(NestedOneClassSVM(0.3).fit(X).family_, far, [0.5])


def two_gaussians(rng, n, dimensions):
    """A narrow and a wide bump."""
    wide = rng.integers(0, 2, n).astype(bool)
    X = rng.normal(size=(n, dimensions)) * np.where(wide, 1.0, 0.5)[:, None]
    X[:, 0] += np.where(wide, 1.5, -1.5)
    return X


@pytest.mark.parametrize("dimensions", [5, 10])
def test_shared_directions_generalise_better(dimensions):
    """Glazer et al. (2013), figure 2, in small: 100 points, 19 quantiles, γ = 2.5/features.

    In each of ten draws the coverage ratio of the q-OCSVM is closer to 1 than that of independent
    sets, and on average independent sets are closer than greedy ones.
    """
    rng = np.random.default_rng(0)
    sigma = np.sqrt(dimensions / 5)
    errors = []
    for _ in range(10):
        X, held_out = (two_gaussians(rng, n, dimensions) for n in (100, 3000))
        scale = X.std(axis=0)
        fits = (QuantileOneClassSVM, IndependentOneClassSVM, HierarchicalMVSets)
        models = [estimator(sigma=sigma).fit(X / scale) for estimator in fits]
        errors.append([coverage_ratio(model, held_out / scale).mean_error for model in models])
    shared, independent, greedy = np.transpose(errors)
    assert np.all(shared < independent)
    assert shared.mean() < 0.8 * independent.mean()
    assert independent.mean() < greedy.mean()
