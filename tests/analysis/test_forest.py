"""The cluster tree of an SVM family is a forest: joins below its smallest level are no estimate."""

import numpy as np
import pytest
from tree_invariants import check_tree, same_partition

from nestviz import Grid
from nestviz.analysis.tree.building import tree_of
from nestviz.analysis.tree.cluster_tree import cluster_tree
from nestviz.analysis.tree.connectivity.forest import Forest
from nestviz.analysis.tree.layout import cluster_counts, tree_layout
from nestviz.analysis.tree.pixel_tree import pixel_tree
from nestviz.data import make_sample
from nestviz.estimators import (
    NestedOneClassSVM,
    NuOneClassSVM,
    OneClassPath,
    ParzenLevelSets,
)
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel, median_distance


def top_of(X, sigma):
    return ParzenLevelSets(sigma).fit(X).family_.first_level(X).max()


def nested(X, sigma, lowest):
    levels = np.geomspace(1.0, lowest, 8) * top_of(X, sigma)
    return NestedOneClassSVM(sigma, levels=levels).fit(X).family_


def small_family(orientation=-1):
    """Only orientation, domain and the smallest solved level matter to a tree."""
    turn = -orientation
    return SetFamily(
        [3.0 * turn], [[1.0]], [0.0], [[0.0]], GaussianKernel(1.0), orientation,
        domain=tuple(sorted((0.0, 20.0 * turn))), hold_level=3.0 * turn,
    )  # fmt: skip


@pytest.fixture
def forest():
    """Two pairs and two single points: 0–1 and 2–3 solved, 4 a root, 5 below the solved levels.

    The pairs join at height 2, the points 4 and 5 come to them at 1.
    """
    heights = np.array([9.0, 8.0, 7.0, 6.0, 5.0, 2.5])
    i, j = np.array([0, 2, 0, 0, 0]), np.array([1, 3, 2, 4, 5])
    return Forest(heights, i, j, np.array([4.0, 5.0, 2.0, 1.0, 1.0]))


@pytest.mark.parametrize("orientation", [1, -1])
def test_a_forest_known_by_hand(forest, orientation):
    tree, turn = tree_of(forest, small_family(orientation)), -orientation
    check_tree(tree)
    assert len(tree) == 10
    members = [tree.members(k).tolist() for k in tree.roots]
    assert sorted(members) == [[0, 1], [2, 3], [4]]
    assert np.flatnonzero(tree.extrapolated_points).tolist() == [5]
    joins = tree.extrapolated & ~np.isin(np.arange(len(tree)), tree.leaves)
    assert sorted((turn * tree.death[joins]).tolist()) == [1.0, 2.0]
    assert tree.node_of[5] >= 0
    assert tree.extrapolated[tree.node_of[5]]
    assert turn * tree.merge_level(0, 2) == 2.0
    assert tree.cut(3.0 * turn).tolist() == [0, 0, 1, 1, 2, -1]
    # Between the joins what is tied there is tied by extrapolation.
    assert tree.cut(1.5 * turn).tolist() == [0, 0, 0, 0, 1, 2]
    assert (turn * cluster_counts(tree)[0][0], cluster_counts(tree)[1][0]) == (3.0, 3)


def test_pruned_roots_are_noise_whatever_they_are_joined_to(forest):
    tree = tree_of(forest, small_family()).prune(min_mass=0.3)
    check_tree(tree)
    assert [tree.members(k).tolist() for k in tree.roots] == [[0, 1], [2, 3]]
    assert tree.node_of[4] == -1
    # The other one is no noise: it comes in late, and where the rest is in one piece.
    assert tree.extrapolated[tree.node_of[5]]
    assert tree.extrapolated_points.tolist() == [False] * 5 + [True]
    assert tree.extrapolated.sum() == 1
    one = tree.prune(min_lifetime=5.5)
    check_tree(one)
    assert [one.members(k).tolist() for k in one.roots] == [[0, 1, 5]]
    assert not one.extrapolated.any()


def test_exports_tell_what_is_extrapolated(forest):
    tree = tree_of(forest, small_family()).prune(min_mass=0.3)
    assert tree.to_table()["extrapolated"].tolist() == [True, False, False]
    assert tree.to_table()["root"].tolist() == [False, True, True]
    assert tree.to_newick() == "(1:7,2:5)0:2[&extrapolated=1];"
    assert [attributes["extrapolated"] for *_, attributes in tree.edges()] == [True, True]


