"""Chapter 13: the tree of connected parts, and the clusters at a cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from nestviz.analysis.tree.cluster_tree import cluster_tree
from nestviz.analysis.tree.layout import TreeLayout, tree_layout
from nestviz.analysis.tree.pixel_tree import label_pixels
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import FloatArray
from nestviz.data import make_sample
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.kernels import median_distance
from nestviz.ui.results.cache import kept
from nestviz.ui.widgets.charts import chart

METHODS = ("Parzen windows", "nested one-class SVM")
WIDTH, SMALLEST = 0.24, 0.04
"""Kernel width as a share of the median distance, and the least share of a branch."""
PIXELS = 90


@dataclass(frozen=True, eq=False)
class Grown:
    """Points, a family of sets, and its tree without the smallest branches."""

    X: FloatArray
    grid: Grid
    family: SetFamily
    tree: Tree
    layout: TreeLayout


@kept("Growing the tree …")
def grown(method: str) -> Grown:
    """Return the tree of ninety points in three clusters."""
    from nestviz.estimators import NestedOneClassSVM, ParzenLevelSets

    X = make_sample("multi", 1, n=90).X
    sigma = WIDTH * median_distance(X)
    model = ParzenLevelSets(sigma) if method == METHODS[0] else NestedOneClassSVM(sigma, 21)
    family = model.fit(X).family_
    tree = cluster_tree(family, X).prune(SMALLEST)
    grid = Grid.around(X, resolution=PIXELS)
    return Grown(X, grid, family, tree, tree_layout(tree))


def show() -> None:
    """Show the tree with a cut, and the clusters there."""
    from nestviz.figures.cluster_tree import clusters_figure, tree_figure

    left, right = st.columns(2, gap="medium")
    method = left.segmented_control(
        "Sets", METHODS, default=METHODS[0], required=True, key="theory_tree_method",
        help="The family whose sets fall apart.",
    )  # fmt: skip
    percent = right.slider(
        "Cut at this share of the highest level", 2, 98, 10, 2, format="%d%%", key="theory_cut",
        help="Clusters are the connected parts of the set at this level.",
    )  # fmt: skip
    found = grown(method)
    level = percent / 100 * float(found.tree.entry.max())
    nodes = found.tree.nodes_at(level)
    labels = found.tree.labels(nodes)
    # A point that enters below the cut belongs to a branch, but is not inside.
    labels = np.where(found.family.contains(found.X, level), labels, -1)
    inside = int((labels >= 0).sum())
    words = f"{len(nodes)} cluster{'s' if len(nodes) != 1 else ''} with {inside} of 90 points"
    at = f"at λ = {level:.3g}, {percent}% of the highest level"
    left, right = st.columns(2)
    with left:
        alt = f"Cluster tree, branches as wide as their share of the points, cut {at} into {words}"
        figure = tree_figure(found.tree, found.layout, nodes, level)
        chart(figure, "theory_tree", 400, alt)
    with right:
        pixels = label_pixels(found.family, found.grid, found.X, labels, level)
        figure = clusters_figure(
            found.X, labels, ("x1", "x2"), found.grid, pixels, numbers=np.asarray(nodes)
        )
        alt = f"The points of {words}, on the parts of the set {at}; the others are small crosses"
        chart(figure, "theory_clusters", 400, alt)
    st.caption(f"The cut leaves {words} inside.")
