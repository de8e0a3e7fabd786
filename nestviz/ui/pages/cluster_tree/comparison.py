"""HDBSCAN's tree of the same points, and how far its clusters agree with those of the page."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from nestviz.analysis.tree.agreement import Agreement, cluster_agreement, matched_labels
from nestviz.analysis.tree.hdbscan import smallest_cluster
from nestviz.analysis.tree.layout import TreeLayout, inherited_labels, tree_layout
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import IntArray
from nestviz.ui.components.branches import BranchesData
from nestviz.ui.compute import entry_maps
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.cluster_tree.pictures import chosen_branches, drawn_tree
from nestviz.ui.pages.cluster_tree.results import ClusterTreeResult
from nestviz.ui.results import jobs
from nestviz.ui.results.fits import LONG
from nestviz.ui.session.selection import Selection, selection
from nestviz.ui.session.view import stop_page


@dataclass(frozen=True, eq=False)
class Compared:
    """HDBSCAN's tree, its flat clusters, and their agreement with the clusters of the page.

    ``colours`` are those of the page's clusters with which HDBSCAN's have most points in common.
    """

    tree: Tree
    layout: TreeLayout
    min_cluster_size: int
    nodes: IntArray
    labels: IntArray
    colours: IntArray
    agreement: Agreement

    @property
    def clusters(self) -> IntArray:
        """The cluster of each point, by the number of its branch; −1 for noise."""
        return np.append(self.nodes, -1)[self.labels]


def compare(current: Current, shown: ClusterTreeResult) -> Compared | None:
    """Return HDBSCAN's tree; None for too few points."""
    data, least = current.fitted, smallest_cluster(current.fitted.n, shown.settings.least)
    if data.n < 2:
        return None
    tree = jobs.run(
        (data, least), entry_maps.grow_hdbscan, data.X, least,
        title=f"Growing HDBSCAN's tree of {data.n:,} points", long=data.n > LONG,
    )  # fmt: skip
    if tree is None:
        stop_page()
    nodes = tree.select()
    labels = tree.labels(nodes)
    colours = matched_labels(labels, shown.labels)
    layout = tree_layout(tree, shown.settings.heights)
    agreement = cluster_agreement(shown.labels, labels)
    return Compared(tree, layout, least, nodes, labels, colours, agreement)


def content(current: Current, found: Compared) -> BranchesData:
    """Return HDBSCAN's tree, in the colours of the page's clusters."""
    tree, layout = found.tree, found.layout
    colours = np.append(found.colours, -1)[inherited_labels(tree, found.nodes)]
    drawn = drawn_tree(tree, layout, found.nodes, colours, letter="H")
    points = selection(current.fitted).points
    return replace(
        drawn,
        branches=[
            replace(branch, text=branch.text.replace("branch", "HDBSCAN's branch", 1))
            for branch in drawn.branches
        ],
        chosen=chosen_branches(tree, Selection("", points)),
        name="HDBSCAN's tree",
        title=f"HDBSCAN, {found.min_cluster_size} points or more",
        alt=f"HDBSCAN's tree of {current.fitted.n} points: {len(tree)} branches and "
        f"{len(found.nodes)} clusters, over the {layout.scale.name}; beside it the number of "
        "clusters.",
    )
