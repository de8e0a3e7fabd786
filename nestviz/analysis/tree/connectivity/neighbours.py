"""Neighbour graphs: which pairs of points are tried as direct connections."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray, IntArray
from nestviz.compiled import njit


def neighbour_edges(X: FloatArray, n_neighbors: int) -> IntArray:
    """Return pairs (i < j) of neighbours among distinct points, in lexicographic order.

    The graph is connected. On a line each point is connected to the next, in the plane by the
    Delaunay triangulation, and in more dimensions to its nearest neighbours and along the Euclidean
    minimum spanning tree. Points of the plane that qhull cannot triangulate (all on one line) are
    treated like those of more dimensions.
    """
    if len(X) < 2:
        return np.empty((0, 2), dtype=np.int64)
    # Isotropic, so neighbours do not change; qhull's thresholds expect numbers around one.
    centred = X - X.mean(axis=0)
    centred = centred / np.abs(centred).max()
    if X.shape[1] == 1:
        order = np.argsort(centred[:, 0], kind="stable")
        return _unique_pairs(order[:-1], order[1:])
    triangulated = _delaunay_edges(centred) if X.shape[1] == 2 else None
    if triangulated is not None:
        return triangulated
    i, j = _nearest(centred, min(n_neighbors, len(X) - 1))
    parent = spanning_tree(centred)
    return _unique_pairs(np.append(i, np.arange(1, len(X))), np.append(j, parent[1:]))


def _delaunay_edges(X: FloatArray) -> IntArray | None:
    from scipy.spatial import Delaunay, QhullError

    if len(X) < 4:
        i, j = np.triu_indices(len(X), 1)
        return _unique_pairs(i, j)
    try:
        triangles = Delaunay(X)
    except QhullError:
        return None
    corners = triangles.simplices
    start, end = corners[:, [0, 1, 2]].ravel(), corners[:, [1, 2, 0]].ravel()
    # qhull leaves out points too close to another one, and names that neighbour.
    left_out = triangles.coplanar
    return _unique_pairs(np.append(start, left_out[:, 0]), np.append(end, left_out[:, 2]))


def _nearest(X: FloatArray, k: int) -> tuple[IntArray, IntArray]:
    from scipy.spatial import KDTree

    found = KDTree(X).query(X, k + 1)[1]
    return np.repeat(np.arange(len(X)), k + 1), found.ravel().astype(np.int64)


def _unique_pairs(i: NDArray[np.integer], j: NDArray[np.integer]) -> IntArray:
    low, high = np.minimum(i, j).astype(np.int64), np.maximum(i, j).astype(np.int64)
    n = int(high.max(initial=0)) + 1
    keys = np.unique((low * n + high)[low != high])
    return np.column_stack([keys // n, keys % n])


@njit(cache=True, nogil=True)
def spanning_tree(X: FloatArray) -> IntArray:
    """Return the Euclidean minimum spanning tree by Prim's rule, O(n²) time and O(n) memory.

    Entry j is the point that j was connected to; the tree grows from point 0, whose entry is −1.
    """
    n, d = X.shape
    parent = np.full(n, -1, np.int64)
    distance = np.full(n, np.inf)
    outside = np.ones(n, np.bool_)
    newest = 0
    for _ in range(n - 1):
        outside[newest] = False
        nearest, best = -1, np.inf
        for j in range(n):
            if not outside[j]:
                continue
            square = 0.0
            for k in range(d):
                square += (X[j, k] - X[newest, k]) ** 2
            if square < distance[j]:
                distance[j] = square
                parent[j] = newest
            if nearest < 0 or distance[j] < best:
                nearest, best = j, distance[j]
        newest = nearest
    return parent
