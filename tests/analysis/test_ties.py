"""Ties in the level of entry: broken by the field, still shown, and kept where nothing differs."""

import numpy as np
import pytest
from crossing_families import crossing_family

from nestviz import NestedOneClassSVM, OneClassPath, ParzenLevelSets, make_sample
from nestviz.analysis.flags import flag_outliers
from nestviz.analysis.outliers import outlier_ranking


def tied_at_the_top(family, X):
    top = float(family.levels[-1])
    ranking = outlier_ranking(family, X, resolution=1e-6 * top)
    return ranking, np.flatnonzero(ranking.level_rank == 1)


@pytest.mark.parametrize("name", ["multi", "ring", "banana"])
@pytest.mark.parametrize("sigma", [0.2, 0.5])
def test_ties_at_the_top_are_broken_by_the_field_and_still_shown(name, sigma):
    X = make_sample(name, random_state=0, n=300).X
    family = NestedOneClassSVM(sigma).fit(X).family_
    ranking, top = tied_at_the_top(family, X)
    assert top.size > 2
    assert np.all(ranking.tied[top] == top.size)
    np.testing.assert_array_equal(np.sort(ranking.rank[top]), np.arange(1, top.size + 1))
    # They lie on the boundary of one set: the smaller set before it tells them apart.
    entry = int(np.argmin(np.abs(family.levels - ranking.level[top].min())))
    at_entry = family.values(X[top], float(family.levels[entry]))
    before = family.values(X[top], float(family.levels[entry + 1]))
    assert np.all(before < 0)
    on = np.abs(at_entry) < 1e-10 * family.levels[-1]
    by_rank = np.argsort(ranking.rank[top[on]])
    assert np.all(np.diff(before[on][by_rank]) > 0)


def test_of_points_tied_by_the_resolution_the_deeper_one_is_more_normal():
    X = make_sample("ring", random_state=1, n=120).X
    family = ParzenLevelSets(0.5).fit(X).family_
    top = family.first_level(X).max()
    ranking = outlier_ranking(family, X, resolution=0.3 * top)
    assert ranking.tied.max() > 20
    np.testing.assert_array_equal(ranking.rank, outlier_ranking(family, X).rank)


def test_points_in_no_set_are_ordered_by_the_field_of_the_largest_sets():
    X = make_sample("ring", random_state=0, n=60).X
    family = OneClassPath(0.3, hold_below=None).fit(X).family_
    new = np.random.default_rng(0).uniform(-6, 6, size=(200, 2))
    ranking = outlier_ranking(family, new)
    never = np.flatnonzero(np.isinf(ranking.level))
    assert never.size > 1
    assert np.all(ranking.tied[never] == never.size)
    lowest = float(family.levels[family.levels > 0][0])
    values = family.values(new[never], lowest)
    far = values[:, None] - values[None] > 1e-7 * family.levels[-1]
    ranks = ranking.rank[never]
    assert np.all((ranks[:, None] > ranks[None])[far])
    assert np.unique(ranks).size > 1


def test_points_at_the_same_place_stay_tied():
    X = make_sample("multi", random_state=0, n=60).X
    doubled = np.concatenate([X, X[::-1], -0.0 * X[:1] + X[:1]])
    family = NestedOneClassSVM(0.5).fit(doubled).family_
    ranking, top = tied_at_the_top(family, doubled)
    np.testing.assert_array_equal(ranking.rank[:60], ranking.rank[60:120][::-1])
    assert ranking.rank[0] == ranking.rank[-1]
    assert np.unique(ranking.rank[top]).size == len(np.unique(doubled[top], axis=0))


def test_mirror_images_stay_tied_whatever_the_rounding():
    half = np.random.default_rng(3).normal(loc=(1.5, 0.0), size=(30, 2))
    X = np.concatenate([half, half * [-1.0, 1.0]])
    family = NestedOneClassSVM(0.6).fit(X).family_
    ranking, _ = tied_at_the_top(family, X)
    np.testing.assert_array_equal(ranking.rank[:30], ranking.rank[30:])


@pytest.mark.parametrize("orientation", [1, -1])
def test_a_hand_made_tie(orientation):
    # Sets grow towards the last column of values: all but one point enter in the middle.
    values = np.array([[-3.0, -1.0, -2.0, -9.0], [0.0, 0.0, 0.0, -9.0], [1.0, 1.0, 1.0, -8.0]])
    field = values if orientation == 1 else values[::-1]
    family, X = crossing_family([0, 1, 2], field, orientation)
    ranking = outlier_ranking(family, X)
    # A field that is linear and crosses zero at the same level: told apart before it.
    assert ranking.rank.tolist() == [2, 4, 3, 1]
    assert ranking.tied.tolist() == [3, 3, 3, 1]
    assert ranking.level_rank.tolist() == [2, 2, 2, 1]
    assert ranking.score.tolist() == [0.75, 0.75, 0.75, 1.0]
    np.testing.assert_array_equal(ranking.rank_of(X), ranking.rank)


def test_no_set_parts_a_tie_so_it_is_flagged_together():
    X = make_sample("multi", random_state=0, n=300).X
    ranking, top = tied_at_the_top(NestedOneClassSVM(0.5).fit(X).family_, X)
    assert flag_outliers(ranking, (top.size - 1) / 300).count == 0
    assert flag_outliers(ranking, top.size / 300).flagged[top].all()


def test_the_table_shows_rank_and_tie():
    X = make_sample("multi", random_state=0, n=100).X
    ranking, top = tied_at_the_top(NestedOneClassSVM(0.5).fit(X).family_, X)
    table = ranking.to_table()
    assert (table["tied"][top] == top.size).all()
    assert (table["level_rank"][top] == 1).all()
    assert np.unique(table["rank"][top]).size == top.size
