"""Where the branches of a tree go in a picture: as wide as their mass, as high as their levels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nestviz.analysis.tree import Tree

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TreeLayout:
    """A picture of a tree in which area is stability.

    Attributes
    ----------
    centres : (K,) array
        Where each node's axis lies, as a share of all points.
    outlines : tuple of (k, 2) arrays
        Each node as a closed polygon of positions and levels. Its width at a level is the share of
        all points that are still in it there, so that it narrows in steps and its area is the
        node's stability. Exact.
    levels : (low, high)
        The range of levels that is drawn. An endless root starts where all points are in.
    """

    centres: FloatArray
    outlines: tuple[FloatArray, ...]
    levels: tuple[float, float]


def tree_layout(tree: Tree) -> TreeLayout:
    """Lay out the nodes: children side by side above their parent, in the tree's own order."""
    birth, death, exits = tree.finite_levels()
    turn = -tree.orientation
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
    centres = left + mass / 2.0
    outlines = []
    for k in range(len(tree)):
        leaving = np.sort(turn * np.minimum(turn * exits[tree.members(k)], turn * death[k]))[::turn]
        outlines.append(_outline(leaving, birth[k], centres[k], 1.0 / len(tree.node_of)))
    ends = np.concatenate([birth, death])
    span = (float(ends.min()), float(ends.max())) if ends.size else (0.0, 1.0)
    return TreeLayout(centres, tuple(outlines), span)


def _outline(leaving: FloatArray, birth: float, centre: float, each: float) -> FloatArray:
    """A stepped outline, up the left side and down the right; members leave one by one."""
    still = np.arange(len(leaving), 0, -1) * each / 2.0
    levels = np.repeat(np.concatenate([[birth], leaving]), 2)[1:-1]
    half = np.repeat(still, 2)
    side = np.column_stack([centre - half, levels])
    other = np.column_stack([centre + half, levels])[::-1]
    return np.concatenate([side, other, side[:1]])
