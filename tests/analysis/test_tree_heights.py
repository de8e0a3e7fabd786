import numpy as np
import pytest

from nestviz import NestedCostSensitiveSVM, ParzenLevelSets, make_sample
from nestviz.analysis.tree.cluster_tree import cluster_tree
from nestviz.analysis.tree.layout import cluster_counts, height_scale, inherited_labels, tree_layout
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
    for heights in ("level", "mass"):
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
    with pytest.raises(ValueError, match="'level' or 'mass'"):
        height_scale(tree, "depth")
