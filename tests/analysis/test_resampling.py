"""Bands, ranks and branches over samples drawn from the data."""

from __future__ import annotations

import numpy as np
import pytest

from nestviz import (
    EtaOneClassPath,
    Grid,
    NestedCostSensitiveSVM,
    NestedOneClassSVM,
    OneClassPath,
    ParzenLevelSets,
    make_sample,
)
from nestviz.analysis import (
    Resampling,
    boundary_bands,
    cluster_tree,
    outlier_ranking,
    rank_intervals,
    resample_trees,
)
from nestviz.analysis.resampling.refits import family_by_counts, fit_whole

X = make_sample("banana", n=60, random_state=1).X
X = np.vstack([X, X[:3]])  # three rows twice
LEVELS = np.array([0.3, 0.15, 0.05])
ESTIMATORS = [
    NestedOneClassSVM(0.5),
    OneClassPath(0.5),
    EtaOneClassPath(0.5, eta=2.0),
    ParzenLevelSets(0.5),
]


def name(estimator) -> str:
    return type(estimator).__name__


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
@pytest.mark.parametrize("method", ["bootstrap", "subsample"])
def test_a_weighted_refit_is_the_fit_to_repeated_rows(estimator, method):
    family = family_by_counts(fit_whole(estimator, X))
    grid = Grid.around(X, resolution=12)
    for counts in Resampling(3, method).counts(len(X)):
        twin = estimator.fit(np.repeat(X, counts, axis=0)).family_
        found = family(counts)
        np.testing.assert_allclose(found.values(grid, LEVELS), twin.values(grid, LEVELS), atol=2e-6)


@pytest.mark.parametrize("method", ["bootstrap", "subsample"])
def test_a_weighted_refit_of_two_classes_is_the_fit_to_repeated_rows(method):
    """Half of the rows count twice: the sum of losses that λ is weighed against stays the same."""
    data = make_sample("blobs", n=40, random_state=2)
    estimator, gammas = NestedCostSensitiveSVM(0.8, asymmetries=4), [0.2, 0.5, 0.8]
    family = family_by_counts(fit_whole(estimator, data.X, data.y))
    counts = Resampling(1, method).counts(data.n)[0]
    rows = np.repeat(np.arange(data.n), counts * (1 if method == "bootstrap" else 2))
    twin = estimator.fit(data.X[rows], data.y[rows]).family_
    grid = Grid.around(data.X, resolution=10)
    np.testing.assert_allclose(
        family(counts).values(grid, gammas), twin.values(grid, gammas), atol=1e-5
    )


@pytest.mark.parametrize("method", ["bootstrap", "subsample"])
def test_the_samples_of_a_shorter_run_are_the_first_of_a_longer_one(method):
    few, many = (Resampling(k, method, random_state=7).counts(30) for k in (3, 8))
    np.testing.assert_array_equal(few, many[:3])
    assert set(many.sum(axis=1)) == {30 if method == "bootstrap" else 15}
    assert not np.array_equal(many[0], many[1])
    assert (many <= 1).all() == (method == "subsample")


@pytest.mark.parametrize("estimator", ESTIMATORS[:3], ids=name)
@pytest.mark.parametrize("union", [False, True])
def test_bands_are_counted_from_the_refits(estimator, union):
    plan, grid = Resampling(21, random_state=3), Grid.around(X, resolution=15)
    bands = boundary_bands(estimator, X, grid, LEVELS, share=0.8, union=union, resampling=plan)
    inside = []
    for counts in plan.counts(len(X)):
        family = estimator.fit(np.repeat(X, counts, axis=0)).family_
        one = np.stack([family.contains(grid, level) for level in LEVELS])
        inside.append(np.maximum.accumulate(one, axis=0) if union else one)
    share = np.mean(inside, axis=0)
    # Where a refit and its twin differ by the tolerance of the solver, a pixel may change sides.
    assert np.mean(np.abs(bands.inclusion - share) > 1e-6) < 0.01
    sure = np.abs(bands.inclusion - share) <= 1e-6
    assert ((bands.inner >= 0) == (share > 0.9 - 1e-9))[sure].all()
    assert ((bands.outer >= 0) == (share > 0.1 - 1e-9))[sure].all()
    assert (bands.complete, bands.resamples) == (True, 21)
    np.testing.assert_array_equal(bands.area, bands.band.mean(axis=1))


def test_bands_of_nested_sets_are_exact_between_levels():
    grid, plan = Grid.around(X, resolution=15), Resampling(20)
    ends = boundary_bands(NestedOneClassSVM(0.5), X, grid, [0.3, 0.05], resampling=plan)
    whole = boundary_bands(NestedOneClassSVM(0.5), X, grid, [0.17], resampling=plan)
    for found, direct in zip(ends.at(0.17), (whole.inner[0], whole.outer[0]), strict=True):
        np.testing.assert_allclose(found, direct, atol=1e-12)
    with pytest.raises(ValueError, match=r"from level 0\.05 to 0\.3"):
        ends.at(0.4)


