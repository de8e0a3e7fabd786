import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_invariants import ancestors, check_tree, components, levels_between, same_partition

from nestviz.analysis.tree.building import tree_of
from nestviz.analysis.tree.connectivity.forest import Forest, branches_of, merge_height, sweep_edges
from nestviz.analysis.tree.layout import tree_layout
from nestviz.analysis.tree.tree import Tree
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel


def any_family(orientation, domain=(-20.0, 20.0), hold=None):
    """Only orientation, domain and the smallest solved level matter to a tree."""
    return SetFamily(
        [np.clip(0.0, *domain)], [[1.0]], [0.0], [[0.0]], GaussianKernel(1.0), orientation,
        domain=domain, hold_level=hold,
    )  # fmt: skip


def random_graph(seed, n, steps, orphans):
    """Heights with many ties, and edges no higher than their ends."""
    rng = np.random.default_rng(seed)
    heights = rng.integers(0, steps, n).astype(float)
    heights[rng.random(n) < orphans] = -np.inf
    i, j = rng.integers(0, n, (2, 2 * n))
    cap = np.minimum(heights[i], heights[j])
    levels = cap - rng.integers(0, 3, 2 * n)
    return heights, i, j, levels


def tree_of_graph(heights, i, j, levels, orientation, domain=(-20.0, 20.0), hold=None):
    joins = sweep_edges(len(heights), i, j, levels, np.ones(len(i), dtype=bool))[0]
    forest = Forest(heights, i[joins], j[joins], levels[joins])
    level = None if hold is None else -orientation * hold
    return tree_of(forest, any_family(orientation, domain, level))


GRAPHS = {
    "seed": st.integers(0, 10**6),
    "n": st.integers(1, 25),
    "steps": st.sampled_from([2, 5, 1000]),
    "orphans": st.sampled_from([0.0, 0.2, 1.0]),
    "orientation": st.sampled_from([1, -1]),
    "hold": st.sampled_from([None, 1, 3, 200]),
}


@given(**GRAPHS)
def test_cuts_are_the_connected_components_by_definition(
    seed, n, steps, orphans, orientation, hold
):
    graph = random_graph(seed, n, steps, orphans)
    tree = tree_of_graph(*graph, orientation, (-1000.0, 1000.0), hold)
    check_tree(tree)
    for level in levels_between(tree):
        expected = components(*graph, -orientation * level)
        assert same_partition(tree.cut(level), expected)


@given(**GRAPHS)
def test_points_meet_at_the_merge_level(seed, n, steps, orphans, orientation, hold):
    heights, i, j, levels = random_graph(seed, n, steps, orphans)
    tree = tree_of_graph(heights, i, j, levels, orientation, (-1000.0, 1000.0), hold)
    joins = sweep_edges(n, i, j, levels, np.ones(len(i), dtype=bool))[0]
    branches = branches_of(Forest(heights, i[joins], j[joins], levels[joins]))
    best = np.full((n, n), -np.inf)
    best[i, j] = np.maximum(best[i, j], levels)
    np.maximum.at(best, (i, j), levels)
    best = np.maximum(best, best.T)
    np.fill_diagonal(best, heights)
    for k in range(n):
        # Floyd and Warshall's rule for the widest path.
        best = np.maximum(best, np.minimum(best[:, [k]], best[[k], :]))
    for a, b in combinations(range(n), 2):
        assert -orientation * tree.merge_level(a, b) == best[a, b]
        assert merge_height(branches, heights, a, b) == best[a, b]


