"""The best routes between peaks: from one cluster's highest point to the next one's."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.analysis.tree.connectivity.bending import Route, raise_routes
from nestviz.analysis.tree.connectivity.forest import Forest, branches_of, merge_height, sweep_edges
from nestviz.analysis.tree.connectivity.routes import Field
from nestviz.arrays import BoolArray, FloatArray, IntArray

# Rounds of finding peaks and bending the routes between them. A bent route may show that a point
# is no peak, and so open a way past it.
PHASES = 6


class Connections(NamedTuple):
    """Edges between points: both ends, the lowest height on the way, and where that lies.

    The last edges may be bent: ``ways`` are theirs, in order.
    """

    i: IntArray
    j: IntArray
    height: FloatArray
    share: FloatArray
    ways: tuple[Route, ...] = ()

    def joins(self, n: int) -> BoolArray:
        """Return the highest edges that suffice to connect all connected points."""
        known = np.ones(len(self.i), dtype=np.bool_)
        return sweep_edges(n, self.i, self.j, self.height, known)[0]

    def forest(self, heights: FloatArray) -> Forest:
        """Return those edges as a forest."""
        joins = self.joins(len(heights))
        return Forest(heights, self.i[joins], self.j[joins], self.height[joins])

    def with_ways(self, routes: list[Route], a: IntArray, b: IntArray) -> Connections:
        """Return the connections with bent edges from points a to points b added."""
        return Connections(
            np.append(self.i, a),
            np.append(self.j, b),
            np.append(self.height, [route.best for route in routes]),
            np.append(self.share, np.zeros(len(routes))),
            (*self.ways, *routes),
        )


def with_bent_routes(
    field: Field, X: FloatArray, heights: FloatArray, edges: Connections, rounds: int
) -> Connections:
    """Add to the edges the routes between peaks that bending them gives.

    A route leads from a point's peak down to the point, over an edge to a point of another peak,
    and up again. First come the edges by which peaks are joined so far; then for each pair of peaks
    the best of the other edges, as long as it may beat the present join.
    """
    straight = len(edges.i)
    tried: set[tuple[int, int, int]] = set()
    for _ in range(PHASES if straight else 0):
        climb = _ways_up(heights, edges)
        peak = _peaks(climb, edges)
        a, b = peak[edges.i], peak[edges.j]
        # A route that ends on two peaks has been bent already.
        settled = (np.arange(len(a)) >= straight) & (a == edges.i) & (b == edges.j)
        crossing = [
            e for e in np.flatnonzero((a != b) & ~settled).tolist()
            if (*sorted((a[e], b[e])), e) not in tried
        ]  # fmt: skip
        joins = edges.joins(len(X))
        chosen = [e for e in crossing if joins[e]] or _best_others(X, edges, a, b, crossing, tried)
        if not chosen:
            break
        tried.update((*sorted((a[e], b[e])), e) for e in chosen)
        branches = branches_of(edges.forest(heights))
        routes = [
            Route(
                *_way(X, heights, edges, climb, e),
                target=-np.inf if joins[e] else merge_height(branches, heights, a[e], b[e]),
            )
            for e in chosen
        ]
        raise_routes(field, routes, rounds)
        edges = edges.with_ways(routes, a[chosen], b[chosen])
    return edges


def _best_others(
    X: FloatArray,
    edges: Connections,
    a: IntArray,
    b: IntArray,
    some: list[int],
    tried: set[tuple[int, int, int]],
) -> list[int]:
    """Return for each pair of peaks the highest of some edges, or the shortest; a pair once."""
    length = np.linalg.norm(X[edges.i] - X[edges.j], axis=1)
    best: dict[tuple[int, int, int], int] = {}
    for e in some:
        pair = (min(a[e], b[e]), max(a[e], b[e]), -1)
        if pair in tried:
            continue
        leads = best.setdefault(pair, e)
        if (edges.height[e], -length[e]) > (edges.height[leads], -length[leads]):
            best[pair] = e
    tried.update(best)
    return list(best.values())


def _ways_up(heights: FloatArray, edges: Connections) -> IntArray:
    """Return for each point an edge without a dip to a higher one; −1 for peaks."""
    low, _ = _ordered(heights, edges)
    clear = np.flatnonzero(edges.height == heights[low])[::-1]
    climb = np.full(len(heights), -1, dtype=np.int64)
    climb[low[clear]] = clear
    return climb


def _ordered(heights: FloatArray, edges: Connections) -> tuple[IntArray, IntArray]:
    """Return the lower and higher end of each edge.

    Of equally high points the one with the smaller number counts as higher, or two of them could
    lead to each other.
    """
    i, j = edges.i, edges.j
    falls = (heights[i] > heights[j]) | ((heights[i] == heights[j]) & (i < j))
    return np.where(falls, j, i), np.where(falls, i, j)


def _peaks(climb: IntArray, edges: Connections) -> IntArray:
    """Return the peak that the way up from each point leads to."""
    points = np.arange(len(climb))
    above = np.where(climb >= 0, edges.i[climb] + edges.j[climb] - points, points)
    while True:
        further = above[above]
        if np.array_equal(further, above):
            return above
        above = further


class _Way(NamedTuple):
    """Corners with their heights, and the lowest points between, as a `Route` takes them."""

    corners: list[FloatArray]
    heights: list[float]
    lows: list[float]
    shares: list[float]

    def turned(self) -> _Way:
        shares = [1.0 - share for share in reversed(self.shares)]
        return _Way(self.corners[::-1], self.heights[::-1], self.lows[::-1], shares)

    def go_on(self, other: _Way) -> None:
        self.corners.extend(other.corners[1:])
        self.heights.extend(other.heights[1:])
        self.lows.extend(other.lows)
        self.shares.extend(other.shares)


def _way(X: FloatArray, heights: FloatArray, edges: Connections, climb: IntArray, e: int) -> _Way:
    """Return the route from the peak of an edge's start over the edge to the peak of its end."""
    way = _climb(X, heights, edges, climb, int(edges.i[e])).turned()
    way.go_on(_along(X, heights, edges, e, int(edges.i[e])))
    way.go_on(_climb(X, heights, edges, climb, int(edges.j[e])))
    return way


def _climb(
    X: FloatArray, heights: FloatArray, edges: Connections, climb: IntArray, point: int
) -> _Way:
    way = _Way([X[point]], [float(heights[point])], [], [])
    while (e := int(climb[point])) >= 0:
        way.go_on(_along(X, heights, edges, e, point))
        point = int(edges.i[e] + edges.j[e]) - point
    return way


def _along(X: FloatArray, heights: FloatArray, edges: Connections, e: int, start: int) -> _Way:
    """Return one edge, from one of its ends to the other."""
    i, j = int(edges.i[e]), int(edges.j[e])
    bent = e - len(edges.i) + len(edges.ways)
    if bent >= 0:
        route = edges.ways[bent]
        way = _Way(route.corners, route.heights, route.lows, route.shares)
    else:
        ends = [float(heights[i]), float(heights[j])]
        way = _Way([X[i], X[j]], ends, [float(edges.height[e])], [float(edges.share[e])])
    return way if start == i else way.turned()
