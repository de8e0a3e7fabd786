"""Union-find over a sweep of heights: which edges join components, and the components.

A height is a level turned so that higher means a smaller set. Vertices enter at their own height
and edges at theirs, from the highest down; an edge is never higher than its ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.compiled import njit


class Forest(NamedTuple):
    """Edges that determine the components of the points at every height.

    ``heights`` are the entry heights of the points, −inf if never; ``i`` and ``j`` the ends of the
    edges, fewer than points; ``levels`` the greatest heights at which the ends are connected.
    """

    heights: FloatArray
    i: IntArray
    j: IntArray
    levels: FloatArray


class Branches(NamedTuple):
    """Components as they appear in the sweep.

    ``top`` is the height at which a component appears, as a peak or where several join; ``bottom``
    the height at which it joins others, −inf if never; ``parent`` the component it joins, −1 if
    none. ``node_of`` is the component of each point right below its own height, −1 if it never
    enters.
    """

    top: FloatArray
    bottom: FloatArray
    parent: IntArray
    node_of: IntArray


@njit(cache=True, nogil=True)
def find(root: IntArray, a: int) -> int:
    """Return the representative of a's component, with path halving."""
    while root[a] != a:
        root[a] = root[root[a]]
        a = root[a]
    return a


def sweep_edges(
    n: int, i: IntArray, j: IntArray, heights: FloatArray, known: BoolArray
) -> tuple[BoolArray, BoolArray]:
    """Apply Kruskal's rule from the highest edge down, where some heights are upper bounds.

    Returns the known edges that join two components, and the unknown ones that still might: those
    whose ends are not connected at their bound by what is known.
    """
    order = np.lexsort((~known, -heights))
    order = order[heights[order] > -np.inf]
    return _kruskal(n, i, j, order, known)


@njit(cache=True, nogil=True)
def _kruskal(
    n: int, i: IntArray, j: IntArray, order: IntArray, known: BoolArray
) -> tuple[BoolArray, BoolArray]:
    root = np.arange(n)
    joins = np.zeros(len(i), np.bool_)
    undecided = np.zeros(len(i), np.bool_)
    for e in order:
        a, b = find(root, i[e]), find(root, j[e])
        if a != b:
            if known[e]:
                root[max(a, b)] = min(a, b)
                joins[e] = True
            else:
                undecided[e] = True
    return joins, undecided


def branches_of(forest: Forest) -> Branches:
    """Return the components of a forest at every height; equal heights are one event."""
    arrival = np.argsort(-forest.heights, kind="stable")
    arrival = arrival[forest.heights[arrival] > -np.inf]
    order = np.argsort(-forest.levels, kind="stable")
    order = order[forest.levels[order] > -np.inf]
    top, bottom, parent, merged, node_of = _grow(forest, arrival, order)
    # Components that turned out to be one, because they met at the height they appeared at.
    target = np.arange(len(top))
    while np.any(merged[target] >= 0):
        target = np.where(merged[target] >= 0, merged[target], target)
    keep = np.flatnonzero(merged < 0)
    number = np.full(len(top) + 1, -1, dtype=np.int64)
    number[keep] = np.arange(keep.size)
    number[:-1] = number[target]
    resolved = np.where(parent[keep] >= 0, number[parent[keep]], -1)
    return Branches(top[keep], bottom[keep], resolved, number[node_of])


class _Growth(NamedTuple):
    """Components while they grow; ``branch`` is kept at a component's representative."""

    root: IntArray
    branch: IntArray
    top: FloatArray
    bottom: FloatArray
    parent: IntArray
    merged: IntArray


@njit(cache=True, nogil=True)
def _grow(
    forest: Forest, arrival: IntArray, order: IntArray
) -> tuple[FloatArray, FloatArray, IntArray, IntArray, IntArray]:
    """Grow components from the highest point down.

    Points and edges of equal height are one event: points that enter together and are connected at
    once are one peak, and any number of components may join.
    """
    n = len(forest.heights)
    node_of = np.full(n, -1, np.int64)
    growth = _Growth(
        np.arange(n),
        np.full(n, -1, np.int64),
        np.empty(2 * n),
        np.full(2 * n, -np.inf),
        np.full(2 * n, -1, np.int64),
        np.full(2 * n, -1, np.int64),
    )
    count, p, e = 0, 0, 0
    while p < len(arrival) or e < len(order):
        now = -np.inf
        if p < len(arrival):
            now = forest.heights[arrival[p]]
        if e < len(order):
            now = max(now, forest.levels[order[e]])
        first = p
        while p < len(arrival) and forest.heights[arrival[p]] == now:
            p += 1
        while e < len(order) and forest.levels[order[e]] == now:
            count = _join(growth, forest.i[order[e]], forest.j[order[e]], now, count)
            e += 1
        for v in arrival[first:p]:
            r = find(growth.root, v)
            if growth.branch[r] < 0:
                growth.branch[r] = count
                growth.top[count] = now
                count += 1
            node_of[v] = growth.branch[r]
    return (
        growth.top[:count],
        growth.bottom[:count],
        growth.parent[:count],
        growth.merged[:count],
        node_of,
    )


@njit(cache=True, nogil=True)
def _join(growth: _Growth, u: int, v: int, now: float, count: int) -> int:
    """Unite the components of two points; return the number of branches."""
    r, s = find(growth.root, u), find(growth.root, v)
    if r == s:
        return count
    a, b = growth.branch[r], growth.branch[s]
    keep = min(r, s)
    growth.root[max(r, s)] = keep
    if a < 0 or b < 0:
        growth.branch[keep] = max(a, b)
        return count
    if growth.top[a] != now:
        a, b = b, a
    if growth.top[a] != now:
        growth.top[count] = now
        growth.parent[a], growth.bottom[a] = count, now
        a = count
        count += 1
    # ``a`` is the branch of this very event; it takes the other one in.
    growth.branch[keep] = a
    if growth.top[b] == now:
        growth.merged[b] = a
    else:
        growth.parent[b], growth.bottom[b] = a, now
    return count


def merge_height(branches: Branches, heights: FloatArray, a: int, b: int) -> float:
    """Return the height at which two points join in the sweep; −inf if they never do."""
    k, m = int(branches.node_of[a]), int(branches.node_of[b])
    met = float(min(heights[a], heights[b]))
    while k != m and min(k, m) >= 0:
        # The sweep numbers children before their parents: climb from the smaller number.
        k, m = int(branches.parent[min(k, m)]), max(k, m)
        met = min(met, float(branches.top[k])) if k >= 0 else met
    return met if k == m >= 0 else -np.inf
