import numpy as np
import pytest

from nestviz import NestedCostSensitiveSVM, ParzenLevelSets, make_sample
from nestviz.analysis.tree.cluster_tree import cluster_tree
from nestviz.analysis.tree.heights import height_scale
from nestviz.analysis.tree.layout import (
    cluster_counts,
    inherited_labels,
    split_levels,
    stability_shares,
    tree_layout,
)
from nestviz.analysis.tree.tree import Tree


@pytest.fixture(scope="module", params=["shrinking", "growing"])
def tree(request):
    data = make_sample("moons", random_state=0, n=60)
    if request.param == "shrinking":
        return cluster_tree(ParzenLevelSets(0.25).fit(data.X).family_, data.X)
    family = NestedCostSensitiveSVM(0.3, 0.5).fit(data.X, data.y).family_
    return cluster_tree(family, data.X)


def test_counts_are_those_of_the_cuts(tree):
    levels, counts = cluster_counts(tree)
    assert counts[-1] == 0
    ends = np.append(levels, levels[-1] + (levels[-1] - levels[0]))
    for k, count in enumerate(counts[:-1]):
        between = (ends[k] + ends[k + 1]) / 2
        assert len(tree.nodes_at(between)) == count
        # Sets are closed: where clusters part they are still in one piece.
        assert len(tree.nodes_at(levels[k + 1])) == count


def test_the_height_of_a_level_is_the_share_outside_its_set(tree):
    scale = height_scale(tree, "mass")
    for entry in tree.entry[np.isfinite(tree.entry)]:
        outside = np.mean(tree.orientation * (entry - tree.entry) <= 0)
        assert scale.height_of(entry) == pytest.approx(outside)


def test_levels_are_read_back_from_heights(tree):
    for heights in ("level", "log", "inverse", "mass"):
        scale = height_scale(tree, heights)
        for level in np.unique(tree.entry[np.isfinite(tree.entry)]):
            assert scale.level_of(float(scale.height_of(level))) == pytest.approx(level)


def test_a_layout_by_mass_has_the_same_widths_and_ends_at_one(tree):
    plain, mass = tree_layout(tree), tree_layout(tree, "mass")
    assert mass.levels[1] == pytest.approx(1.0)
    assert np.array_equal(plain.centres, mass.centres)
    for a, b in zip(plain.outlines, mass.outlines, strict=True):
        assert np.array_equal(a[:, 0], b[:, 0])
        assert np.array_equal(b[:, 1], mass.scale.height_of(a[:, 1]))


def test_labels_are_inherited_from_the_nearest_chosen_ancestor():
    tree = Tree([-1, 0, 1, 1, 0], [0.0, 1.0, 2.0, 2.0, 1.0], [1.0, 2.0, 3.0, 3.0, 2.0],
                [2, 3, 4], [3.0] * 3, [3.0] * 3, -1, (0.0, 9.0))  # fmt: skip
    assert inherited_labels(tree, [1, 4]).tolist() == [-1, 0, 0, 0, 1]
    assert inherited_labels(tree, []).tolist() == [-1] * 5


def test_an_empty_tree_has_an_empty_layout():
    tree = Tree([], [], [], [-1, -1], [-np.inf] * 2, [-np.inf] * 2, -1, (0.0, np.inf))
    levels, counts = cluster_counts(tree)
    assert levels.size == counts.size == 0
    assert tree_layout(tree, "mass").outlines == ()


def test_unknown_heights_are_refused(tree):
    with pytest.raises(ValueError, match="'level', 'log', 'inverse', 'mass'"):
        height_scale(tree, "depth")


@pytest.mark.parametrize("heights", ["log", "inverse"])
def test_low_levels_get_more_height_and_keep_their_order(tree, heights):
    plain, other = tree_layout(tree), tree_layout(tree, heights)
    assert np.array_equal(plain.centres, other.centres)
    floor = other.scale.floor
    for a, b in zip(plain.outlines, other.outlines, strict=True):
        levels = [other.scale.level_of(height) for height in b[:, 1]]
        assert levels == pytest.approx(np.maximum(a[:, 1], floor))
    at = np.geomspace(floor, 100 * floor, 20)
    steps = np.diff(other.scale.height_of(at))
    assert np.all(steps > 0)
    assert other.scale.height_of(0.0) == other.scale.height_of(floor) > -np.inf


def test_numbers_on_the_axis_are_those_of_the_levels(tree):
    for heights in ("level", "log", "inverse", "mass"):
        layout = tree_layout(tree, heights)
        ticks = layout.scale.ticks(*layout.levels)
        assert 2 <= len(ticks) <= 9
        for at, text in ticks:
            level = layout.scale.level_of(at)
            shown = -at if heights == "inverse" else at if heights == "mass" else level
            if "10" not in text[:2]:
                assert float(text) == pytest.approx(shown, rel=1e-5, abs=1e-12)
    low, high = -9.0, 2.0
    texts = [text for _, text in height_scale(tree, "log").ticks(low, high)]
    assert "10⁻⁹" in texts
    assert "0.1" in texts


def test_only_positive_levels_have_logarithms():
    tree = Tree([-1], [-2.0], [-1.0], [0], [-1.0], [-1.0], -1, (-3.0, 0.0), "offset")
    with pytest.raises(ValueError, match="no positive offset"):
        height_scale(tree, "log")


def test_the_most_stable_branch_has_the_full_shade(tree):
    shares = stability_shares(tree)
    assert shares.max() == 1.0
    assert shares == pytest.approx(tree.stability / tree.stability.max())
    assert set(split_levels(tree)) == {
        level for level, above in zip(tree.birth, tree.parent, strict=True) if above >= 0
    }