def test_bands_do_not_depend_on_the_number_of_threads():
    grid = Grid.around(X, resolution=10)
    one, two = (
        boundary_bands(OneClassPath(0.5), X, grid, LEVELS, resampling=Resampling(6), n_jobs=k)
        for k in (1, 2)
    )
    for part in ("inclusion", "inner", "outer"):
        np.testing.assert_array_equal(getattr(one, part), getattr(two, part))


@pytest.mark.parametrize("method", ["bootstrap", "subsample"])
def test_bands_narrow_as_points_become_many(method):
    points = np.random.default_rng(0).normal(size=(640, 2))
    grid, plan = Grid.around(points, resolution=30), Resampling(40, method)
    areas = [
        boundary_bands(NestedOneClassSVM(0.5), points[:n], grid, [0.05], resampling=plan).area[0]
        for n in (40, 160, 640)
    ]
    assert areas[0] > 1.3 * areas[1]
    assert areas[1] > 1.3 * areas[2]


def test_a_callback_stops_and_keeps_what_is_finished():
    grid, heard = Grid.around(X, resolution=8), []

    def stop_after_four(progress) -> bool:
        heard.append(progress.share)
        return progress.done == 4

    bands = boundary_bands(
        ParzenLevelSets(0.5), X, grid, LEVELS, resampling=Resampling(20), callback=stop_after_four
    )
    first = boundary_bands(ParzenLevelSets(0.5), X, grid, LEVELS, resampling=Resampling(4))
    assert (bands.complete, bands.resamples) == (False, 4)
    assert heard == [0.05, 0.1, 0.15, 0.2]
    np.testing.assert_array_equal(bands.inclusion, first.inclusion)


def test_ranks_are_those_of_refits_to_the_drawn_rows():
    plan, points = Resampling(30, "subsample"), X[:60]
    found = rank_intervals(NestedOneClassSVM(0.5), points, resampling=plan)
    whole = outlier_ranking(NestedOneClassSVM(0.5).fit(points).family_, points).rank
    np.testing.assert_array_equal(found.rank, whole)
    same = 0
    for counts, ranks in zip(plan.counts(60), found.ranks, strict=True):
        rows = np.flatnonzero(counts)
        own = outlier_ranking(NestedOneClassSVM(0.5).fit(points[rows]).family_, points[rows])
        scale = np.sort(whole[rows])
        same += np.mean(ranks[rows] == [scale[r - 1] for r in own.rank])
        assert (ranks[counts == 0] == 0).all()
    # Points whose levels are as close as the tolerance of the solver may swap.
    assert same / 30 > 0.98
    low, high = found.interval(0.9)
    for row in range(60):
        ranks = found.ranks[:, row][found.ranks[:, row] > 0]
        assert np.mean((ranks >= low[row]) & (ranks <= high[row])) >= 0.9
        assert {low[row], high[row]} <= set(ranks.tolist())


def test_intervals_of_ranks_cover_the_spread_over_new_data():
    """Ranks of fixed points among new data lie in it about as often as two draws would agree.

    An interval is centred at one draw of the data: of a normal quantity 90 % intervals around one
    draw hold another in 75 % of the cases.
    """
    points, rng = np.array([[3.2, 0.0], [2.0, 0.0], [0.5, 0.0]]), np.random.default_rng(0)
    estimator, held = ParzenLevelSets(0.5), []

    def ranks(data) -> np.ndarray:
        return outlier_ranking(estimator.fit(data).family_, data).rank[:3]

    fresh = np.array([ranks(np.vstack([points, rng.normal(size=(80, 2))])) for _ in range(60)])
    for _ in range(10):
        data = np.vstack([points, rng.normal(size=(80, 2))])
        found = rank_intervals(estimator, data, resampling=Resampling(40, "subsample"))
        low, high = (end[:3] for end in found.interval(0.9))
        assert high[0] < low[2]
        held.append(np.mean((fresh >= low) & (fresh <= high), axis=0))
    assert (np.mean(held, axis=0) > 0.65).all()
    assert (np.mean(held, axis=0) < 0.97).all()


def test_an_outlier_far_away_stays_first_and_order_that_never_changes_has_no_width():
    line = np.append(np.linspace(-1.0, 1.0, 30), [6.0, 12.0])[:, None]
    found = rank_intervals(ParzenLevelSets(0.3), line, resampling=Resampling(60, "subsample"))
    assert found.in_top(2)[-2:].min() == 1.0
    assert found.to_table()["rank_high"][-1] <= 2


