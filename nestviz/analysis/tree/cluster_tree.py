"""The cluster tree of a family of sets: what is connected at which level.

Two points are connected at every level up to that of the best route between them, the route whose
lowest point is highest ("maximin"). Routes run along a neighbour graph, so the tree follows from
one number per edge and a union-find sweep, without a grid of levels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.tree.building import tree_of
from nestviz.analysis.tree.connectivity.forest import Forest, sweep_edges
from nestviz.analysis.tree.connectivity.neighbours import neighbour_edges
from nestviz.analysis.tree.connectivity.routes import Field, Segments, lowest_on_segments
from nestviz.analysis.tree.connectivity.saddles import Connections, with_bent_routes
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import FloatArray, IntArray
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel, PrecomputedKernel
from nestviz.renamed import renamed

# Samples per kernel width along an edge. Sums of Gaussians have no dips narrower than half of that,
# but the sets of an SVM may touch along narrow seams.
SAMPLES_PER_WIDTH = 4.0
# Share of the range of heights that counts as rounding. Clusters of a nested SVM may split far
# below its other levels, so this must be small.
ROUNDING = 1e-9
# Accuracy at the smallest solved level, as a share of it: whether a join is estimated or
# extrapolated is decided there.
AT_HOLD = 1e-2


@renamed(neighbours="n_neighbors")
def cluster_tree(
    family: SetFamily,
    X: ArrayLike,
    *,
    n_neighbors: int = 10,
    bends: int = 8,
    tolerance: float = 1e-5,
) -> Tree:
    """Build the tree of connected components of the sets ``G_θ`` over all levels.

    Clusters as the connected components of level sets, and the tree they form, are among the uses
    that Lee & Scott name for a family of sets (2010, section I-A). A family that is not nested is
    replaced by its successive union, whose entry levels are the same. For a family with a smallest
    solved level the tree is a forest: parts that are separate in the largest solved set are
    `Tree.roots`, and joins beyond it are `Tree.extrapolated`.

    *Exact*: the level at which each point enters, and the tree that follows from the heights of the
    routes, ties included. *Computed to* ``tolerance``: the lowest point on a route, provided that
    dips are wider than the distance between samples, a quarter of a Gaussian's width (for other
    kernels a sixteenth of a segment). *Estimated, from one side*: the level at which two clusters
    split. Each connection is a route inside the set, so nothing separate is joined. Where a better
    route exists that neither the graph nor its bending finds, clusters split at a smaller set than
    stated. On a line there is one route, and nothing is estimated.

    Parameters
    ----------
    family : SetFamily
        The sets.
    X : array-like of shape (n_points, n_features)
        The points to cluster, usually the training points. Components without a point are not seen.
    n_neighbors : int
        Nearest neighbours connected to each point, in addition to the minimum spanning tree, in
        three or more dimensions. On a line the graph is the chain of points, in the plane their
        Delaunay triangulation.
    bends : int
        How often a route between two peaks may be bent; 0 keeps all routes straight.
    tolerance : float
        Accuracy of merge levels, as a share of the range of the entry levels.

    Returns
    -------
    Tree
        Components of the sets that contain at least one point.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz.estimators import ParzenLevelSets
    >>> X = np.array([[0.0], [0.1], [0.2], [3.0], [3.1]])
    >>> tree = cluster_tree(ParzenLevelSets(0.3).fit(X).family_, X)
    >>> tree.cut(0.2)
    array([0, 0, 0, 1, 1])
    """
    if n_neighbors < 1 or bends < 0 or not tolerance > 0:
        raise ValueError(
            f"A cluster tree needs n_neighbors of 1 or more, bends of 0 or more and a positive "
            f"tolerance; got {n_neighbors!r}, {bends!r} and {tolerance!r}."
        )
    points = checked_points(family, X)
    return tree_of(point_forest(family, points, n_neighbors, bends, tolerance), family)


def checked_points(family: SetFamily, X: ArrayLike) -> FloatArray:
    """Return the points as an array, or raise if they do not fit the family."""
    points, d = np.ascontiguousarray(X, dtype=np.float64), family.centres.shape[1]
    if isinstance(family.kernel, PrecomputedKernel):
        raise TypeError(
            "A cluster tree needs the kernel between the points; a precomputed kernel has values "
            "at them only: fit with kernel='gaussian' instead."
        )
    if points.ndim != 2 or points.shape[1] != d or not len(points):
        raise ValueError(
            f"A cluster tree needs one or more points of shape (n, {d}), not {points.shape}."
        )
    if not np.all(np.isfinite(points)):
        raise ValueError("A cluster tree needs points with finite coordinates.")
    return points


def heights_of(family: SetFamily, X: FloatArray) -> FloatArray:
    """Return entry levels turned so that higher means a smaller set; −inf if never inside."""
    return np.asarray(-family.orientation * family.scan(X).first)


def point_forest(
    family: SetFamily, X: FloatArray, n_neighbors: int, bends: int, tolerance: float
) -> Forest:
    """Return the best routes between points as a forest; coincident points join the first."""
    distinct, index, inverse = np.unique(X, axis=0, return_index=True, return_inverse=True)
    inverse = inverse.ravel()
    heights = heights_of(family, distinct)
    field = _field(family, heights, tolerance)
    # Points outside every set would only block routes between the others.
    inside = np.flatnonzero(heights > -np.inf)
    edges = inside[neighbour_edges(distinct[inside], n_neighbors)]
    connections = _straight_edges(field, distinct, heights, edges)
    if bends:
        connections = with_bent_routes(field, distinct, heights, connections, bends)
    _, i, j, levels = connections.forest(heights)
    copies = np.flatnonzero(index[inverse] != np.arange(len(X)))
    return Forest(
        heights[inverse],
        np.append(index[i], copies),
        np.append(index[j], index[inverse[copies]]),
        np.append(levels, heights[inverse[copies]]),
    )


def _field(family: SetFamily, heights: FloatArray, tolerance: float) -> Field:
    finite = heights[np.isfinite(heights)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    span = high - low or abs(high) or 1.0
    fine = tolerance * span
    if family.hold_level is not None:
        fine = min(fine, AT_HOLD * abs(family.hold_level) or fine)
    kernel = family.kernel
    step = kernel.sigma / SAMPLES_PER_WIDTH if isinstance(kernel, GaussianKernel) else 0.0
    return Field(
        lambda X: heights_of(family, X),
        step,
        fine,
        min(ROUNDING * span, fine),
        low - span,
        high + span,
    )


def _straight_edges(
    field: Field, X: FloatArray, heights: FloatArray, edges: IntArray
) -> Connections:
    """Return the straight edges of the graph that can matter.

    The lower end of an edge bounds its height, so edges whose ends are connected at that height
    already are never evaluated: most of them.
    """
    i, j = edges.T
    ends = Segments(X[i], X[j], heights[i], heights[j])
    height, share = np.minimum(heights[i], heights[j]), np.zeros(len(i))
    known = np.zeros(len(i), dtype=np.bool_)
    todo = _nearest_higher(ends, i, j)
    while todo.size:
        lowest = lowest_on_segments(field, ends.take(todo))
        height[todo], share[todo], known[todo] = lowest.height, lowest.share, True
        todo = np.flatnonzero(sweep_edges(len(X), i, j, height, known)[1])
    return Connections(i[known], j[known], height[known], share[known])


def _nearest_higher(ends: Segments, i: IntArray, j: IntArray) -> IntArray:
    """Return for each point the shortest edge to a higher one."""
    lower = np.where(ends.start_height < ends.end_height, i, j)
    length = np.linalg.norm(ends.end - ends.start, axis=1)
    order = np.lexsort((length, lower))
    return order[np.unique(lower[order], return_index=True)[1]]
