import numpy as np
import pytest
from crossing_families import crossing_families, crossing_family
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from nestviz import (
    CostSensitivePath,
    Grid,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    OneClassPath,
    ParzenLevelSets,
    make_sample,
)
from nestviz.analysis.outliers import outlier_ranking
from nestviz.figures.outliers import outliers_figure
from nestviz.volume.reference import Reference, uniform_reference


def samples(seed):
    two = make_sample("mixture", random_state=seed, n=70)
    one = make_sample("ring", random_state=seed, n=70)
    yield ParzenLevelSets(0.5).fit(one.X).family_, one.X
    yield NestedOneClassSVM(0.5).fit(one.X).family_, one.X
    yield OneClassPath(0.5).fit(one.X).family_, one.X
    yield OneClassPath(0.5).fit(one.X).family_.union(), one.X
    yield NestedCostSensitiveSVM(0.5).fit(two.X, two.y).family_, two.X
    yield CostSensitivePath(0.5).fit(two.X, two.y).family_, two.X


def closed_entry(family, X):
    """Where points come in, boundary included, by looking at breakpoints and roots."""
    entry = family.orientation * family.first_level(X)
    for g, level, r in zip(family.field(X), family.levels, family.offsets, strict=True):
        on = (g == 0) & (r > family.tolerance) & (family.tolerance > 0)
        entry = np.where(on, np.minimum(entry, family.orientation * level), entry)
    return entry


@pytest.mark.parametrize("seed", range(3))
def test_ranks_scores_and_masses_are_counts(seed):
    for family, X in samples(seed):
        ranking = outlier_ranking(family, X)
        entry = family.orientation * ranking.level
        np.testing.assert_allclose(entry, closed_entry(family, X), rtol=1e-9)
        np.testing.assert_array_equal(ranking.level_rank, rankdata(-entry, method="min"))
        assert np.all(ranking.rank >= ranking.level_rank)
        assert np.all(ranking.rank < ranking.level_rank + ranking.tied)
        for i in range(len(X)):
            assert ranking.mass_outside[i] == np.mean(entry > entry[i])
            assert ranking.score[i] == pytest.approx(np.mean(entry <= entry[i]))
            assert ranking.tied[i] == np.sum(entry == entry[i])
        assert ranking.score.max() == 1.0
        assert ranking.rank.min() == 1
        np.testing.assert_array_equal(np.sort(ranking.rank), ranking.rank[ranking.order])
        np.testing.assert_array_equal(ranking.rank_of(X), ranking.rank)
        np.testing.assert_array_equal(ranking.score_of(X), ranking.score)


@pytest.mark.parametrize("seed", range(3))
def test_new_points_are_placed_among_the_ranked_ones(seed):
    new = np.random.default_rng(seed).normal(scale=2.0, size=(40, 2))
    for family, X in samples(seed):
        ranking = outlier_ranking(family, X)
        entry = family.orientation * ranking.level
        theirs = closed_entry(family, new)
        expected = [1 + np.sum(entry > t) for t in theirs]
        np.testing.assert_array_equal(ranking.rank_of(new), expected)
        expected = [np.mean(entry <= t) for t in theirs]
        np.testing.assert_allclose(ranking.score_of(new), expected, atol=1e-15)


@pytest.mark.parametrize("seed", range(2))
def test_volume_is_that_of_the_smallest_set(seed):
    rng = np.random.default_rng(seed)
    for family, X in samples(seed):
        grid = Grid.around(X, resolution=30)
        box = Reference(rng.uniform(X.min(axis=0), X.max(axis=0), size=(500, 2)), 7.0)
        for reference, places, cell in (
            (grid, grid, grid.cell_area),
            (box, box.points, 7.0 / 500),
        ):
            ranking = outlier_ranking(family, X, reference)
            there = family.orientation * family.first_level(places)
            for i in rng.integers(0, len(X), 20):
                mine = family.orientation * ranking.level[i]
                expected = cell * np.sum(there <= mine) if mine < np.inf else np.inf
                assert ranking.volume[i] == pytest.approx(expected)
        by_rank = ranking.volume[ranking.order]
        assert np.all(by_rank[:-1] >= by_rank[1:])


def test_the_error_of_a_volume_comes_from_the_scramblings():
    family, X = next(samples(0))
    reference = uniform_reference(X, 1024, random_state=3, scramblings=4)
    ranking = outlier_ranking(family, X, reference)
    blocks = [
        outlier_ranking(family, X, Reference(block, reference.volume)).volume
        for block in np.split(reference.points, 4)
    ]
    np.testing.assert_allclose(ranking.volume, np.mean(blocks, axis=0))
    np.testing.assert_allclose(ranking.volume_error, np.std(blocks, axis=0, ddof=1) / 2)
    assert not outlier_ranking(family, X, Grid.around(X, resolution=9)).volume_error.any()


