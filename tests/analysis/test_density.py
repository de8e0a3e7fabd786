"""Density ranks: order, ties, infinities, both orientations."""

import numpy as np
import pytest
from scipy.stats import rankdata

from nestviz.analysis.density import density_rank
from nestviz.data import make_sample
from nestviz.estimators import CostSensitivePath, NestedOneClassSVM, OneClassPath, ParzenLevelSets
from nestviz.grids import Grid

X = make_sample("multi", n=70).X


def test_parzen_ranks_are_those_of_the_density():
    fitted = ParzenLevelSets(sigma=0.5).fit(X)
    found = density_rank(fitted.family_, X)
    assert found.is_exact
    np.testing.assert_allclose(found.rank, (rankdata(fitted.score_samples(X)) - 0.5) / 70)
    np.testing.assert_allclose(found.entry, fitted.score_samples(X))


@pytest.mark.parametrize(
    "estimator",
    [NestedOneClassSVM(sigma=0.5), OneClassPath(sigma=0.5), CostSensitivePath(sigma=1.0)],
    ids=lambda estimator: type(estimator).__name__,
)
def test_ranks_by_counting_pairs(estimator):
    family = estimator.fit(X, np.where(X[:, 0] > 0, 1, -1)).family_
    new = np.concatenate([X[:10], X[:1], np.full((2, 2), 1e3)])
    found = density_rank(family, new, sample=X)
    earlier, sample = (-family.orientation * family.first_level(points) for points in (new, X))
    counted = (sample < earlier[:, None]).mean(axis=1) + (sample == earlier[:, None]).mean(
        axis=1
    ) / 2
    np.testing.assert_allclose(found.rank, counted)
    assert found.rank[10] == found.rank[0]
    assert not np.isnan(found.rank).any()
    assert found.is_exact == family.is_nested


def test_points_outside_every_set_tie_at_the_bottom():
    family = NestedOneClassSVM(sigma=0.1).fit(X).family_
    far = np.array([[1e3, 0.0], [0.0, -1e3]])
    found = density_rank(family, np.concatenate([X, far]))
    assert np.all(np.isinf(found.entry[-2:]))
    assert found.rank[-2] == found.rank[-1] == found.rank.min()


def test_on_a_grid_it_is_the_map_of_entry_levels():
    family = NestedOneClassSVM(sigma=0.5).fit(X).family_
    grid = Grid.around(X, resolution=20)
    found = density_rank(family, grid, sample=X)
    np.testing.assert_array_equal(found.entry, family.first_level(grid))
    by_points = density_rank(family, grid.points(), sample=X)
    np.testing.assert_allclose(found.rank, by_points.rank, atol=1 / 70)
    for level in np.quantile(found.entry[found.entry > 0], [0.3, 0.7]):
        np.testing.assert_array_equal(family.contains(grid, level), found.entry > level)


def test_an_empty_sample_is_refused():
    family = ParzenLevelSets(sigma=0.5).fit(X).family_
    with pytest.raises(ValueError, match="at least one point"):
        density_rank(family, X, sample=np.empty((0, 2)))
