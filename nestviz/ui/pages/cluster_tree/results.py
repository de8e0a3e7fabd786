"""The settings and the result of the Cluster tree page."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nestviz.analysis.resampling.trees import ResampledTrees
from nestviz.analysis.tree.heights import Heights
from nestviz.analysis.tree.layout import TreeLayout, tree_layout
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import FloatArray, IntArray
from nestviz.ui.compute.entry_maps import TreeResult
from nestviz.ui.compute.methods import Spec

AT_CUT, STABLE = "at the cut", "most stable"


@dataclass(frozen=True)
class ClusterTreeSettings:
    """The settings of the page; ``least`` is the smallest mass of a branch."""

    spec: Spec
    cut: float
    least: float
    heights: Heights
    clusters: str
    hdbscan: bool = False
    support: float = 0.0  # The least share of the resamples in which a branch is found again
    sure: bool = False  # Whether to say how often clusters are found again

    @property
    def resampled(self) -> bool:
        """Whether resamples are needed."""
        return self.sure or self.support > 0


@dataclass(frozen=True, eq=False)
class ClusterTreeResult:
    """A tree that is pruned, laid out, and cut at a level."""

    settings: ClusterTreeSettings
    whole: TreeResult
    tree: Tree
    layout: TreeLayout
    level: float
    nodes: IntArray
    labels: IntArray
    support: FloatArray | None = None  # Of each branch, where resamples are known

    @property
    def clusters(self) -> IntArray:
        """The cluster of each point, by the number of its branch; −1 outside all clusters."""
        return np.append(self.nodes, -1)[self.labels]

    @property
    def inside(self) -> NDArray[np.bool_]:
        """Whether each point is in the set at the cut."""
        return np.asarray(self.tree.entry >= self.level)


def prepare(
    found: TreeResult, settings: ClusterTreeSettings, resampled: ResampledTrees | None = None
) -> ClusterTreeResult:
    """Prune the tree, lay it out and cut it."""
    tree, support = found.tree.prune(min_mass=settings.least), None
    if resampled is not None:
        shares = resampled.support(tree)
        tree = tree.prune(support=shares, min_support=settings.support)
        support = resampled.support(tree)
    level = settings.cut * found.top
    at_cut = settings.clusters == AT_CUT
    nodes = tree.nodes_at(level) if at_cut else tree.select()
    labels = tree.cut(level) if at_cut else tree.labels(nodes)
    layout = tree_layout(tree, settings.heights)
    return ClusterTreeResult(settings, found, tree, layout, level, nodes, labels, support)