@pytest.mark.parametrize("share", [0.03, 1e-3, 1e-6])
def test_joins_at_the_last_level_are_no_joins(share):
    """On *multi* both joins of the nested SVM lie right below its last level, wherever that is."""
    X = make_sample("multi", random_state=0, n=120).X
    family = nested(X, 0.4, share)
    tree = cluster_tree(family, X).prune(min_mass=0.05)
    assert len(tree.roots) == 3
    joins = tree.death[tree.extrapolated]
    assert np.all((joins < family.hold_level) & (joins > 0.5 * family.hold_level))
    assert len(tree.select()) == 3


def test_parzen_and_nu_families_join():
    X = make_sample("multi", random_state=0).X
    sigma = 0.2 * median_distance(X)
    for estimator in (ParzenLevelSets(sigma), NuOneClassSVM(sigma, nu=0.2)):
        tree = cluster_tree(estimator.fit(X).family_, X).prune(min_mass=0.02)
        assert tree.hold_level is None
        assert not tree.extrapolated.any()
        assert not tree.extrapolated_points.any()
        assert len(tree.roots) == 1
        assert tree.death[0] > 0.1 * top_of(X, sigma)
    pure = OneClassPath(sigma, hold_below=None).fit(X).family_
    held = OneClassPath(sigma).fit(X).family_
    for family in (pure, held):
        assert len(cluster_tree(family, X).prune(min_mass=0.02).roots) == 3


@pytest.mark.parametrize("name", ["multi", "bridge", "banana", "outliers"])
@pytest.mark.parametrize("width", [0.15, 0.3])
@pytest.mark.parametrize("method", ["path", "nested", "short"])
def test_routes_and_pixels_find_the_same_roots(name, width, method):
    X = make_sample(name, random_state=1, n=100).X
    sigma = width * median_distance(X)
    family = (
        OneClassPath(sigma).fit(X).family_
        if method == "path"
        else nested(X, sigma, 1e-6 if method == "nested" else 0.03)
    )
    routes, pixels = cluster_tree(family, X), pixel_tree(family, Grid.around(X, resolution=250), X)
    for tree in (routes, pixels):
        check_tree(tree)
        check_tree(tree.prune(min_mass=0.05))
        outside = ~family.union().contains(X, family.hold_level)
        assert np.array_equal(tree.extrapolated_points, outside)
    assert len(routes.roots) == len(pixels.roots)
    level = family.hold_level
    assert same_partition(routes.cut(level), pixels.cut(level))


@pytest.mark.parametrize("heights", ["level", "mass"])
@pytest.mark.parametrize("orientation", [1, -1])
def test_extrapolated_joins_are_drawn_below_the_solved_sets(forest, heights, orientation):
    tree = tree_of(forest, small_family(orientation))
    layout = tree_layout(tree, heights)
    down = 1.0 if orientation == 1 and heights == "level" else -1.0
    assert layout.base == layout.scale.height_of(tree.hold_level)
    for k, outline in enumerate(layout.outlines):
        drawn = outline[~np.isnan(outline[:, 0])]
        if tree.extrapolated[k]:
            assert np.all(down * (drawn[:, 1] - layout.base) >= 0)
            assert np.any(down * (drawn[:, 1] - layout.base) > 0)
            for child in tree.children(k):
                assert np.any(drawn[:, 0] == layout.centres[child])
        else:
            assert np.all(down * (drawn[:, 1] - layout.base) <= 1e-12)
        assert np.all((drawn[:, 1] >= layout.levels[0]) & (drawn[:, 1] <= layout.levels[1]))
    for k in np.flatnonzero(tree.extrapolated):
        lowest = np.nanmax(down * layout.outlines[k][:, 1])
        for child in tree.children(k):
            if tree.extrapolated[child]:
                assert np.nanmax(down * layout.outlines[child][:, 1]) < lowest


def test_an_area_in_the_picture_is_stability_over_solved_levels(forest):
    tree = tree_of(forest, small_family())
    for k in np.flatnonzero(~tree.extrapolated):
        x, y = tree_layout(tree).outlines[k].T
        area = abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2
        assert area == pytest.approx(tree.stability[k])
