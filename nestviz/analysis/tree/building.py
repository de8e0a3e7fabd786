"""From a forest over the points to their `Tree`."""

from __future__ import annotations

import numpy as np

from nestviz.analysis.tree.connectivity.forest import Forest, branches_of
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import IntArray
from nestviz.families import SetFamily


def tree_of(forest: Forest, family: SetFamily) -> Tree:
    """Build the tree of a forest over the points, in the family's own levels.

    Points that would enter only at the very end of the domain count as noise.
    """
    low, high = family.domain or (-np.inf, np.inf)
    end = -high if family.orientation == 1 else low
    tied = forest.levels > end
    heights = np.where(forest.heights > end, forest.heights, -np.inf)
    kept = Forest(heights, forest.i[tied], forest.j[tied], forest.levels[tied])
    branches = branches_of(kept)
    order = preorder(branches.parent, branches.node_of)
    number = np.full(len(order) + 1, -1, dtype=np.int64)
    number[order] = np.arange(len(order))
    birth = np.where(branches.parent >= 0, branches.bottom, end)
    turn = -family.orientation
    return Tree(
        parent=number[branches.parent[order]],
        birth=turn * birth[order],
        death=turn * branches.top[order],
        node_of=number[branches.node_of],
        exit=turn * heights,
        entry=turn * forest.heights,
        orientation=family.orientation,
        domain=(low, high),
        level_name=family.level_name,
        hold_level=family.hold_level,
    )


def preorder(parent: IntArray, node_of: IntArray) -> IntArray:
    """Order the nodes: parents first, then larger siblings, then those with the first point."""
    K = len(parent)
    size = np.bincount(node_of[node_of >= 0], minlength=K)
    first = np.full(K, len(node_of))
    np.minimum.at(first, node_of[node_of >= 0], np.flatnonzero(node_of >= 0))
    below: list[list[int]] = [[] for _ in range(K + 1)]
    # The sweep numbers children before their parents.
    for k in range(K):
        below[parent[k]].append(k)
        if parent[k] >= 0:
            size[parent[k]] += size[k]
            first[parent[k]] = min(first[parent[k]], first[k])
    order: list[int] = []
    stack = sorted(below[-1], key=lambda k: (size[k], -first[k]))
    while stack:
        k = stack.pop()
        order.append(k)
        stack += sorted(below[k], key=lambda m: (size[m], -first[m]))
    return np.array(order, dtype=np.int64)
