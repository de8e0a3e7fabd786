"""Layout of a tree: branches as wide as their mass, as high as their levels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.tree.heights import Heights, HeightScale, height_scale, solved_levels
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import FloatArray, IntArray

STRIP, FILLED = 0.2, 0.6
"""Height of the strip for extrapolated joins, as a share of the rest, and the share they fill."""


@dataclass(frozen=True, eq=False)
class TreeLayout:
    """Positions of the branches of a tree; where heights are levels, area is stability.

    Attributes
    ----------
    centres : ndarray of shape (n_nodes,)
        Position of each node's axis, as a share of all points.
    outlines : tuple of ndarray of shape (k, 2)
        Each node as a closed polygon of positions and heights. Its width at a height is the share
        of all points that are still in it. Exact. Roots start at the largest solved set.
        Extrapolated nodes are lines instead, one from each child to the join, with a row of NaN
        after each; they are in order, but not to scale.
    levels : tuple of float
        The range of heights. A root without end starts where all points are inside.
    scale : HeightScale
        From levels to heights and back.
    base : float or None
        The height of the largest solved set, where there are extrapolated nodes below it.
    """

    centres: FloatArray
    outlines: tuple[FloatArray, ...]
    levels: tuple[float, float]
    scale: HeightScale
    base: float | None = None


def cluster_counts(tree: Tree) -> tuple[FloatArray, IntArray]:
    """Count the clusters at every level, as a step function. Exact.

    Parameters
    ----------
    tree : Tree
        The tree.

    Returns
    -------
    levels : ndarray of shape (k,)
        Where the number changes, from the largest solved set to the smallest set.
    counts : ndarray of shape (k,)
        The number from there up to the next change, that level included; 0 at last.
    """
    turn, solved = -tree.orientation, ~tree.extrapolated
    birth, death, _ = solved_levels(tree)
    ends = np.concatenate([birth[solved], death[solved]])
    at, position = np.unique(turn * ends, return_inverse=True)
    change = np.zeros(at.size, dtype=np.int64)
    np.add.at(change, position, np.repeat([1, -1], np.count_nonzero(solved)))
    return turn * at, np.cumsum(change)


def stability_shares(tree: Tree) -> FloatArray:
    """Return the stability of each node as a share of the largest one."""
    return np.asarray(tree.stability / (tree.stability.max(initial=0.0) or 1.0))


def split_levels(tree: Tree) -> FloatArray:
    """Return the solved levels at which nodes split, ascending."""
    inner = np.flatnonzero(tree.parent >= 0)
    split = inner[~tree.extrapolated[tree.parent[inner]]]
    return np.unique(tree.birth[split])


def inherited_labels(tree: Tree, chosen: ArrayLike) -> IntArray:
    """Return for each node the position of itself or its ancestor in ``chosen``, or −1."""
    nodes = np.asarray(chosen, dtype=np.int64)
    label_of = np.full(len(tree) + 1, -1, dtype=np.int64)
    for k, above in enumerate(tree.parent):
        mine = np.flatnonzero(nodes == k)
        label_of[k] = mine[0] if mine.size else label_of[above]
    return label_of[:-1]


def tree_layout(tree: Tree, heights: Heights = "level") -> TreeLayout:
    """Lay out the nodes: children side by side above their parent, in the tree's own order.

    Parameters
    ----------
    tree : Tree
        The tree.
    heights : {"level", "log", "inverse", "mass"}
        Whether heights are levels, their logarithms, their inverses (turned, so that smaller sets
        stay on top), or the share of the points outside. Logarithms and inverses give more space
        to low levels; on them the area of a branch is not its stability.

    Returns
    -------
    TreeLayout
    """
    scale = height_scale(tree, heights)
    centres = _centres(tree)
    outlines = _outlines(tree, centres, scale)
    birth, death, _ = solved_levels(tree)
    ends = scale.height_of(np.concatenate([birth, death]))
    span = (float(ends.min()), float(ends.max())) if ends.size else (0.0, 1.0)
    if tree.hold_level is None or not tree.extrapolated.any():
        return TreeLayout(centres, tuple(outlines), span, scale)
    base = float(scale.height_of(tree.hold_level))
    low = base - STRIP * (span[1] - span[0] or 1.0) * (1.0 if scale.rises(tree) else -1.0)
    for k, lines in _joins(tree, centres, base, low).items():
        outlines[k] = lines
    return TreeLayout(centres, tuple(outlines), (min(span[0], low), max(span[1], low)), scale, base)


def _centres(tree: Tree) -> FloatArray:
    left = np.zeros(len(tree))
    free = np.zeros(len(tree) + 1)
    mass = tree.mass
    for k, above in enumerate(tree.parent):
        if above >= 0 and k == above + 1:
            # A first child: the children together are centred above their parent.
            together = mass[tree.children(int(above))].sum()
            free[above] = left[above] + (mass[above] - together) / 2.0
        left[k] = free[above]
        free[above] += mass[k]
    return np.asarray(left + mass / 2.0)


def _outlines(tree: Tree, centres: FloatArray, scale: HeightScale) -> list[FloatArray]:
    """Return the nodes as polygons; empty for extrapolated ones."""
    birth, death, exits = solved_levels(tree)
    turn = -tree.orientation
    hold = -np.inf if tree.hold_level is None else turn * tree.hold_level
    outlines = []
    for k in range(len(tree)):
        if tree.extrapolated[k]:
            outlines.append(np.empty((0, 2)))
            continue
        members = tree.members(k)
        members = members[turn * tree.exit[members] >= hold]
        leaving = np.sort(turn * np.minimum(turn * exits[members], turn * death[k]))[::turn]
        outline = _outline(leaving, birth[k], centres[k], 1.0 / len(tree.node_of))
        outline[:, 1] = scale.height_of(outline[:, 1])
        outlines.append(outline)
    return outlines


def _joins(tree: Tree, centres: FloatArray, base: float, low: float) -> dict[int, FloatArray]:
    """Return lines from the children of each extrapolated node to their join.

    Joins are ordered by level below ``base``: the later, the lower.
    """
    nodes = np.flatnonzero(tree.extrapolated)
    heights = -tree.orientation * tree.death
    order = np.unique(-heights[nodes])
    position = np.full(len(tree), base)
    rank = np.searchsorted(order, -heights[nodes]) + 1
    position[nodes] += FILLED * (low - base) * rank / order.size
    found = {}
    for k in nodes.tolist():
        x, y = float(centres[k]), float(position[k])
        each = float(tree.mass[k]) / 2.0
        # A group of points that enter by extrapolation only is a line as wide as its mass.
        pieces = [[(x - each, y), (x + each, y)]]
        if children := tree.children(k).tolist():
            pieces = [[(centres[m], position[m]), (centres[m], y), (x, y)] for m in children]
        gap = (np.nan, np.nan)
        found[k] = np.array([row for piece in pieces for row in (*piece, gap)])
    return found


def _outline(leaving: FloatArray, birth: float, centre: float, each: float) -> FloatArray:
    """Return a stepped outline, up the left side and down the right; members leave one by one."""
    still = np.arange(len(leaving), 0, -1) * each / 2.0
    levels = np.repeat(np.concatenate([[birth], leaving]), 2)[1:-1]
    half = np.repeat(still, 2)
    side = np.column_stack([centre - half, levels])
    other = np.column_stack([centre + half, levels])[::-1]
    return np.concatenate([side, other, side[:1]])
