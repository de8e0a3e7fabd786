"""HDBSCAN's condensed tree as a `Tree`: single linkage instead of the sets of a family."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.tree.building import preorder
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import FloatArray, IntArray
from nestviz.compiled import njit

LEVEL_NAME = "1/distance"


class Linkage(NamedTuple):
    """Merges of single linkage, nearest first; merge m makes the cluster n + m."""

    left: IntArray
    right: IntArray
    distance: FloatArray
    size: IntArray


def hdbscan_tree(
    X: ArrayLike, min_cluster_size: int = 5, *, min_samples: int | None = None
) -> Tree:
    """Build the condensed tree of HDBSCAN, to compare with the tree of a family of sets.

    The *core distance* of a point is the distance to its ``min_samples``-th nearest neighbour,
    itself included, and the mutual reachability of two points the largest of their core distances
    and their distance. Clusters are the connected components of the graph of all pairs with a
    mutual reachability of at most ε; the level is 1/ε. Where a cluster splits, parts with fewer
    than ``min_cluster_size`` points leave it, and where all parts are smaller it ends (Campello,
    Moulavi & Sander 2013). The stability of a node is HDBSCAN's, divided by the number of points:
    ``tree.labels(tree.select())`` are the flat clusters of `sklearn.cluster.HDBSCAN`, also where
    merges are tied; only a tree that never splits is one cluster here and none there.

    *Exact*. Time grows with the square of the number of points, memory does not.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        The points.
    min_cluster_size : int
        Least number of points in a branch, 2 or more.
    min_samples : int, optional
        Neighbours that determine the core distance; ``min_cluster_size`` by default.

    Returns
    -------
    Tree
        Levels are inverse distances; a distance of zero counts as the smallest positive one. The
        entry level of a point is that at which it is first connected to another one. Of tied
        merges one comes first, so that a branch may end, or a point leave it, where it is born.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [3.0], [3.1], [3.3]])
    >>> tree = hdbscan_tree(X, 3, min_samples=2)
    >>> tree.labels(tree.select())
    array([0, 0, 0, 1, 1, 1])
    """
    points = np.ascontiguousarray(X, dtype=np.float64)
    if points.ndim != 2 or len(points) < 2 or not np.all(np.isfinite(points)):
        raise ValueError(
            f"HDBSCAN needs two or more points with finite coordinates, as an array of shape "
            f"(n_points, n_features), not {points.shape}."
        )
    neighbours = min_cluster_size if min_samples is None else min_samples
    if min_cluster_size < 2 or not 1 <= neighbours <= len(points):
        raise ValueError(
            f"HDBSCAN needs a min_cluster_size of 2 or more and min_samples from 1 to "
            f"{len(points)}, the number of points; got {min_cluster_size!r} and {neighbours!r}."
        )
    return _tree_of(single_linkage(points, neighbours), min_cluster_size)


def smallest_cluster(n: int, min_mass: float) -> int:
    """Return the number of points of the smallest branch that is not pruned, at least two."""
    return min(n, max(2, int(np.ceil(min_mass * n - 1e-9))))


def single_linkage(X: FloatArray, min_samples: int) -> Linkage:
    """Return the merges of single linkage by mutual reachability."""
    from scipy.spatial import KDTree

    nearest = KDTree(X).query(X, min_samples)[0]
    core = np.asarray(nearest).reshape(len(X), -1)[:, -1].copy()
    i, j, distance = _spanning_edges(X, core)
    # In the order of scikit-learn: that of equal distances decides where a tied point goes.
    order = np.argsort(distance)
    return _merge(i[order], j[order], distance[order])


def _tree_of(linkage: Linkage, least: int) -> Tree:
    apart = linkage.distance[linkage.distance > 0]
    distance = np.maximum(linkage.distance, apart.min() if apart.size else 1.0)
    levels = 1.0 / distance
    parent, birth, node_of, exits, entry = _condense(linkage, levels, least)
    # Children first, as a sweep numbers them.
    last = len(parent) - 1
    order = preorder(np.where(parent >= 0, last - parent, -1)[::-1], last - node_of)
    order = last - order
    number = np.full(len(order) + 1, -1, dtype=np.int64)
    number[order] = np.arange(len(order))
    death = np.zeros(len(parent))
    np.maximum.at(death, node_of, exits)
    inner = parent >= 0
    np.maximum.at(death, parent[inner], birth[inner])
    return Tree(
        parent=number[parent[order]],
        birth=birth[order],
        death=death[order],
        node_of=number[node_of],
        exit=exits,
        entry=entry,
        orientation=-1,
        domain=(0.0, np.inf),
        level_name=LEVEL_NAME,
    )


@njit(cache=True, nogil=True)
def _spanning_edges(X: FloatArray, core: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Return a minimum spanning tree of mutual reachability, by Prim's algorithm from point 0.

    Of equally near points the first is added, and of its equally near neighbours in the tree the
    one that was added first.
    """
    n, d = X.shape
    i, j, distance = np.empty(n - 1, np.int64), np.empty(n - 1, np.int64), np.empty(n - 1)
    reach, source = np.full(n, np.inf), np.zeros(n, np.int64)
    outside = np.ones(n, np.bool_)
    here = 0
    for m in range(n - 1):
        outside[here] = False
        best, chosen = np.inf, -1
        for p in range(n):
            if not outside[p]:
                continue
            square = 0.0
            for f in range(d):
                square += (X[here, f] - X[p, f]) ** 2
            mutual = max(core[here], core[p], np.sqrt(square))
            if mutual < reach[p]:
                reach[p], source[p] = mutual, here
            if reach[p] < best:
                best, chosen = reach[p], p
        i[m], j[m], distance[m] = source[chosen], chosen, best
        here = chosen
    return i, j, distance


