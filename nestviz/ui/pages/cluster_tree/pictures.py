"""The content of the pictures of the Cluster tree page, and the selection in words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nestviz.analysis.tree.heights import solved_levels
from nestviz.analysis.tree.layout import (
    TreeLayout,
    cluster_counts,
    inherited_labels,
    split_levels,
    stability_shares,
)
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import FloatArray, IntArray
from nestviz.number_words import in_words
from nestviz.palette import cluster_shape
from nestviz.ui.components.branches import Branch, BranchesData
from nestviz.ui.components.plane import Area, Kind, PlaneData, Sets
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.pages.cluster_tree.results import AT_CUT, ClusterTreeResult
from nestviz.ui.scene.point_names import point_names
from nestviz.ui.session.selection import Selection, selection

LINK = "cluster-tree"
"""Name of the pictures that light the same points."""
NAMED = 5
"""Clusters that the text of a picture names one by one."""


def tree_content(current: Current, shown: ClusterTreeResult) -> BranchesData:
    """Return the tree, coloured by cluster, with the selected branches marked."""
    tree, layout = shown.tree, shown.layout
    colours = inherited_labels(tree, shown.nodes)
    drawn = drawn_tree(tree, layout, shown.nodes, colours, support=shown.support)
    low, top = drawn.heights
    return replace(
        drawn,
        cut=float(np.clip(layout.scale.height_of(shown.level), low, top)),
        chosen=chosen_branches(tree, selection(current.fitted)),
        base=layout.base,
        note=""
        if layout.base is None
        else f"dashed: extrapolated, below λ = {in_words(tree.hold_level or 0.0)}",
        sets=True,
        name="Cluster tree",
        title="Tree",
        alt=f"Cluster tree of {current.fitted.n} points: {counted_roots(tree)}, {len(tree)} "
        f"branches, as wide as their share of the points, over the {layout.scale.name}; the more "
        "stable a branch, the stronger its colour. Beside it the number of clusters."
        f"{_dashes(tree)}",
    )


def drawn_tree(
    tree: Tree,
    layout: TreeLayout,
    nodes: IntArray,
    colours: IntArray,
    letter: str = "B",
    support: FloatArray | None = None,
) -> BranchesData:
    """Return a tree with its points; branches are called by a letter and their number."""
    shades, ends = stability_shares(tree), tree.run_ends
    scale = layout.scale
    low, top = layout.levels[0], _top(layout)
    branches = [
        Branch(
            outline, centre, int(colours[k]), f"{letter}{k}", note(tree, k, support),
            bool(tree.extrapolated[k]), float(shades[k]), k in nodes, int(tree.parent[k]),
            int(ends[k]),
        )
        for k, (outline, centre) in enumerate(zip(layout.outlines, layout.centres, strict=True))
    ]  # fmt: skip
    return BranchesData(
        branches=branches,
        heights=(low, top),
        height_name=scale.name,
        counts=_counts(tree, layout),
        cut=None,
        name="",
        alt="",
        scale=scale,
        level_name=tree.level_name,
        splits=np.unique(scale.height_of(split_levels(tree))).tolist(),
        most_stable=float(tree.stability.max(initial=0.0)) or None,
        node_of=tree.node_of,
        exits=scale.height_of(solved_levels(tree)[2]),
        link=LINK,
    )


def counted_roots(tree: Tree) -> str:
    """Return the number of roots in words."""
    count = len(tree.roots)
    return "one root" if count == 1 else f"{count:,} roots"


def _dashes(tree: Tree) -> str:
    return " Dashed lines below are extrapolated joins." if tree.extrapolated.any() else ""


def plane_content(current: Current, shown: ClusterTreeResult) -> PlaneData:
    """Return the points by cluster, on the parts of the set at the cut."""
    data, entry_map, labels = current.fitted, shown.whole.entry_map, shown.labels
    kinds = [Kind("outside", -1, "cross")]
    kinds += [Kind(f"branch {branch}", k, cluster_shape(k)) for k, branch in enumerate(shown.nodes)]
    areas = shown.settings.clusters == AT_CUT
    parts = entry_map.parts(data.X, labels, shown.level) if areas else ()
    return PlaneData(
        points=current.plane.coordinates(data.X),
        view=entry_map.grid.inner_box,
        kinds=kinds,
        kind_of=labels + 1,
        areas=[Area(rings, label if label >= 0 else -1) for label, rings in parts],
        chosen=selection(data).points,
        axis_names=axis_names(data),
        title="Plane",
        name="Points by cluster",
        names=point_names(current.source) or None,
        link=LINK,
        sets=Sets(entry_map.grid, entry_map.entry),
        alt=f"{data.n} points in the plane. {_clusters_in_words(shown)}",
    )


def _clusters_in_words(shown: ClusterTreeResult) -> str:
    """Say how many points each cluster has, the largest first, and which level was cut at."""
    labels, name = shown.labels, shown.tree.level_name
    sizes = {int(branch): int((labels == k).sum()) for k, branch in enumerate(shown.nodes)}
    named = sorted(sizes, key=lambda branch: -sizes[branch])
    parts = [f"branch {branch} with {sizes[branch]:,} points" for branch in named[:NAMED]]
    if len(named) > NAMED:
        parts.append(f"{len(named) - NAMED} more")
    outside = int((labels < 0).sum())
    at_cut = shown.settings.clusters == AT_CUT
    where = (
        f"The set at {name} = {shown.level:.3g} has" if at_cut else "The most stable branches are"
    )
    count = f"{len(named)} cluster{'' if len(named) == 1 else 's'}"
    listed = f": {', '.join(parts)}" if parts else ""
    return f"{where} {count}{listed}; {outside:,} points are outside."


def chosen_branch(tree: Tree, chosen: Selection) -> int | None:
    """Return the branch whose points are selected, if they are those of one."""
    node = chosen.branch
    if node is None or node >= len(tree):
        return None
    # With another method or pruning the number may belong to another branch.
    return node if np.array_equal(np.sort(chosen.points), tree.members(node)) else None


def chosen_branches(tree: Tree, chosen: Selection) -> list[int]:
    """Return the branches to mark: the selected one, or those of the selected points."""
    node = chosen_branch(tree, chosen)
    if node is not None:
        return [node]
    ends = np.unique(tree.node_of[list(chosen.points)]) if chosen.points else np.empty(0, int)
    return [int(k) for k in ends if k >= 0]


def words(shown: ClusterTreeResult, chosen: Selection) -> str:
    """Describe the selection."""
    tree, name = shown.tree, shown.tree.level_name
    if not chosen.points:
        return "Nothing is selected."
    node = chosen_branch(tree, chosen)
    if node is not None:
        seen = shown.support
        again = "" if seen is None else f" Found again in {seen[node]:.0%} of the resamples."
        return f"**Branch {node}.** {_life(tree, node)}{again}"
    ends = chosen_branches(tree, chosen)
    if len(chosen.points) > 1:
        where = ", ".join(map(str, ends)) or "none"
        outside = np.count_nonzero(tree.node_of[list(chosen.points)] < 0)
        noise = f" {outside} of them in no branch." if outside and ends else ""
        return f"**{len(chosen.points):,} points**, in branches: {where}.{noise}"
    row = chosen.points[0]
    if not ends:
        return (
            f"**Point {row}** is in no branch: the sets never reach it, or its branch is pruned."
            f"{_late(tree, row)}"
        )
    cluster = int(shown.clusters[row])
    now = f"in the cluster of branch {cluster}" if cluster >= 0 else "outside all clusters"
    return (
        f"**Point {row}** is in branch {ends[0]} up to {name} = {tree.exit[row]:.4g}; "
        f"at the cut it is {now}.{_late(tree, row)}"
    )


def _late(tree: Tree, row: int) -> str:
    """Describe a point that no solved set contains."""
    if not tree.extrapolated_points[row] or tree.hold_level is None:
        return ""
    return (
        f" It enters by extrapolation only: no set at a solved level, down to λ_M = "
        f"{tree.hold_level:.2g}, contains it."
    )


def _life(tree: Tree, k: int) -> str:
    children = tree.children(k)
    end = f"splits into branches {', '.join(map(str, children))}" if len(children) else "vanishes"
    points = f"{tree.size[k]:,} points ({tree.mass[k]:.1%})."
    if tree.extrapolated[k]:
        joined = (
            f"It joins branches {', '.join(map(str, children))}" if len(children) else "It exists"
        )
        return (
            f"{points} {joined} below λ_M = {tree.hold_level:.2g} only, the smallest solved level: "
            "extrapolated, not estimated."
        )
    if k in tree.roots and tree.hold_level is not None:
        return (
            f"{points} A root: a part of the largest solved set. It {end} at {tree.death[k]:.4g}."
        )
    return (
        f"{points} Born at {tree.level_name} = {tree.birth[k]:.4g}; {end} at {tree.death[k]:.4g}."
    )


def note(tree: Tree, k: int, support: FloatArray | None = None) -> str:
    """Describe a branch, one fact a line."""
    life = f"born at {tree.birth[k]:.4g}, ends at {tree.death[k]:.4g}"
    stability = f"stability {tree.stability[k]:.3g}"
    if tree.extrapolated[k]:
        life = "extrapolated: a join below λ_M" if len(tree.children(k)) else "extrapolated"
        stability = "no stability: not estimated"
    elif k in tree.roots:
        life = f"a root, ends at {tree.death[k]:.4g}"
    if tree.stability[k] > 0:
        stability += f", {stability_shares(tree)[k]:.0%} of the largest"
    seen = "" if support is None else f"\nfound again in {support[k]:.0%} of the resamples"
    size = f"{tree.size[k]:,} points, {tree.mass[k]:.1%} of all"
    return f"branch {k}\n{life}\n{size}\n{stability}{seen}"


def _counts(tree: Tree, layout: TreeLayout) -> list[tuple[float, float, int]]:
    levels, counts = cluster_counts(tree)
    heights = layout.scale.height_of(levels)
    ends = np.append(heights[1:], _top(layout))
    return [
        (float(a), float(b), int(count)) for a, b, count in zip(heights, ends, counts, strict=True)
    ]


def _top(layout: TreeLayout) -> float:
    """Return the upper end of the heights, with a margin above the tree."""
    low, high = layout.levels
    return float(high + 0.08 * (high - low or 1.0))
