"""Prune a tree: drop branches that are too small or too short, and join the rest."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import BoolArray, FloatArray, IntArray


class Pruned(NamedTuple):
    """What is left of a tree, in heights (higher means a smaller set)."""

    parent: IntArray
    birth: FloatArray
    death: FloatArray
    node_of: IntArray
    exit: FloatArray


def worthy_nodes(tree: Pruned, hold: float, least: float, min_lifetime: float) -> BoolArray:
    """Return which nodes have enough points for a long enough range of solved heights.

    In nodes that reach the solved heights only the points that do so count. Roots that are not
    worthy are lost to the extrapolated nodes below them, which are judged by what is left.
    """
    K = len(tree.parent)
    inside = tree.node_of >= 0
    size = np.bincount(tree.node_of[inside], minlength=K)
    reaching = np.bincount(tree.node_of[inside & (tree.exit >= hold)], minlength=K)
    tops, is_root = tree.death.copy(), solved_roots(tree, hold)
    worthy = np.zeros(K, dtype=np.bool_)
    for k in range(K - 1, -1, -1):
        life = max(tops[k], hold) - max(tree.birth[k], hold)
        counted = reaching[k] if tree.death[k] >= hold else size[k]
        worthy[k] = counted >= least and life >= min_lifetime
        above = tree.parent[k]
        if above >= 0 and (worthy[k] or not is_root[k]):
            size[above] += size[k]
            reaching[above] += reaching[k]
            tops[above] = max(tops[above], tops[k])
    return worthy


def supported_nodes(
    parent: IntArray, worthy: BoolArray, support: ArrayLike | None, least: float
) -> BoolArray:
    """Return the worthy nodes that have enough support, and those that one of them is within."""
    shares = np.asarray(support, dtype=np.float64)
    if support is None or shares.shape != parent.shape or not least <= 1:
        raise ValueError(
            f"To prune by support, give the support of each of the {len(parent)} nodes and a "
            f"min_support from 0 to 1."
        )
    kept = worthy & (shares >= least - 1e-12)
    for k in range(len(parent) - 1, -1, -1):
        if parent[k] >= 0:
            kept[parent[k]] |= kept[k]
    return kept


def solved_roots(tree: Pruned, hold: float) -> BoolArray:
    """Return nodes that reach ``hold`` or more and whose parents, if they have any, do not."""
    solved = tree.death >= hold
    return solved & ((tree.parent < 0) | ~solved[tree.parent])


def prune(tree: Pruned, worthy: BoolArray, hold: float) -> Pruned:
    """Keep the worthy nodes that have a worthy sibling; roots need only be worthy.

    A node with one worthy child continues as that child, one without as the highest child (the
    elder rule). The other children are dropped: their points leave where they split off. An
    extrapolated node never continues as a root that is not worthy; such a root is noise. With a
    worthy node all its ancestors must be worthy; nodes below the height ``hold`` are extrapolated.
    """
    lost = ~worthy & (solved_roots(tree, hold) | (tree.parent < 0))
    heir = _heirs(tree, worthy, lost)
    target = np.full(len(worthy) + 1, -1, dtype=np.int64)
    leaves_at = np.full(len(worthy) + 1, np.inf)
    parent: list[int] = []
    birth: list[float] = []
    death: list[float] = []
    for k, above in enumerate(tree.parent):
        if lost[k]:
            target[k], leaves_at[k] = -1, -np.inf
        elif above >= 0 and leaves_at[above] < np.inf:
            target[k], leaves_at[k] = target[above], leaves_at[above]
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
    kept = Pruned(np.array(parent, dtype=np.int64), np.array(birth), np.array(death), node_of, left)
    return _shortened(kept, hold)


def _shortened(tree: Pruned, hold: float) -> Pruned:
    """End extrapolated nodes without children at their own points."""
    highest = np.full(len(tree.parent), -np.inf)
    inside = tree.node_of >= 0
    np.maximum.at(highest, tree.node_of[inside], tree.exit[inside])
    childless = ~np.isin(np.arange(len(tree.parent)), tree.parent)
    ends = np.where(childless & (tree.death < hold), highest, tree.death)
    return tree._replace(death=ends)


def _heirs(tree: Pruned, worthy: BoolArray, lost: BoolArray) -> IntArray:
    """Return the child each node continues as; −1 where it splits or is a leaf."""
    tops = tree.death.copy()
    for k in range(len(worthy) - 1, -1, -1):
        if tree.parent[k] >= 0:
            tops[tree.parent[k]] = max(tops[tree.parent[k]], tops[k])
    heir = np.full(len(worthy), -1, dtype=np.int64)
    rivals = np.zeros(len(worthy), dtype=np.int64)
    for k, above in enumerate(tree.parent):
        if above < 0 or lost[k]:
            continue
        rivals[above] += worthy[k]
        best = heir[above]
        if best < 0 or (worthy[k], tops[k]) > (worthy[best], tops[best]):
            heir[above] = k
    heir[rivals >= 2] = -1
    return heir