@pytest.mark.parametrize("seed", range(3))
def test_an_exact_path_ranks_points_that_stay_on_its_boundary(seed):
    X = make_sample("ring", random_state=seed, n=100).X
    family = OneClassPath(0.3).fit(X).family_
    # Many of these points are on the boundary of every set that reaches them, never beyond it.
    assert ((family.field(X) <= 0).all(axis=0) & (family.field(X) == 0).any(axis=0)).sum() > 10
    ranking = outlier_ranking(family, X)
    assert np.isfinite(ranking.level).all()
    assert np.unique(ranking.rank).size == 100
    field = family.field(X)
    for i, level in enumerate(ranking.level):
        assert np.all(field[family.levels > level * (1 + 1e-9), i] < 0)
        assert abs(family.values(X[i : i + 1], float(level))[0]) < 1e-9


def test_a_family_with_zero_offset_has_no_boundary_far_away():
    data = make_sample("mixture", random_state=0, n=60)
    family = CostSensitivePath(0.5).fit(data.X, data.y).family_
    far = np.full((1, 2), 1e4)
    ranking = outlier_ranking(family, np.concatenate([data.X, far]))
    assert ranking.level[-1] == np.inf
    assert ranking.rank[-1] == 1


@given(crossing_families())
def test_hand_made_families_of_either_orientation(case):
    family, X = case
    ranking = outlier_ranking(family, X, Reference(X, float(len(X))))
    np.testing.assert_array_equal(ranking.level, family.first_level(X))
    np.testing.assert_array_equal(ranking.violated, family.violations(X))
    never = np.isinf(ranking.level) & (ranking.level * family.orientation > 0)
    np.testing.assert_array_equal(np.isinf(ranking.volume), never)
    # On its own points a set of mass m has volume m · n.
    np.testing.assert_allclose(ranking.volume[~never], len(X) * ranking.score[~never])
    assert all(not np.isnan(column).any() for column in ranking.to_table().values())


def test_ties_are_ties():
    X = np.array([[0.0], [0.0], [1.0], [9.0], [9.0], [0.5]])
    ranking = outlier_ranking(ParzenLevelSets(0.5).fit(X[:2]).family_, X)
    np.testing.assert_array_equal(ranking.rank, [5, 5, 3, 1, 1, 4])
    np.testing.assert_array_equal(ranking.tied, [2, 2, 1, 2, 2, 1])
    np.testing.assert_allclose(ranking.score, [2 / 6, 2 / 6, 4 / 6, 1, 1, 3 / 6])
    np.testing.assert_array_equal(ranking.order, [3, 4, 2, 5, 0, 1])


@given(
    st.lists(st.sampled_from([0, 1, 2, 3, 7, 8, 20]), min_size=1, max_size=12),
    st.integers(0, 5),
)
def test_levels_within_the_resolution_are_tied_in_chains(values, resolution):
    # A family that lets point i in up to level values[i]; new points lie between them.
    everyone = np.array([*values, *range(-1, 22)], dtype=float)
    family, X = crossing_family([0], [everyone], -1, domain=(-np.inf, np.inf), tail=1.0)
    ranking = outlier_ranking(family, X[: len(values)], resolution=resolution)

    def rank(value):
        """Follow the chain of ties outwards, one value after the other."""
        outer = value
        while any(outer - resolution <= v < outer for v in values):
            outer = min(v for v in values if outer - resolution <= v < outer)
        return 1 + sum(v < outer for v in values)

    np.testing.assert_array_equal(ranking.level_rank, [rank(v) for v in values])
    scores = [1 - (rank(v) - 1) / len(values) for v in everyone]
    np.testing.assert_allclose(ranking.score_of(X), scores, atol=1e-15)
    counts = np.bincount(ranking.level_rank)
    np.testing.assert_array_equal(ranking.tied, counts[ranking.level_rank])
    # The field at any level is the value less the level: it parts what the resolution ties.
    np.testing.assert_array_equal(
        ranking.rank_of(X), [1 + sum(v < value for v in values) for value in everyone]
    )
    np.testing.assert_array_equal(ranking.rank, ranking.rank_of(X[: len(values)]))