@given(**GRAPHS, min_mass=st.sampled_from([0.0, 0.1, 0.3]), min_lifetime=st.sampled_from([0, 1, 3]))
def test_pruning_keeps_the_invariants(
    seed, n, steps, orphans, orientation, hold, min_mass, min_lifetime
):
    tree = tree_of_graph(*random_graph(seed, n, steps, orphans), orientation, (-1e3, 1e3), hold)
    pruned = tree.prune(min_mass, min_lifetime)
    check_tree(pruned)
    assert np.all(pruned.mass >= min_mass - 1e-12)
    leaves = pruned.leaves
    up = -orientation
    least = -np.inf if hold is None else hold
    birth, death = (np.maximum(up * ends, least) for ends in (pruned.birth, pruned.death))
    assert np.all((death - birth)[leaves] >= min_lifetime)
    assert np.array_equal(pruned.entry, tree.entry)
    again = pruned.prune(min_mass, min_lifetime)
    for name in ("parent", "birth", "death", "node_of", "exit"):
        assert np.array_equal(getattr(again, name), getattr(pruned, name))
    kept = {frozenset(pruned.members(k).tolist()) for k in range(len(pruned))}
    noise = set(np.flatnonzero(pruned.node_of < 0).tolist())
    assert kept <= {frozenset(tree.members(k).tolist()) - noise for k in range(len(tree))}


@given(
    **GRAPHS | {"hold": st.sampled_from([0.5, 1.5, 100.5, 500.5])},
    min_mass=st.sampled_from([0.0, 0.1, 0.3]), min_lifetime=st.sampled_from([0, 1, 3]),
)  # fmt: skip
def test_what_is_extrapolated_changes_nothing_in_the_solved_sets(
    seed, n, steps, orphans, orientation, hold, min_mass, min_lifetime
):
    """The twin knows of nothing beyond the smallest solved level: its domain ends there."""
    heights, i, j, levels = random_graph(seed, n, steps, orphans)
    tree = tree_of_graph(heights, i, j, levels, orientation, (-1e3, 1e3), hold)
    domain = (-1e3, -hold) if orientation == 1 else (hold, 1e3)
    above = np.where(heights > hold, heights, -np.inf)
    lower = np.minimum(levels, np.minimum(above[i], above[j]))
    twin = tree_of_graph(above, i, j, lower, orientation, domain)
    solved = ~tree.extrapolated_points
    limits = min_mass, min_lifetime
    for one, other in ((tree, twin), (tree.prune(*limits), twin.prune(*limits))):
        assert len(one.roots) == len(other.roots)
        assert np.sum(~one.extrapolated) == len(other)
        for level in levels_between(other):
            assert same_partition(one.cut(level), other.cut(level))
        a, b = (t.labels(t.select())[solved] for t in (one, other))
        assert same_partition(a, b)
        stable = one.stability[~one.extrapolated]
        np.testing.assert_allclose(np.sort(stable), np.sort(other.stability), atol=1e-9)


def test_pruning_by_nothing_changes_nothing():
    tree = tree_of_graph(*random_graph(3, 30, 1000, 0.1), -1, (-1e3, 1e3))
    same = tree.prune()
    for name in ("parent", "birth", "death", "node_of", "exit"):
        assert np.array_equal(getattr(same, name), getattr(tree, name))


@pytest.fixture
def two_peaks():
    """Five points on a line with heights 3, 5, 1, 4, 2: two peaks that part at height 1."""
    heights = np.array([3.0, 5.0, 1.0, 4.0, 2.0])
    i, j = np.arange(4), np.arange(1, 5)
    return tree_of(
        Forest(heights, i, j, np.minimum(heights[i], heights[j])), any_family(-1, (0.0, np.inf))
    )


def test_a_tree_known_by_hand(two_peaks):
    assert two_peaks.parent.tolist() == [-1, 0, 0]
    assert two_peaks.birth.tolist() == [0.0, 1.0, 1.0]
    assert two_peaks.death.tolist() == [1.0, 5.0, 4.0]
    assert [two_peaks.members(k).tolist() for k in range(3)] == [[0, 1, 2, 3, 4], [0, 1], [3, 4]]
    assert two_peaks.cut(0.5).tolist() == [0, 0, 0, 0, 0]
    # Sets are closed: at 1 the two are still tied, and the point between them is in.
    assert two_peaks.cut(1.0).tolist() == [0, 0, 0, 0, 0]
    assert two_peaks.cut(2.0).tolist() == [0, 0, -1, 1, 1]
    assert two_peaks.cut(3.5).tolist() == [-1, 0, -1, 1, -1]
    assert two_peaks.cut(4.5).tolist() == [-1, 0, -1, -1, -1]
    assert two_peaks.leaf_labels().tolist() == [0, 0, -1, 1, 1]
    assert two_peaks.merge_level(0, 4) == 1.0
    assert two_peaks.merge_level(0, 1) == 3.0
    # Five points for one level; (3 − 1) + (5 − 1) and (4 − 1) + (2 − 1), each over five points.
    np.testing.assert_allclose(two_peaks.stability, [1.0, 1.2, 0.8])
    assert two_peaks.select().tolist() == [1, 2]
    assert two_peaks.to_newick() == "(1:4,2:3)0:1;"
    assert [edge[:2] for edge in two_peaks.edges()] == [(0, 1), (0, 2)]
    assert two_peaks.edges()[1][2]["death"] == 4.0


