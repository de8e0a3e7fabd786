"""Features of a point against those of all points, neighbours, volumes as scores, isolation."""

import numpy as np
import pytest
from scipy import stats

from nestviz import Grid, NestedOneClassSVM, ParzenLevelSets, make_sample
from nestviz.analysis import (
    feature_profile,
    nearest_points,
    outlier_ranking,
    uniform_reference,
)
from nestviz.analysis.set_volumes import SetVolumes


def test_robust_z_and_percentiles_are_those_of_scipy():
    X = np.random.default_rng(0).gamma(2.0, size=(101, 3))
    profile = feature_profile(X, X[7])
    spread = stats.median_abs_deviation(X, axis=0, scale="normal")
    np.testing.assert_allclose(profile.robust_z, (X[7] - np.median(X, axis=0)) / spread)
    expected = [stats.percentileofscore(X[:, j], X[7, j], kind="mean") for j in range(3)]
    np.testing.assert_allclose(profile.percentiles, expected)
    z = np.abs(profile.robust_z)[profile.order]
    assert np.all(np.diff(z) <= 0)
    assert profile.names == ("x1", "x2", "x3")


def test_units_do_not_matter():
    X = np.random.default_rng(1).normal(size=(60, 2))
    plain, other = feature_profile(X, X[3]), feature_profile(X * [3, 0.1] + 7, X[3] * [3, 0.1] + 7)
    np.testing.assert_allclose(plain.robust_z, other.robust_z)
    np.testing.assert_array_equal(plain.percentiles, other.percentiles)


def test_a_feature_of_mostly_equal_values_has_a_spread_and_a_constant_one_has_none():
    X = np.zeros((9, 2))
    X[8, 0] = 9.0
    profile = feature_profile(X, X[8], ("a", "b"))
    assert profile.robust_z[0] == pytest.approx(9.0 / (np.sqrt(np.pi / 2) * 1.0))
    assert profile.robust_z[1] == 0.0


def test_points_of_another_shape_are_refused():
    with pytest.raises(ValueError, match="cannot be compared"):
        feature_profile([[1.0, 2.0]], [1.0])


def test_neighbours_are_those_of_all_distances():
    X = np.random.default_rng(2).normal(size=(50, 4))
    found = nearest_points(X, X[5], 7, skip=5)
    distances = np.linalg.norm(X - X[5], axis=1)
    distances[5] = np.inf
    assert found.rows.tolist() == np.argsort(distances)[:7].tolist()
    np.testing.assert_allclose(found.distances, np.sort(distances)[:7])
    assert nearest_points(X[:3], X[5], 9).rows.size == 3


@pytest.mark.parametrize("features", [2, 4])
def test_the_volume_score_is_the_volume_of_the_smallest_set_around_a_point(features):
    X = np.random.default_rng(3).normal(size=(40, features))
    family = NestedOneClassSVM(sigma=1.0).fit(X).family_
    reference = uniform_reference(X, 512, random_state=0)
    if features == 2:
        reference = Grid.around(X, resolution=40)
    by_mass = outlier_ranking(family, X, reference)
    by_volume = outlier_ranking(family, X, reference, score="volume")
    np.testing.assert_array_equal(by_mass.rank, by_volume.rank)
    np.testing.assert_array_equal(by_volume.score, by_mass.volume)
    assert np.all(np.diff(by_volume.score[by_volume.order]) <= 0)
    np.testing.assert_array_equal(by_volume.score_of(X[:5]), by_volume.score[:5])
    known = by_volume.volumes.reference
    for row in range(5):
        inside = family.contains(known.points, by_volume.level[row])
        assert known.measure(inside)[0] == pytest.approx(by_volume.score[row])
    again = outlier_ranking(family, X, SetVolumes.of(family, reference), score="volume")
    np.testing.assert_array_equal(again.score, by_volume.score)


def test_a_volume_score_needs_a_reference():
    family = ParzenLevelSets(sigma=1.0).fit([[0.0], [1.0]]).family_
    with pytest.raises(ValueError, match="with a reference"):
        outlier_ranking(family, [[0.0]], score="volume")


def test_isolated_points_that_tie_are_ordered_by_their_nearest_neighbour():
    X = np.array([[0.0], [1.0], [3.0], [13.0], [33.0], [33.0], [73.0]])
    family = ParzenLevelSets(sigma=1e-3).fit(X).family_
    ranking = outlier_ranking(family, X)
    # Those two coincide: each has the other's kernel, and they are last.
    assert ranking.rank.tolist() == [4, 4, 3, 2, 6, 6, 1]
    assert ranking.tied.tolist() == [5, 5, 5, 5, 2, 2, 5]
    np.testing.assert_array_equal(ranking.rank_of(X), ranking.rank)
    shuffled = np.random.default_rng(0).permutation(len(X))
    again = outlier_ranking(family, X[shuffled])
    np.testing.assert_array_equal(again.rank, ranking.rank[shuffled])


def test_the_order_by_isolation_is_that_of_a_width_at_which_neighbours_are_felt():
    X = make_sample("banana", random_state=0, n=40).X
    nearest = np.array([nearest_points(X, X[k], 1, skip=k).distances[0] for k in range(40)])
    ranking = outlier_ranking(ParzenLevelSets(sigma=nearest.min() / 50).fit(X).family_, X)
    assert (ranking.tied == 40).all()
    np.testing.assert_array_equal(nearest[ranking.order], np.sort(nearest)[::-1])
