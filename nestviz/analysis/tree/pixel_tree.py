"""The cluster tree of an image: components of pixels instead of routes between points."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.analysis.tree.building import tree_of
from nestviz.analysis.tree.cluster_tree import checked_points, heights_of
from nestviz.analysis.tree.connectivity.forest import Forest, find
from nestviz.analysis.tree.tree import Tree
from nestviz.arrays import FloatArray, IntArray
from nestviz.compiled import njit
from nestviz.families import SetFamily
from nestviz.grids import Grid

NO_POINT = -2
"""Label of a component of pixels that holds none of the points."""


def pixel_tree(family: SetFamily, grid: Grid, X: ArrayLike, *, neighbourhood: int = 8) -> Tree:
    """Build the cluster tree of the points from components of pixels.

    An independent check of `cluster_tree` in the plane: pixels are added from the smallest set to
    the largest, each connected to its neighbours that are already inside, and each point to the
    first of the four pixels around it.

    *Exact*: the level at which each point and each pixel enters. *Estimated*: everything between
    pixels. Clusters closer than a pixel are joined, and a bridge narrower than one may be missed,
    so split levels are accurate up to the change of the level from one pixel to the next.

    Parameters
    ----------
    family : SetFamily
        The sets; of a family that is not nested, its successive union.
    grid : Grid
        The pixels. Points outside its box are connected to its border.
    X : array-like of shape (n_points, n_features)
        The points; points off the grid's plane are projected to it.
    neighbourhood : {4, 8}
        Whether pixels that share only a corner are neighbours.

    Returns
    -------
    Tree
    """
    points = checked_points(family, X)
    own = heights_of(family, points)
    heights = -family.orientation * family.scan(grid).first
    rows, columns = grid.shape
    order = np.argsort(-heights, kind="stable")
    order = order[heights[order] > -np.inf]
    around = pixels_around(grid, points)
    highest = np.take_along_axis(around, heights[around].argmax(axis=1)[:, None], axis=1)
    i, j, levels = _join_pixels(
        heights.reshape(rows, columns),
        order,
        highest[:, 0],
        own,
        _checked_neighbourhood(neighbourhood) == 8,
    )
    return tree_of(Forest(own, i, j, levels), family)


def label_pixels(
    family: SetFamily,
    grid: Grid,
    X: ArrayLike,
    labels: ArrayLike,
    level: float,
    *,
    neighbourhood: int = 8,
) -> IntArray:
    """Extend flat clusters of points to the pixels of the set at a level.

    Parameters
    ----------
    family : SetFamily
        The sets.
    grid : Grid
        The pixels.
    X : array-like of shape (n_points, n_features)
        The points.
    labels : array-like of int of shape (n_points,)
        Flat clusters; −1 is no cluster.
    level : float
        The level.
    neighbourhood : {4, 8}
        Whether pixels that share only a corner are neighbours.

    Returns
    -------
    ndarray of int of shape (n_rows, n_columns)
        The label of most points in a pixel's component; −1 outside the set, −2 where the component
        has no labelled point.
    """
    points = checked_points(family, X)
    inside = family.union().contains(grid, level).reshape(grid.shape)
    return label_parts(inside, grid, points, labels, neighbourhood=neighbourhood)


def label_parts(
    inside: NDArray[np.bool_],
    grid: Grid,
    X: ArrayLike,
    labels: ArrayLike,
    *,
    neighbourhood: int = 8,
) -> IntArray:
    """Label pixels that are known to be inside, as `label_pixels` does."""
    from scipy.ndimage import label as label_components

    points = np.ascontiguousarray(X, dtype=np.float64)
    given = np.asarray(labels, dtype=np.int64)
    if given.shape != (len(points),):
        raise ValueError(f"{len(points)} points need as many labels, not {given.shape}.")
    corners = _checked_neighbourhood(neighbourhood) == 8
    structure = np.ones((3, 3)) if corners else None
    parts, count = label_components(inside, structure)
    part_of = parts.ravel()[nearest_pixels(grid, points)]
    counted = (given >= 0) & (part_of > 0)
    votes = np.zeros((count + 1, int(given.max(initial=0)) + 1), dtype=np.int64)
    np.add.at(votes, (part_of[counted], given[counted]), 1)
    winner = np.where(votes.any(axis=1), votes.argmax(axis=1), NO_POINT)
    winner[0] = -1
    return winner[parts]


def nearest_pixels(grid: Grid, X: FloatArray) -> IntArray:
    """Return the row-major number of the pixel nearest to each point's projection."""
    uv = grid.plane.coordinates(X)
    column, row = (
        np.searchsorted((axis[1:] + axis[:-1]) / 2.0, uv[:, k])
        for k, axis in enumerate((grid.u, grid.v))
    )
    return (row * grid.u.size + column).astype(np.int64)