def test_a_resolution_ties_what_a_nested_fit_puts_on_one_level():
    X = make_sample("multi", random_state=0, n=200).X
    family = NestedOneClassSVM(0.5).fit(X).family_
    top = family.first_level(X).max()
    lowest = family.levels[0]
    ranking = outlier_ranking(family, X, resolution=1e-6 * top)
    at_the_lowest = np.abs(ranking.level - lowest) < 1e-8 * top
    assert at_the_lowest.sum() > 5
    assert np.all(ranking.level_rank[at_the_lowest] == 1)
    assert outlier_ranking(family, X).tied.max() < ranking.tied.max()


@pytest.mark.parametrize("seed", range(3))
def test_contributions_are_the_largest_terms_of_the_sum(seed):
    for family, X in samples(seed):
        ranking = outlier_ranking(family, X)
        base = getattr(family, "base", family)
        for i in (0, 7, 33):
            held = ranking.contributions(i, k=4)
            level = np.clip(ranking.level[i], family.levels[0], family.levels[-1])
            c, r = base.coefficients_at(level)
            terms = c[0] * base.kernel.gram(base.centres, X[i : i + 1])[:, 0]
            largest = np.sort(terms)[::-1][:4]
            np.testing.assert_allclose(held.values, largest, atol=1e-9)
            np.testing.assert_allclose(terms[held.centres], held.values, atol=1e-9)
            for centre, rows in zip(held.centres, held.rows, strict=True):
                assert rows.size
                np.testing.assert_array_equal(
                    X[rows], np.tile(base.centres[centre], (rows.size, 1))
                )
            if np.isfinite(ranking.level[i]) and level == ranking.level[i]:
                assert held.total == pytest.approx(r[0], abs=1e-9)
            again = ranking.contributions_of(X[i], k=4)
            np.testing.assert_array_equal(again.centres, held.centres)


def test_contributions_of_coincident_points_and_of_strangers():
    X = np.array([[0.0], [1.0], [0.0], [-0.0], [5.0]])
    ranking = outlier_ranking(NestedOneClassSVM(1.0).fit(X).family_, X)
    np.testing.assert_array_equal(ranking.contributions(0, k=1).rows[0], [0, 2, 3])
    elsewhere = outlier_ranking(ParzenLevelSets(1.0).fit(X).family_, X + 0.25)
    assert elsewhere.contributions(0, k=1).rows[0].size == 0


def test_at_a_jump_the_contributions_are_those_on_the_inner_side():
    family, X = crossing_family([0, 1, 1, 2], [[3, 1], [3, 1], [-1, 1], [-1, 1]], -1)
    held = outlier_ranking(family, X).contributions(0, k=1)
    np.testing.assert_allclose(held.values, [3.0])


def test_the_table_has_one_row_per_point():
    family, X = next(samples(0))
    grid = Grid.around(X, resolution=20)
    table = outlier_ranking(family, X, grid).to_table()
    assert {
        "row",
        "rank",
        "level_rank",
        "tied",
        "extrapolated",
        "score",
        "mass_outside",
        "level",
        "volume",
        "volume_error",
    } < set(table)
    assert {len(column) for column in table.values()} == {len(X)}
    assert "volume" not in outlier_ranking(family, X).to_table()


def test_errors_are_sentences():
    family, X = next(samples(0))
    ranking = outlier_ranking(family, X)
    with pytest.raises(IndexError, match="70 ranked points"):
        ranking.contributions(70)
    with pytest.raises(ValueError, match="k must be at least 1"):
        ranking.contributions(0, k=0)
    with pytest.raises(ValueError, match="one point at a time"):
        ranking.contributions_of(X)
    with pytest.raises(ValueError, match="no points"):
        outlier_ranking(family, np.empty((0, 2)))
    with pytest.raises(ValueError, match="resolution"):
        outlier_ranking(family, X, resolution=-1.0)
    with pytest.raises(TypeError, match="or a Grid"):
        outlier_ranking(family, X, X)


def test_the_figure_numbers_the_first_ranks():
    family, X = next(samples(0))
    ranking = outlier_ranking(family, X)
    figure = outliers_figure(ranking, X, ("a", "b"), top=3)
    everyone, first = figure.data
    assert len(everyone.x) == len(X)
    assert list(first.text) == ["1", "2", "3"]
    assert figure.layout.xaxis.title.text == "a"
    held = outliers_figure(
        ranking, X, ("a", "b"), top=3, contributions=ranking.contributions(0, k=2), row=0
    )
    # Lines to the points that support a rank lie below the points.
    *threads, everyone, first, ring = held.data
    assert (everyone.mode, first.mode, ring.name) == ("markers", "markers+text", "selected")
    assert threads
    assert {trace.mode for trace in threads} == {"lines"}
