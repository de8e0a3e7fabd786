import numpy as np
import pytest

from nestviz import Grid, NestedOneClassSVM, ParzenLevelSets, make_sample
from nestviz.analysis.tree.cluster_tree import cluster_tree
from nestviz.analysis.tree.layout import tree_layout
from nestviz.analysis.tree.pixel_tree import label_pixels
from nestviz.analysis.tree.tree import Tree
from nestviz.figures.cluster_tree import (
    cluster_colour,
    cluster_symbol,
    clusters_figure,
    tree_figure,
)
from nestviz.figures.theme import NEUTRAL
from nestviz.palette import CLUSTER_SYMBOLS, CYCLE, STABILITY_OPACITY


@pytest.fixture(scope="module")
def fitted():
    X = make_sample("multi", random_state=0, n=80).X
    family = ParzenLevelSets(0.4).fit(X).family_
    return X, family, cluster_tree(family, X).prune(min_mass=0.05)


def test_one_shape_per_node_and_one_number_per_selected(fitted):
    _, _, tree = fitted
    selected = tree.select()
    figure = tree_figure(tree, tree_layout(tree), selected, level=0.05)
    assert len(figure.data) == len(tree)
    assert len(figure.layout.annotations) == len(selected)
    assert len(figure.layout.shapes) == 1
    assert figure.data[0].line.color == NEUTRAL
    for label, k in enumerate(selected):
        assert figure.data[k].line.color == cluster_colour(label)
        assert figure.layout.annotations[label].y == tree.death[k]
    low, high = figure.layout.yaxis.range
    assert low == 0.0
    assert high > tree.death.max()
    assert all(trace.hoveron == "fills" for trace in figure.data)


def test_growing_sets_are_drawn_with_the_small_ones_on_top():
    tree = Tree([-1, 0, 0], [1.0, 0.5, 0.5], [0.5, 0.1, 0.2], [1, 2], [0.1, 0.2], [0.1, 0.2],
                1, (0.0, 1.0))  # fmt: skip
    low, high = tree_figure(tree, tree_layout(tree)).layout.yaxis.range
    assert low == 1.0
    assert high < 0.1


def test_an_empty_tree_is_an_empty_picture():
    tree = Tree([], [], [], [-1, -1], [-np.inf] * 2, [-np.inf] * 2, -1, (0.0, np.inf))
    assert len(tree_figure(tree, tree_layout(tree)).data) == 0


def test_points_and_areas_by_cluster(fitted):
    X, family, tree = fitted
    level, grid = 0.05, Grid.around(X, resolution=60)
    labels = tree.cut(level)
    figure = clusters_figure(
        X, labels, ("a", "b"), grid, label_pixels(family, grid, X, labels, level)
    )
    heat, marks = figure.data[0], figure.data[1:]
    assert heat.type == "heatmap"
    assert np.array_equal(np.isnan(heat.z).ravel(), ~family.contains(grid, level))
    assert [trace.name for trace in marks] == ["outside", "cluster 0", "cluster 1", "cluster 2"]
    assert sum(len(trace.x) for trace in marks) == len(X)
    assert len({trace.marker.symbol for trace in marks}) == len(marks)
    assert np.array_equal(marks[1].customdata, np.flatnonzero(labels == 0))
    assert heat.zmin == -1.5
    assert heat.zmax == 2.5


def test_clusters_differ_by_more_than_colour():
    looks = {(cluster_colour(k), cluster_symbol(k)) for k in range(56)}
    assert len(looks) == len(CYCLE) * len(CLUSTER_SYMBOLS) == 56
    assert len({cluster_symbol(k) for k in range(8)}) == 8


def test_points_alone(fitted):
    X, _, tree = fitted
    figure = clusters_figure(X, tree.cut(0.0), ("a", "b"))
    assert {trace.type for trace in figure.data} == {"scattergl"}


def test_stable_branches_have_the_stronger_colour_and_one_number(fitted):
    _, _, tree = fitted
    figure = tree_figure(tree, tree_layout(tree), tree.select())
    opacities = [float(trace.fillcolor.rstrip(")").split(",")[-1]) for trace in figure.data]
    assert np.array_equal(np.argsort(opacities), np.argsort(tree.stability))
    assert max(opacities) == STABILITY_OPACITY[1]
    names = [note.text for note in figure.layout.annotations]
    assert names == [f"<b>B{k}</b>" for k in tree.select()]
    assert all(trace.text.startswith(f"branch {k}<br>") for k, trace in enumerate(figure.data))


@pytest.mark.parametrize("heights", ["log", "inverse"])
def test_other_heights_are_numbered_by_their_levels(fitted, heights):
    _, _, tree = fitted
    layout = tree_layout(tree, heights)
    axis = tree_figure(tree, layout).layout.yaxis
    assert axis.title.text == layout.scale.name
    for at, text in zip(axis.tickvals, axis.ticktext, strict=True):
        level = layout.scale.level_of(at)
        assert float(text) == pytest.approx(1 / level if heights == "inverse" else level)


@pytest.mark.parametrize("heights", ["level", "log", "inverse", "mass"])
def test_extrapolated_joins_are_dashed_and_named(heights):
    X = make_sample("multi", random_state=0, n=80).X
    tree = cluster_tree(NestedOneClassSVM(0.4).fit(X).family_, X).prune(min_mass=0.05)
    layout = tree_layout(tree, heights)
    figure = tree_figure(tree, layout, tree.select())
    assert tree.extrapolated.sum() == 2
    for k, trace in enumerate(figure.data):
        assert (trace.line.dash == "dash") == tree.extrapolated[k]
        assert ("extrapolated" in trace.text) == tree.extrapolated[k]
        assert ("a root" in trace.text) == (k in tree.roots)
    names = [note.text for note in figure.layout.annotations]
    assert sum("extrapolated" in name for name in names) == 1
    low, high = figure.layout.yaxis.range
    ticks = figure.layout.yaxis
    assert min(ticks.tickvals) >= layout.base - 1e-3 * (high - low)
    assert layout.base > low + 0.1 * (high - low)
    assert len(ticks.tickvals) > 2
    assert "-0" not in ticks.ticktext
    drawn = [trace.y for k, trace in enumerate(figure.data) if tree.extrapolated[k]]
    assert all(np.nanmin(y) > low for y in drawn)