def pixels_around(grid: Grid, X: FloatArray) -> IntArray:
    """Return the row-major numbers of the four pixels around each point's projection, (n, 4)."""
    uv = grid.plane.coordinates(X)
    column, row = (
        np.clip(np.searchsorted(axis, uv[:, [k]]) - np.array([1, 0]), 0, axis.size - 1)
        for k, axis in enumerate((grid.u, grid.v))
    )
    around = row[:, :, None] * grid.u.size + column[:, None, :]
    return around.reshape(len(uv), 4).astype(np.int64)


def _checked_neighbourhood(neighbourhood: int) -> int:
    if neighbourhood not in (4, 8):
        raise ValueError(f"A pixel has 4 or 8 neighbours, not {neighbourhood!r}.")
    return neighbourhood


@njit(cache=True, nogil=True)
def _join_pixels(
    heights: FloatArray, order: IntArray, pixel_of: IntArray, own: FloatArray, corners: bool
) -> tuple[IntArray, IntArray, FloatArray]:
    """Add pixels from the highest down; record an edge between points where components meet.

    ``order`` are the pixels that enter at all, ``pixel_of`` and ``own`` the points' pixels and
    heights. A component's representative keeps one of its points. A point joins its pixel where
    both are inside.
    """
    rows, columns = heights.shape
    pixels, n = heights.size, len(own)
    root = np.arange(pixels + n)
    point = np.full(pixels + n, -1, np.int64)
    point[pixels:] = np.arange(n)
    i, j, levels = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n)
    here = np.empty(n)
    for p in range(n):
        here[p] = min(own[p], heights.flat[pixel_of[p]])
    arrival = np.argsort(-here, kind="mergesort")
    present = np.zeros(pixels, np.bool_)
    count, p = 0, 0
    for q in order:
        now = heights.flat[q]
        while p < n and here[arrival[p]] > now:
            a, level = arrival[p], here[arrival[p]]
            count = _tie(root, point, pixels + a, pixel_of[a], level, i, j, levels, count)
            p += 1
        present[q] = True
        row, column = q // columns, q % columns
        for dr in range(-1, 2):
            for dc in range(-1, 2):
                r, c = row + dr, column + dc
                skip = (dr == 0 and dc == 0) or (dr != 0 and dc != 0 and not corners)
                if skip or r < 0 or c < 0 or r >= rows or c >= columns:
                    continue
                if present[r * columns + c]:
                    count = _tie(root, point, q, r * columns + c, now, i, j, levels, count)
    while p < n and here[arrival[p]] > -np.inf:
        a, level = arrival[p], here[arrival[p]]
        count = _tie(root, point, pixels + a, pixel_of[a], level, i, j, levels, count)
        p += 1
    return i[:count], j[:count], levels[:count]


@njit(cache=True, nogil=True)
def _tie(
    root: IntArray,
    point: IntArray,
    a: int,
    b: int,
    level: float,
    i: IntArray,
    j: IntArray,
    levels: FloatArray,
    count: int,
) -> int:
    """Unite two components, with an edge where both have a point; return the number of edges."""
    a, b = find(root, a), find(root, b)
    if a == b:
        return count
    if point[a] >= 0 and point[b] >= 0:
        i[count], j[count], levels[count] = point[a], point[b], level
        count += 1
    root[b] = a
    point[a] = max(point[a], point[b])
    return count
