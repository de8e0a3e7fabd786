"""Sums over subtrees, and the most stable selection of nodes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray, IntArray


def summed_up(parent: IntArray, values: IntArray) -> IntArray:
    """Return for each node the sum over itself and its descendants; parents come first."""
    total = values.astype(np.int64)
    for k in range(len(parent) - 1, 0, -1):
        if parent[k] >= 0:
            total[parent[k]] += total[k]
    return total


def excess_of_mass(
    parent: IntArray, node_of: IntArray, birth: FloatArray, death: FloatArray, exits: FloatArray
) -> FloatArray:
    """Return the share of the points in each node, integrated over the heights of its life."""
    inside = node_of >= 0
    home = node_of[inside]
    own = np.bincount(home, minlength=len(parent))
    whole = (summed_up(parent, own) - own) * (death - birth)
    alone = np.bincount(home, exits[inside] - birth[home], minlength=len(parent))
    return np.asarray((whole + alone) / max(1, len(node_of)))


def most_stable(parent: IntArray, stability: FloatArray, barred: NDArray[np.bool_]) -> IntArray:
    """Select nodes of greatest total stability, none inside another; of equals, the larger cluster.

    ``parent`` lists parents first; nodes in ``barred`` are never selected.
    """
    best, below = stability.astype(np.float64), np.zeros(len(parent))
    chosen = np.ones(len(parent), dtype=np.bool_)
    for k in range(len(parent) - 1, -1, -1):
        if below[k] > best[k] or barred[k]:
            best[k], chosen[k] = below[k], False
        if parent[k] >= 0:
            below[parent[k]] += best[k]
    covered = np.zeros(len(parent) + 1, dtype=np.bool_)
    picked = np.zeros(len(parent), dtype=np.bool_)
    for k, above in enumerate(parent):
        picked[k] = chosen[k] and not covered[above]
        covered[k] = chosen[k] or covered[above]
    return np.flatnonzero(picked)
