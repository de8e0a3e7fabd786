"""Summarise a solution path by chords, so that a scan of its levels can skip most of them.

A chord is the straight line between two breakpoints of a path, coefficient by coefficient. Points
that are off the margin in between follow it exactly. Only coefficients of the margin deviate, and
by little. A tree of chords stores these deviations: a node spans some steps and divides them among
up to `CHILDREN` children; the children of a leaf are single steps.

At a location x the field deviates from the chord of its values at both ends by no more than
Σ_i |deviation_i k(x_i, x)|, and by no more than √k(x, x) times the norm of the deviation as a
function. The first bound is small far from the data, the second where coefficients of near points
move in opposite directions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray, IntArray
from nestviz.compiled import njit
from nestviz.solvers.path.records import PathSolution, event_columns
from nestviz.solvers.path.state import E, L

EPS = float(np.finfo(np.float64).eps)
CHILDREN = 8
"""Children of a node, at most: the deviations at a point fill a row of eight numbers."""


class ChordTree(NamedTuple):
    """Deviations of a path from its chords, in the order of the path; the last height is the root.

    The offset of the family is one more point, whose coefficients are the offsets.

    Attributes
    ----------
    breakpoints : ndarray of shape (n_breakpoints,)
        Breakpoints of the path.
    spans : ndarray of shape (n_heights,)
        Steps spanned by a node of each height, leaves first; children of leaves span 1.
    first : ndarray of shape (n_heights,)
        Index of the first node of each height.
    indptr : ndarray of shape (n_nodes + 1,)
        Entries of node j are those from ``indptr[j]`` to ``indptr[j + 1]``.
    point : ndarray of shape (n_entries,)
        The point of each entry.
    inner : ndarray of shape (8 n_entries,)
        Eight rows for each node, with its entries as columns: the deviation of a coefficient from
        the node's chord where one child ends and the next begins.
    most : ndarray of shape (8 (n_entries - n_entries_of_leaves),)
        In the same way, upper bounds of the deviation from the chord of each child.
    norm : ndarray of shape (n_nodes,)
        Upper bounds of the norm of the deviation from the node's chord; inf if not computed.
    """

    breakpoints: FloatArray
    spans: IntArray
    first: IntArray
    indptr: IntArray
    point: NDArray[np.uint32]
    inner: FloatArray
    most: FloatArray
    norm: FloatArray


class _Height(NamedTuple):
    """The nodes of one height, and the largest deviation of each entry from its node's chord."""

    indptr: IntArray
    point: NDArray[np.int32]
    inner: FloatArray
    most: FloatArray
    largest: FloatArray
    norm: FloatArray