def test_the_elder_goes_on_where_a_branch_is_pruned(two_peaks):
    by_life = two_peaks.prune(min_lifetime=3.5)
    assert len(by_life) == 1
    assert by_life.death.tolist() == [5.0]
    assert by_life.exit.tolist() == [3.0, 5.0, 1.0, 1.0, 1.0]
    assert by_life.cut(2.0).tolist() == [0, 0, -1, -1, -1]
    assert two_peaks.prune(min_mass=0.4).parent.tolist() == [-1, 0, 0]
    assert two_peaks.prune(min_mass=0.41).death.tolist() == [5.0]


def test_roots_below_the_limit_become_noise():
    heights = np.array([2.0, 3.0, 4.0])
    forest = Forest(heights, np.array([0]), np.array([1]), np.array([1.0]))
    tree = tree_of(forest, any_family(-1, (0.0, np.inf)))
    assert tree.roots.tolist() == [0, 3]
    pruned = tree.prune(min_mass=0.5)
    check_tree(pruned)
    assert pruned.node_of[2] == -1
    assert pruned.exit[2] == -np.inf
    nothing = tree.prune(min_mass=1.0)
    assert len(nothing) == 0
    assert nothing.cut(1.0).tolist() == [-1, -1, -1]
    assert nothing.select().size == 0
    assert nothing.to_newick() == ";"


def test_ties_split_into_many_at_once():
    heights = np.full(4, 2.0)
    forest = Forest(heights, np.zeros(3, int), np.arange(1, 4), np.ones(3))
    tree = tree_of(forest, any_family(-1, (0.0, np.inf)))
    assert tree.parent.tolist() == [-1, 0, 0, 0, 0]
    assert tree.to_newick() == "(1:1,2:1,3:1,4:1)0:1;"


@given(
    seed=st.integers(0, 10**6), n=st.integers(1, 9), orientation=st.sampled_from([1, -1]),
    single=st.booleans(),
)  # fmt: skip
def test_the_selection_is_the_best_of_all(seed, n, orientation, single):
    tree = tree_of_graph(*random_graph(seed, n, 1000, 0.0), orientation, (-3000.0, 3000.0))
    chosen = tree.select(allow_single_cluster=single)
    lines = [set(ancestors(tree, k)) for k in range(len(tree))]
    alone = len(tree.roots) == 1 < len(tree) and not single
    best = 0.0
    for count in range(1, len(tree) + 1):
        for nodes in combinations(range(len(tree)), count):
            apart = all(a not in lines[b] and b not in lines[a] for a, b in combinations(nodes, 2))
            if apart and not (alone and 0 in nodes):
                best = max(best, tree.stability[list(nodes)].sum())
    assert tree.stability[chosen].sum() == pytest.approx(best)
    labels = tree.labels(chosen)
    for label, k in enumerate(chosen):
        assert np.array_equal(np.flatnonzero(labels == label), tree.members(k))


@pytest.mark.parametrize("orientation", [1, -1])
def test_stability_is_the_mass_integrated_over_the_levels(orientation):
    tree = tree_of_graph(*random_graph(11, 25, 1000, 0.1), orientation, (-2000.0, 2000.0))
    for k in range(len(tree)):
        ends = np.sort([tree.birth[k], tree.death[k]])
        levels = np.linspace(*ends, 20001)
        exits = tree.exit[tree.members(k)]
        inside = (-orientation * exits[:, None] > -orientation * levels).mean(axis=1)
        integral = inside.sum() * (ends[1] - ends[0]) / len(tree.node_of)
        assert tree.stability[k] == pytest.approx(integral, rel=1e-3)


