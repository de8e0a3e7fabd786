"""Mass-volume curves against evaluation level by level, AUCs and hand-made families."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score
from volume_twins import column_family, inside_between, pairwise_auc, random_family

from nestviz.analysis.roc import auc
from nestviz.data import make_sample
from nestviz.estimators import CostSensitivePath, NestedOneClassSVM, OneClassPath, OneClassSVM
from nestviz.grids import Grid
from nestviz.volume import Reference, mass_volume_curve, uniform_reference
from nestviz.volume.curves import MassVolumeCurve


def parted(points, held_out, volume, scramblings=1):
    """The first points held out, the others for reference."""
    return points[:held_out], Reference(points[held_out:], volume, scramblings)


def test_known_answer_density_levels():
    """Five points that enter at 5, 4, 3, 2 and never; the second and fourth are sites."""
    columns = np.subtract.outer(np.array([6.0, 0.0]), [5, 4, 3, 2, -1]) * -1
    family, points = column_family([0.0, 6.0], columns[::-1], -1)
    X, sites = points[[0, 2, 4]], Reference(points[[1, 3]], 10.0)
    curve = mass_volume_curve(family, X, sites)
    np.testing.assert_allclose(curve.levels, [5, 4, 3, 2])
    np.testing.assert_allclose(curve.mass, [1 / 3, 1 / 3, 2 / 3, 2 / 3])
    np.testing.assert_allclose(curve.volume, [0, 5, 5, 10])
    # 0 for the first third, 5 for the second, the whole box for the point never held.
    assert curve.area() == pytest.approx((0 + 5 + 10) / 3)
    np.testing.assert_allclose(
        curve.quantile([0.1, 1 / 3, 0.4, 2 / 3, 0.7, 1]), [0, 0, 5, 5, 10, 10]
    )


def test_known_answer_growing_and_leaving():
    """A point that leaves and comes back is followed through all its intervals."""
    family, points = column_family([0, 1, 2, 3], [[-1, -1], [1, -1], [-1, 1], [1, 1]], 1)
    curve = mass_volume_curve(family, points[:1], Reference(points[1:], 4.0))
    # At 1.5 the point leaves as the site enters; at 2.5 it is back.
    np.testing.assert_allclose(curve.levels, [0.5, 1.5, 2.5])
    np.testing.assert_array_equal(curve.mass, [1, 0, 1])
    np.testing.assert_array_equal(curve.volume, [0, 4, 4])
    assert curve.quantile(1.0) == 0.0


@pytest.mark.parametrize("orientation", [1, -1])
@pytest.mark.parametrize("union", [False, True])
@settings(max_examples=60)
@given(seed=st.integers(0, 10**6))
def test_every_stretch_of_levels_agrees_with_the_field(orientation, union, seed):
    family, points = random_family(np.random.default_rng(seed), 12, orientation)
    family = family.union() if union else family
    X, sites = parted(points, 6, 2.0, scramblings=3)
    curve = mass_volume_curve(family, X, sites)
    assert np.all(np.diff(orientation * curve.levels) > 0)
    levels = np.unique(np.concatenate([family.domain, curve.levels]))
    between, inside = inside_between(family, points, levels)
    for level, row in zip(between, inside, strict=True):
        passed = int((orientation * curve.levels < orientation * level).sum())
        # The first entry of the closed curve is the empty set.
        assert curve.closed()[0][passed] == pytest.approx(row[:6].mean())
        assert curve.closed()[1][passed] == pytest.approx(2.0 * row[6:].mean())


@pytest.mark.parametrize("orientation", [1, -1])
@settings(max_examples=60)
@given(seed=st.integers(0, 10**6))
def test_area_is_one_minus_auc_for_nested_sets(orientation, seed):
    """Ties and points outside every set included: the fields are whole numbers."""
    family, points = random_family(np.random.default_rng(seed), 14, orientation)
    family = family.union()
    X, sites = parted(points, 8, 3.0)
    area = mass_volume_curve(family, X, sites).area()
    early = -orientation * family.first_level(points)
    assert area == pytest.approx(3.0 * (1 - pairwise_auc(early[:8], early[8:])))
    finite = np.where(np.isinf(early), -1e3, early)
    labels = np.arange(14) < 8
    assert area == pytest.approx(3.0 * (1 - roc_auc_score(labels, finite)))


@pytest.mark.parametrize("orientation", [1, -1])
@settings(max_examples=60)
@given(seed=st.integers(0, 10**6))
def test_area_is_one_minus_auc_for_any_sets(orientation, seed):
    family, points = random_family(np.random.default_rng(seed), 14, orientation)
    X, sites = parted(points, 8, 3.0)
    labels = np.where(np.arange(14) < 8, 1, -1)
    area = mass_volume_curve(family, X, sites).area()
    assert area == pytest.approx(3.0 * (1 - auc(family, points, labels)))


@pytest.mark.parametrize("estimator", [OneClassPath(sigma=0.6), NestedOneClassSVM(sigma=0.6)])
@pytest.mark.parametrize("seed", range(3))
def test_curves_of_fits(estimator, seed):
    X = make_sample("multi", n=120, random_state=seed).X
    family = estimator.fit(X[:80]).family_
    reference = uniform_reference(X, n=256, random_state=seed)
    curve = mass_volume_curve(family, X[80:], reference)
    for j in np.linspace(0, curve.levels.size - 2, 9).astype(int):
        level = (curve.levels[j] + curve.levels[j + 1]) / 2
        assert curve.mass[j] == family.contains(X[80:], level).mean()
        volume, error = reference.measure(family.contains(reference.points, level))
        assert curve.volume[j] == pytest.approx(volume)
        assert curve.volume_error[j] == pytest.approx(error)
    steps = np.diff(curve.volume)
    assert not family.is_nested or np.all(steps >= 0)


def test_pixels_and_uniform_points_agree():
    X = make_sample("ring", n=100).X
    family = NestedOneClassSVM(sigma=0.5).fit(X[:60]).family_
    grid = Grid.around(X, resolution=120, margin=0.1)
    exact = mass_volume_curve(family, X[60:], grid)
    assert not exact.volume_error.any()
    random = mass_volume_curve(family, X[60:], uniform_reference(X, n=8192, margin=0.1))
    # Pixels stand for cells: the outermost reach half a pixel further than the box.
    assert random.box_volume == pytest.approx(exact.box_volume, rel=0.03)
    masses = [0.3, 0.6, 0.9]
    np.testing.assert_allclose(random.quantile(masses), exact.quantile(masses), rtol=0.05)


def test_growing_sets_of_two_classes():
    data = make_sample("blobs", n=80)
    family = CostSensitivePath(sigma=1.0, lam=1.0).fit(data.X, data.y).family_
    curve = mass_volume_curve(family, data.X[data.y == 1], uniform_reference(data.X, n=128))
    assert np.all(np.diff(curve.levels) > 0)
    assert curve.mass[-1] == pytest.approx(1.0)
    assert 0 < curve.area() < curve.box_volume / 2


def test_a_family_of_one_set_has_one_point():
    X = make_sample("ring", n=60).X
    fitted = OneClassSVM(sigma=0.5, lam=0.05).fit(X)
    curve = mass_volume_curve(fitted.family_, X, uniform_reference(X, n=128))
    np.testing.assert_array_equal(curve.levels, [0.05])
    assert curve.mass[0] == fitted.family_.contains(X, 0.05).mean()


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 30))
def test_quantile_and_excess_mass_against_all_sets(seed, n):
    rng = np.random.default_rng(seed)
    mass, volume = rng.integers(0, 6, n) / 5, rng.integers(0, 6, n) / 2
    curve = MassVolumeCurve(np.arange(n), mass, volume, np.zeros(n), 2.5)
    masses, volumes = np.append(mass, [0, 1]), np.append(volume, [0, 2.5])
    for wanted in (0.05, 0.2, 0.55, 1.0):
        assert curve.quantile(wanted) == volumes[masses >= wanted].min()
    excess = curve.excess_mass()
    densities = np.concatenate([np.linspace(0, 3, 40), excess.thresholds])
    best = (masses[:, None] - densities * volumes[:, None]).max(axis=0)
    np.testing.assert_allclose(excess.at(densities), best, atol=1e-12)
    assert np.all(np.diff(excess.thresholds) > 0)
    np.testing.assert_allclose(excess.excess, excess.mass - excess.thresholds * excess.volume)


@pytest.mark.parametrize("seed", range(4))
def test_the_drawn_line_is_the_curve(seed):
    family, points = random_family(np.random.default_rng(seed), 40, -1)
    X, sites = parted(points, 10, 1.0)
    curve = mass_volume_curve(family.union(), X, sites)
    mass, volume = curve.polyline()
    assert (mass[0], volume[0], mass[-1], volume[-1]) == (0, 0, 1, 1)
    assert np.trapezoid(volume, mass) == pytest.approx(curve.area())
    assert mass.size <= 2 * 10 + 2


def test_what_cannot_be_asked():
    curve = MassVolumeCurve(np.zeros(1), np.ones(1), np.ones(1), np.zeros(1), 1.0)
    for mass in (0.0, 1.1, np.nan):
        with pytest.raises(ValueError, match="above 0 and at most 1"):
            curve.quantile(mass)
    with pytest.raises(ValueError, match="from 0 up"):
        curve.excess_mass().at(-1.0)
    family, points = column_family([0.0, 1.0], [[1.0], [1.0]], 1)
    with pytest.raises(ValueError, match="at least one point"):
        mass_volume_curve(family, np.empty((0, 1)), Reference(points, 1.0))