def test_a_point_that_was_never_drawn_may_have_any_rank():
    found = rank_intervals(ParzenLevelSets(0.5), X, resampling=Resampling(1, "subsample"))
    missing = found.drawn == 0
    low, high = found.interval()
    assert missing.any()
    assert (low[missing] == 1).all()
    assert (high[missing] == len(X)).all()
    assert np.isnan(found.in_top(5)[missing]).all()
    assert np.isnan(found.level_interval()[0]).tolist() == missing.tolist()


def two_clumps() -> np.ndarray:
    rng = np.random.default_rng(5)
    return np.vstack([rng.normal(size=(30, 2)), rng.normal((6.0, 0.0), size=(30, 2))])


def test_support_is_the_share_of_resamples_with_a_branch_of_much_the_same_points():
    points = two_clumps()
    tree = cluster_tree(ParzenLevelSets(0.5).fit(points).family_, points)
    found = resample_trees(ParzenLevelSets(0.5), points, resampling=Resampling(12))
    best = np.full((12, len(tree)), np.nan)
    for b, sample in enumerate(found.trees):
        theirs = [
            {*sample.rows[(sample.node_of >= k) & (sample.node_of < end)].tolist()}
            for k, end in enumerate(sample.run_ends)
        ]
        for k in range(len(tree)):
            mine = {*tree.members(k).tolist()} & {*sample.rows.tolist()}
            if mine:
                best[b, k] = max(len(mine & one) / len(mine | one) for one in theirs)
    np.testing.assert_allclose(found.overlap(tree), best)
    support = found.support(tree, 0.6)
    drawn = ~np.isnan(best)
    np.testing.assert_allclose(support, (np.nan_to_num(best) >= 0.6).sum(0) / drawn.sum(0))


def test_pruning_by_support_keeps_the_clumps_and_drops_the_chance_splits():
    points = two_clumps()
    tree = cluster_tree(ParzenLevelSets(0.5).fit(points).family_, points)
    found = resample_trees(ParzenLevelSets(0.5), points, resampling=Resampling(50))
    support = found.support(tree)
    kept = tree.prune(support=support, min_support=0.9)
    assert len(tree) > len(kept) == 3
    assert {frozenset(kept.members(k) // 30) for k in kept.leaves} == {
        frozenset({0}),
        frozenset({1}),
    }
    # What is kept has the same points, and so the same support.
    assert (found.support(kept) >= 0.9).all()
    assert len(tree.prune(support=support, min_support=0.0)) == len(tree)
    with pytest.raises(ValueError, match="support of each of the"):
        tree.prune(min_support=0.5)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (Resampling(0), "one resample"),
        (Resampling(2.5), "one resample or more, not 2.5"),
        (Resampling(method="jackknife"), "bootstrap"),
        (Resampling(share=1.5), "above 0 and at most 1"),
        (Resampling(share=0.01), "larger share"),
    ],
)
def test_wrong_settings_are_refused(plan, words):
    with pytest.raises(ValueError, match=words):
        plan.counts(40)


def test_one_point_is_not_enough_to_draw_from():
    with pytest.raises(ValueError, match="There must be 2 points or more to draw from, not 1"):
        rank_intervals(NestedOneClassSVM(0.5), [[0.0, 1.0]])


def test_a_grid_beyond_memory_is_refused():
    grid = Grid.around(X, resolution=2000)
    with pytest.raises(ValueError, match="GB of memory"):
        boundary_bands(OneClassPath(0.5), X, grid, LEVELS)


@pytest.mark.parametrize("method", ["bootstrap", "subsample"])
def test_points_that_stand_for_many_rows_are_drawn_row_by_row(method):
    rows = np.array([1, 5, 20, 400, 3])
    counts = Resampling(300, method, share=0.5).counts(5, rows)
    assert (counts.sum(axis=1) == round(0.5 * rows.sum())).all()
    np.testing.assert_allclose(counts.mean(axis=0), 0.5 * rows, rtol=0.2)
    assert (method == "subsample") == bool((counts <= rows).all())


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=name)
def test_a_sample_of_all_rows_gives_the_sets_of_the_data(estimator):
    rows = np.random.default_rng(0).integers(1, 9, size=len(X))
    whole = fit_whole(estimator, X, None, rows)
    grid = Grid.around(X, resolution=10)
    again = family_by_counts(whole)(rows).values(grid, LEVELS)
    np.testing.assert_allclose(again, whole.family.values(grid, LEVELS), atol=2e-6)
    bands = boundary_bands(
        estimator, X, grid, LEVELS, stands_for=1000 * rows, resampling=Resampling(8)
    )
    few = boundary_bands(estimator, X, grid, LEVELS, stands_for=rows, resampling=Resampling(8))
    assert bands.area.sum() < few.area.sum()
