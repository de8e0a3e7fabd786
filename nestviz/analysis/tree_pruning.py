"""Prune a tree: drop branches that are too small or too short, and let the rest grow together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


class Pruned(NamedTuple):
    """What is left of a tree, in heights (higher means a smaller set)."""

    parent: IntArray
    birth: FloatArray
    death: FloatArray
    node_of: IntArray
    exit: FloatArray


def tops_of(parent: IntArray, death: FloatArray) -> FloatArray:
    """The highest height that each node or one of its descendants reaches."""
    tops = death.copy()
    for k in range(len(parent) - 1, -1, -1):
        if parent[k] >= 0:
            tops[parent[k]] = max(tops[parent[k]], tops[k])
    return tops


def prune(tree: Pruned, worthy: BoolArray, tops: FloatArray) -> Pruned:
    """Keep the nodes that are worthy and have a worthy sibling; roots need only be worthy.

    Where a node has one worthy child it goes on as that child, where it has none as the highest
    one (the elder rule). The other children are dropped: their points leave where they part.

    Parameters
    ----------
    tree : Pruned
        The whole tree, parents before children.
    worthy : (K,) array
        Which nodes deserve to stay. With a node all its ancestors must be worthy.
    tops : (K,) array
        The highest height reached in each node's subtree.
    """
    heir = _heirs(tree.parent, worthy, tops)
    target = np.full(len(worthy) + 1, -1, dtype=np.int64)
    leaves_at = np.full(len(worthy) + 1, np.inf)
    parent: list[int] = []
    birth: list[float] = []
    death: list[float] = []
    for k, above in enumerate(tree.parent):
        dropped_before = above >= 0 and leaves_at[above] < np.inf
        if dropped_before or (above < 0 and not worthy[k]):
            target[k] = target[above] if above >= 0 else -1
            leaves_at[k] = leaves_at[above] if above >= 0 else -np.inf
        elif above >= 0 and heir[above] == k:
            target[k] = target[above]
            death[target[k]] = tree.death[k]
        elif above >= 0 and not (worthy[k] and heir[above] < 0):
            target[k], leaves_at[k] = target[above], tree.birth[k]
        else:
            target[k] = len(parent)
            parent.append(int(target[above]) if above >= 0 else -1)
            birth.append(tree.birth[k])
            death.append(tree.death[k])
    node_of = target[tree.node_of]
    left = np.where(node_of >= 0, np.minimum(tree.exit, leaves_at[tree.node_of]), -np.inf)
    return Pruned(np.array(parent, dtype=np.int64), np.array(birth), np.array(death), node_of, left)


def _heirs(parent: IntArray, worthy: BoolArray, tops: FloatArray) -> IntArray:
    """For each node the child it goes on as; −1 where it splits for good or is a leaf."""
    heir = np.full(len(parent), -1, dtype=np.int64)
    rivals = np.zeros(len(parent), dtype=np.int64)
    for k, above in enumerate(parent):
        if above < 0:
            continue
        rivals[above] += worthy[k]
        best = heir[above]
        if best < 0 or (worthy[k], tops[k]) > (worthy[best], tops[best]):
            heir[above] = k
    heir[rivals >= 2] = -1
    return heir