def test_endless_domains_give_finite_stability():
    heights = np.array([-1.0, 3.0, 2.0])
    forest = Forest(heights, np.array([0, 0]), np.array([1, 2]), np.array([-1.0, -1.0]))
    tree = tree_of(forest, any_family(-1, (-np.inf, np.inf)))
    assert tree.birth[0] == -np.inf
    assert np.all(np.isfinite(tree.stability))
    assert np.all(np.isfinite(tree_layout(tree).levels))
    assert "inf" not in tree.to_newick()


def test_whoever_is_in_every_set_is_in_the_smallest():
    heights = np.array([5.0, 5.0, 2.0])
    forest = Forest(heights, np.array([0, 1]), np.array([1, 2]), np.array([5.0, 1.0]))
    tree = tree_of(forest, any_family(-1, (0.0, 5.0)))
    assert tree.cut(5.0).tolist() == [0, 0, -1]


@pytest.mark.parametrize("orientation", [1, -1])
def test_newick_and_table_tell_the_same_tree(orientation):
    tree = tree_of_graph(*random_graph(5, 40, 1000, 0.1), orientation, (-1e3, 1e3))
    table, text = tree.to_table(), tree.to_newick()
    assert {len(column) for column in table.values()} == {len(tree)}
    lengths = {int(k): float(x) for k, x in re.findall(r"(\d+):([-+.\de]+)", text)}
    np.testing.assert_allclose([lengths[k] for k in table["node"]], table["lifetime"], rtol=1e-9)
    assert text.count("(") == text.count(")") == np.sum(~table["leaf"]) + (len(tree.roots) > 1)
    assert [(a, b) for a, b, _ in tree.edges()] == [
        (p, k) for k, p in enumerate(table["parent"].tolist()) if p >= 0
    ]


@pytest.mark.parametrize("orientation", [1, -1])
def test_in_the_picture_area_is_stability(orientation):
    tree = tree_of_graph(*random_graph(9, 40, 1000, 0.1), orientation, (-2000.0, 2000.0))
    for one in (tree, tree.prune(min_mass=0.1)):
        layout = tree_layout(one)
        for k, outline in enumerate(layout.outlines):
            x, y = outline.T
            area = abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2
            assert area == pytest.approx(one.stability[k], rel=1e-9)
            assert np.array_equal(outline[0], outline[-1])
        assert all(outline[:, 0].min() >= -1e-12 for outline in layout.outlines)
        assert all(outline[:, 0].max() <= 1 + 1e-12 for outline in layout.outlines)
        for k in range(len(one)):
            children = one.children(k)
            half = one.mass[children] / 2
            ends = np.column_stack(
                [layout.centres[children] - half, layout.centres[children] + half]
            )
            assert np.all(ends[1:, 0] >= ends[:-1, 1] - 1e-12)


def test_a_tree_cannot_be_changed(two_peaks):
    with pytest.raises(AttributeError):
        two_peaks.orientation = 1
    with pytest.raises(ValueError, match="read-only"):
        two_peaks.birth[0] = 7.0
    with pytest.raises(ValueError, match="read-only"):
        two_peaks.stability[0] = 7.0


def test_mistakes_are_explained(two_peaks):
    with pytest.raises(IndexError, match="3 nodes"):
        two_peaks.members(3)
    with pytest.raises(ValueError, match="outside this tree's range"):
        two_peaks.cut(-1.0)
    with pytest.raises(ValueError, match="outside this tree's range"):
        two_peaks.cut(np.nan)
    with pytest.raises(ValueError, match="same points"):
        two_peaks.labels([0, 1])
    with pytest.raises(ValueError, match="same points"):
        two_peaks.labels([1, 0])
    with pytest.raises(ValueError, match="min_mass"):
        two_peaks.prune(min_mass=2.0)
    with pytest.raises(ValueError, match="before their children"):
        Tree([1, -1], [0, 0], [1, 1], [0], [1], [1], -1, (0.0, 1.0))
    with pytest.raises(ValueError, match="for each node"):
        Tree([-1], [0, 0], [1, 1], [0], [1], [1], -1, (0.0, 1.0))
