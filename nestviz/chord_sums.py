"""Evaluate the fields of many locations where the nodes of a tree of chords divide.

See `nestviz.chords` for the tree and `nestviz.path_scan` for the scan that descends in it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.chords import CHILDREN, ChordTree
from nestviz.compiled import njit
from nestviz.distances import add_product
from nestviz.scanning import LevelScan

# Points whose fields are computed at once: many, or few.
WIDE, NARROW = 32, 8


class Walk(NamedTuple):
    """The open nodes, from a leaf up, in the order of the path.

    Of each: its index, the next child, the number of children; the points that descended to it, and
    how many; of these the fields and sizes at the ends of children, and bounds of the deviation
    from the chord of each child. ``stays`` is work space.
    """

    node: IntArray
    child: IntArray
    children: IntArray
    points: IntArray
    total: IntArray
    g: FloatArray
    size: FloatArray
    most: FloatArray
    stays: BoolArray


class Block(NamedTuple):
    """Space for a few points: kernel values, and what `Walk` holds of one node."""

    q: FloatArray
    g: FloatArray
    size: FloatArray
    most: FloatArray


@njit(cache=True, nogil=True)
def blank_walk(levels: LevelScan, heights: int, n: int) -> Walk:
    """Return space for n points on the way down a tree."""
    return Walk(
        np.zeros(heights, np.int64),
        np.zeros(heights, np.int64),
        np.zeros(heights, np.int64),
        np.zeros((heights, n), np.int64),
        np.zeros(heights, np.int64),
        np.zeros((heights, CHILDREN + 1, n)),
        np.full((heights, CHILDREN + 1, n), 2.0 * np.abs(levels.r).max()),
        np.zeros((heights, CHILDREN, n)),
        np.zeros(n, np.bool_),
    )


@njit(cache=True, nogil=True)
def blank_block(centres: int, n: int) -> Block:
    """Return space for n points at one node."""
    return Block(
        np.zeros((centres + 1, n)),
        np.zeros((CHILDREN, n)),
        np.zeros((CHILDREN, n)),
        np.zeros((CHILDREN, n)),
    )


@njit(cache=True, nogil=True)
def open_node(
    tree: ChordTree,
    walk: Walk,
    h: int,
    G: FloatArray,
    scale: FloatArray,
    signed: bool,
    wide: Block,
    narrow: Block,
) -> None:
    """Compute deviations where the children of a node meet, and bounds within them."""
    span, node = tree.spans[h], walk.node[h]
    part = tree.spans[h - 1] if h > 0 else 1
    left = len(tree.breakpoints) - 1 - node * span
    walk.child[h], walk.children[h] = 0, (min(span, left) + part - 1) // part
    below = tree.first[h - 1] + node * (span // part) if h > 0 else 0
    number = walk.total[h]
    for begin in range(0, number, WIDE):
        n = min(WIDE, number - begin)
        block = wide if n > NARROW else narrow
        _deviate(
            tree,
            h,
            tree.first[h] + node,
            G,
            scale,
            walk.points[h, begin : begin + n],
            signed,
            block,
        )
        for k in range(walk.children[h]):
            if k + 1 < walk.children[h]:
                walk.g[h, k + 1, begin : begin + n] = block.g[k, :n]
                if signed:
                    walk.size[h, k + 1, begin : begin + n] = block.size[k, :n]
            if h > 0:
                for j in range(n):
                    walk.most[h, k, begin + j] = min(block.most[k, j], tree.norm[below + k])


@njit(cache=True, nogil=True)
def _deviate(
    tree: ChordTree,
    h: int,
    node: int,
    G: FloatArray,
    scale: FloatArray,
    points: IntArray,
    signed: bool,
    block: Block,
) -> None:
    """Multiply the tables of a node with the kernel values of a few points."""
    first, m, q = tree.indptr[node], tree.indptr[node + 1] - tree.indptr[node], block.q
    adjacent = points[-1] - points[0] == len(points) - 1
    for e in range(m - 1):
        i = tree.point[first + e]
        row, target, factor = G[i], q[e], scale[i]
        if adjacent:
            row = row[points[0] : points[-1] + 1]
            for j in range(len(row)):
                target[j] = factor * row[j]
        else:
            for j in range(len(points)):
                target[j] = factor * row[points[j]]
    q[m - 1] = -1.0
    inner = tree.inner[CHILDREN * first : CHILDREN * (first + m)].reshape((CHILDREN, m))
    block.g[:] = 0.0
    add_product(inner, q, block.g, 0, 0, 0, m)
    q[m - 1] = 1.0
    if signed:
        for e in range(m - 1):
            for j in range(q.shape[1]):
                q[e, j] = abs(q[e, j])
        block.size[:] = 0.0
        add_product(inner, q, block.size, 0, 0, 0, m)
    if h > 0:
        at = first - tree.indptr[tree.first[1]]
        most = tree.most[CHILDREN * at : CHILDREN * (at + m)].reshape((CHILDREN, m))
        block.most[:] = 0.0
        add_product(most, q, block.most, 0, 0, 0, m)


@njit(cache=True, nogil=True)
def set_ends(
    levels: LevelScan, walk: Walk, sums: FloatArray, sizes: FloatArray, ascending: bool
) -> None:
    """Set the fields at both ends of the root, which are the first and last breakpoint."""
    h, last = len(walk.node) - 1, len(levels.t) - 1
    first, final = (0, CHILDREN) if ascending else (CHILDREN, 0)
    for j in range(walk.total[h]):
        p = walk.points[h, j]
        walk.g[h, first, j] = sums[0, p] - levels.r[0]
        walk.g[h, final, j] = sums[2, p] - levels.r[last]
        if sizes.size > 0:
            walk.size[h, first, j] = sizes[0, p] + abs(levels.r[0])
            walk.size[h, final, j] = sizes[2, p] + abs(levels.r[last])


@njit(cache=True, nogil=True)
def add_chord(tree: ChordTree, walk: Walk, h: int, signed: bool) -> None:
    """Add the chord between both ends of a node to the deviations from it."""
    t, count, span, n = tree.breakpoints, walk.children[h], tree.spans[h], walk.total[h]
    part = tree.spans[h - 1] if h > 0 else 1
    begin, end = walk.node[h] * span, min((walk.node[h] + 1) * span, len(t) - 1)
    if count < CHILDREN:
        walk.g[h, count, :n] = walk.g[h, CHILDREN, :n]
        if signed:
            walk.size[h, count, :n] = walk.size[h, CHILDREN, :n]
    for k in range(1, count):
        share = (t[begin + k * part] - t[begin]) / (t[end] - t[begin])
        first, last, between = walk.g[h, 0, :n], walk.g[h, count, :n], walk.g[h, k, :n]
        for j in range(n):
            between[j] += first[j] + share * (last[j] - first[j])
        if signed:
            first, last, between = walk.size[h, 0], walk.size[h, count], walk.size[h, k]
            for j in range(n):
                between[j] = max(between[j] + first[j] + share * (last[j] - first[j]), 0.0)