@njit(cache=True, nogil=True)
def _merge(i: IntArray, j: IntArray, distance: FloatArray) -> Linkage:
    """Merge the clusters at the ends of edges, in their order."""
    n = len(i) + 1
    root = np.arange(2 * n - 1)
    size = np.ones(2 * n - 1, np.int64)
    left, right = np.empty(n - 1, np.int64), np.empty(n - 1, np.int64)
    for m in range(n - 1):
        ends = (i[m], j[m])
        for side in range(2):
            a = ends[side]
            while root[a] != a:
                root[a] = root[root[a]]
                a = root[a]
            if side == 0:
                left[m] = a
            else:
                right[m] = a
            root[a] = n + m
        size[n + m] = size[left[m]] + size[right[m]]
    return Linkage(left, right, distance, size)


@njit(cache=True, nogil=True)
def _condense(
    linkage: Linkage, levels: FloatArray, least: int
) -> tuple[IntArray, FloatArray, IntArray, FloatArray, FloatArray]:
    """Return parent and birth of each branch, and branch, exit and first merge of each point.

    Merges are undone from the last on. A part with fewer than ``least`` points leaves its branch
    with all its points.
    """
    n = len(levels) + 1
    branch, left_at = np.zeros(2 * n - 1, np.int64), np.full(2 * n - 1, np.inf)
    parent, birth = np.full(2 * n, -1, np.int64), np.zeros(2 * n)
    entry = np.zeros(n)
    count = 1
    for m in range(n - 2, -1, -1):
        whole = n + m
        parts = (linkage.left[m], linkage.right[m])
        large = 0
        for part in parts:
            branch[part], left_at[part] = branch[whole], left_at[whole]
            size = 1 if part < n else linkage.size[part]
            if left_at[whole] == np.inf and size < least:
                left_at[part] = levels[m]
            elif left_at[whole] == np.inf:
                large += 1
            if part < n:
                entry[part] = levels[m]
        if large == 2:
            for part in parts:
                parent[count], birth[count] = branch[whole], levels[m]
                branch[part] = count
                count += 1
    return parent[:count], birth[:count], branch[:n], left_at[:n], entry