def chord_tree(
    path: PathSolution, offsets: FloatArray, scale: FloatArray, K: FloatArray | None
) -> ChordTree:
    """Return the tree of a path.

    ``offsets`` are in the order of the path. Coefficients are ``scale · α``. With the kernel matrix
    K of the centres, where k(x, x) = 1, the norms of deviations are computed, too.
    """
    steps, events = path.breakpoints.size - 1, event_columns(path.events)
    count = max(1, int(np.ceil(np.log(max(steps, 2)) / np.log(CHILDREN) - 1e-9)))
    # As equal a division as fits: 1,600 steps are split 7 × 7 × 7 × 7 times, not 8 × 8 × 8 × 4.
    children = min(CHILDREN, int(np.ceil(steps ** (1.0 / count) - 1e-9)))
    spans = np.array([max(children, 1) ** (h + 1) for h in range(count)], np.int64)
    heights: list[_Height] = []
    for span in spans:
        below = heights[-1] if heights else None
        height = _height(path, events, offsets, int(span), int(span) // children, below)
        if K is not None:
            _bound_norms(height, below.norm if below else np.zeros(0), children, scale, K)
        heights.append(height)
    nodes = np.array([height.indptr.size - 1 for height in heights])
    entries = np.concatenate([np.diff(height.indptr) for height in heights])
    return ChordTree(
        path.breakpoints,
        spans,
        np.concatenate([[0], np.cumsum(nodes)[:-1]]).astype(np.int64),
        np.concatenate([[0], np.cumsum(entries)]).astype(np.int64),
        np.concatenate([height.point for height in heights]).astype(np.uint32),
        np.concatenate([_rows(height.indptr, height.inner) for height in heights]),
        np.concatenate([_rows(height.indptr, height.most) for height in heights]),
        np.concatenate([height.norm for height in heights]),
    )


def _height(
    path: PathSolution,
    events: NDArray[np.int32],
    offsets: FloatArray,
    span: int,
    part: int,
    below: _Height | None,
) -> _Height:
    """Return the nodes that span ``span`` steps, with children of ``part`` steps."""
    indptr, point = _points_of_nodes(path, span)
    inner, largest = np.zeros((len(point), CHILDREN)), np.zeros(len(point))
    _deviate(path, events, offsets, span, part, indptr, point, inner)
    most = np.zeros((len(point) if below else 0, CHILDREN))
    if below:
        _collect(below, indptr, point, span // part, path.start.size + 1, most)
        largest += most.max(axis=1, initial=0.0)
    largest += np.abs(inner).max(axis=1, initial=0.0)
    return _Height(indptr, point, inner, most, largest, np.full(indptr.size - 1, np.inf))


@njit(cache=True, nogil=True)
def _rows(indptr: IntArray, table: FloatArray) -> FloatArray:
    """Return the tables of all nodes, each by its columns."""
    flat = np.empty(table.size)
    if len(table) > 0:
        for node in range(len(indptr) - 1):
            begin, end = indptr[node], indptr[node + 1]
            for k in range(CHILDREN):
                at = CHILDREN * begin + k * (end - begin) - begin
                for e in range(begin, end):
                    flat[at + e] = table[e, k]
    return flat


@njit(cache=True, nogil=True)
def _points_of_nodes(path: PathSolution, span: int) -> tuple[IntArray, NDArray[np.int32]]:
    """Return for each node the points that are on the margin somewhere, and the offset."""
    steps, N = len(path.breakpoints) - 1, len(path.start)
    nodes = (steps + span - 1) // span
    indptr = np.zeros(nodes + 1, np.int64)
    found = np.empty(len(path.indices) + nodes, np.int32)
    seen, count = np.full(N, -1), 0
    for node in range(nodes):
        end = path.indptr[min((node + 1) * span, steps)]
        for e in range(path.indptr[node * span], end):
            i = path.indices[e]
            if seen[i] != node:
                seen[i], found[count] = node, i
                count += 1
        found[count] = N
        count += 1
        indptr[node + 1] = count
    return indptr, found[:count].copy()


@njit(cache=True, nogil=True)
def _deviate(
    path: PathSolution,
    events: NDArray[np.int32],
    offsets: FloatArray,
    span: int,
    part: int,
    indptr: IntArray,
    point: NDArray[np.int32],
    inner: FloatArray,
) -> None:
    """Fill in deviations from the chords of the nodes, reading the path once."""
    steps = len(path.breakpoints) - 1
    alpha, code, k = path.start.copy(), path.start_sets.copy(), 0
    for node in range(len(indptr) - 1):
        entries = slice(indptr[node], indptr[node + 1])
        points, rows = point[entries], inner[entries]
        begin, end = node * span, min((node + 1) * span, steps)
        start, finish = np.empty(len(points)), np.empty(len(points))
        _read(path, offsets, begin, alpha, code, points, start)
        for step in range(begin, end):
            while k < len(events) and events[k, 0] == step:
                code[events[k, 1]] = events[k, 3]
                k += 1
            for e in range(path.indptr[step], path.indptr[step + 1]):
                alpha[path.indices[e]] = path.values[e]
            if (step + 1 - begin) % part == 0 and step + 1 < end:
                _read(path, offsets, step + 1, alpha, code, points, finish)
                rows[:, (step + 1 - begin) // part - 1] = finish
        _read(path, offsets, end, alpha, code, points, finish)
        first = path.breakpoints[begin]
        length = path.breakpoints[end] - first
        for j in range((end - begin - 1) // part):
            share = (path.breakpoints[begin + (j + 1) * part] - first) / length
            rows[:, j] -= start + share * (finish - start)


@njit(cache=True, nogil=True)
def _read(
    path: PathSolution,
    offsets: FloatArray,
    at: int,
    alpha: FloatArray,
    code: NDArray[np.int8],
    points: NDArray[np.int32],
    values: FloatArray,
) -> None:
    """Read the coefficients of some points at breakpoint ``at``, and the offset."""
    level, N = path.breakpoints[at], len(alpha)
    for k in range(len(points)):
        i = points[k]
        if i == N:
            values[k] = offsets[at]
        elif code[i] == E:
            values[k] = alpha[i]
        elif code[i] == L:
            values[k] = max(path.upper_base[i] + path.upper_slope[i] * level, 0.0)
        else:
            values[k] = 0.0


@njit(cache=True, nogil=True)
def _collect(
    below: _Height,
    indptr: IntArray,
    point: NDArray[np.int32],
    children: int,
    points: int,
    most: FloatArray,
) -> None:
    """Copy the largest deviations within children to the entries of their parents."""
    place = np.zeros(points, np.int64)
    for node in range(len(indptr) - 1):
        for e in range(indptr[node], indptr[node + 1]):
            place[point[e]] = e
        last = min((node + 1) * children, len(below.indptr) - 1)
        for child in range(node * children, last):
            for e in range(below.indptr[child], below.indptr[child + 1]):
                most[place[below.point[e]], child - node * children] = below.largest[e]


@njit(cache=True, nogil=True)
def _bound_norms(
    height: _Height, below: FloatArray, children: int, scale: FloatArray, K: FloatArray
) -> None:
    """Bound the norms: the largest where children meet, and the largest within a child."""
    for node in range(len(height.norm)):
        begin, end = height.indptr[node], height.indptr[node + 1] - 1
        largest, inner = 0.0, 0.0
        total = _square_norms(height.point[begin:end], height.inner[begin:end], scale, K)
        for k in range(CHILDREN):
            largest = max(largest, np.sqrt(total[k]) + abs(height.inner[end, k]))
        for child in range(node * children, min((node + 1) * children, len(below))):
            inner = max(inner, below[child])
        height.norm[node] = largest + inner


@njit(cache=True, nogil=True)
def _square_norms(
    points: NDArray[np.int32], rows: FloatArray, scale: FloatArray, K: FloatArray
) -> FloatArray:
    """Return upper bounds of Σ_ij d_i d_j K_ij for each column d of ``rows``, scaled."""
    total, absolute = np.zeros(CHILDREN), np.zeros(CHILDREN)
    d, field = np.empty((len(points), CHILDREN)), np.empty(CHILDREN)
    for a in range(len(points)):
        values, mine = K[points[a]], d[a]
        field[:] = 0.0
        for b in range(a):
            x, row = values[points[b]], d[b]
            for k in range(CHILDREN):
                field[k] += x * row[k]
        for k in range(CHILDREN):
            mine[k] = scale[points[a]] * rows[a, k]
            total[k] += mine[k] * (2.0 * field[k] + values[points[a]] * mine[k])
            absolute[k] += abs(mine[k])
    # Terms cancel: add more than their rounding.
    for k in range(CHILDREN):
        total[k] = max(total[k], 0.0) + 4.0 * EPS * (len(points) + 4) * absolute[k] ** 2
    return total
