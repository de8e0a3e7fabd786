"""The density read off a family: the slope of mass over volume, made to fall."""

import numpy as np
import pytest
from sklearn.isotonic import isotonic_regression

from nestviz import NestedOneClassSVM, ParzenLevelSets
from nestviz.analysis import density_estimate
from nestviz.analysis.density_estimate import falling_slopes
from nestviz.data import make_sample
from nestviz.data.densities import sample_density
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel
from nestviz.volume import Reference, integrated_volume, mass_volume_curve, uniform_reference

TRAIN = make_sample("multi", 0, n=80).X
FRESH = make_sample("multi", 1, n=80).X
BOX = uniform_reference(np.concatenate([TRAIN, FRESH]), 1024, margin=0.2)


def by_isotonic_regression(mass, volume):
    """The slopes between all volumes, pooled so that they fall, weighted by their lengths."""
    levels = np.unique(volume)
    top = np.array([mass[volume == v].max() for v in levels])
    top[0] = 0.0
    lengths = np.diff(levels)
    fitted = isotonic_regression(np.diff(top) / lengths, sample_weight=lengths, increasing=False)
    return levels, fitted


@pytest.mark.parametrize("seed", range(6))
def test_slopes_are_those_of_isotonic_regression(seed):
    rng = np.random.default_rng(seed)
    mass = np.concatenate([[0.0], np.sort(rng.integers(0, 9, size=12) / 9), [1.0]])
    volume = np.concatenate([[0.0], np.sort(rng.integers(0, 8, size=12) / 4), [2.0]])
    corners, slopes = falling_slopes(mass, volume)
    levels, fitted = by_isotonic_regression(mass, volume)
    middle = (levels[1:] + levels[:-1]) / 2
    step = np.searchsorted(corners, middle) - 1
    np.testing.assert_allclose(slopes[step], fitted, atol=1e-12)
    assert (np.diff(slopes) < 0).all()


@pytest.mark.parametrize("kind", [ParzenLevelSets, NestedOneClassSVM])
def test_it_integrates_to_one_and_falls_along_the_family(kind):
    family = kind(sigma=0.6).fit(TRAIN).family_
    found = density_estimate(family, FRESH, BOX)
    points = np.asarray(BOX.points)
    density = found(points)
    assert density.mean() * BOX.volume == pytest.approx(1.0, abs=1e-9)
    entry = family.first_level(points)
    order = np.argsort(-entry, kind="stable")
    assert (np.diff(density[order]) <= 0).all()
    mass, volume = mass_volume_curve(family, FRESH, BOX).closed()
    np.testing.assert_array_equal(found.densities, falling_slopes(mass, volume)[1])


def test_an_estimator_is_measured_by_what_it_has_not_seen():
    estimator = NestedOneClassSVM(sigma=0.6)
    found = density_estimate(estimator, TRAIN, BOX, cv=4, random_state=2)
    curve = integrated_volume(TRAIN, estimator, cv=4, reference=BOX, random_state=2).curve
    np.testing.assert_array_equal(found.densities, falling_slopes(*curve.closed())[1])
    np.testing.assert_array_equal(found.family.centres, estimator.fit(TRAIN).family_.centres)


def test_points_in_no_set_share_what_is_left():
    """Intervals around zero that end before 1.5: two of three points in half of the box."""
    family = SetFamily([0.5, 1.0], [[1.0], [1.0]], [0.5, 1.0], [[0.0]], GaussianKernel(1.0), -1)
    box = Reference(np.array([[0.5], [1.5]]), volume=2.0)
    found = density_estimate(family, [[0.1], [0.2], [3.0]], box)
    np.testing.assert_allclose(found([[0.1], [0.4], [1.5], [9.0]]), [2 / 3, 2 / 3, 1 / 3, 1 / 3])


def test_it_is_near_the_true_density():
    true = sample_density("multi", 0)
    X = make_sample("multi", 3, n=600).X
    box = uniform_reference(X, 2048)
    points = np.asarray(box.points)
    gaps = {
        sigma: np.abs(density_estimate(ParzenLevelSets(sigma=sigma), X, box)(points) - true(points))
        for sigma in (0.02, 0.4, 6.0)
    }
    distances = {sigma: gap.mean() * box.volume for sigma, gap in gaps.items()}
    assert distances[0.4] < 0.3
    assert distances[0.4] < min(distances[0.02], distances[6.0]) / 2
