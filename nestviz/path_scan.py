"""Scan all levels of a solution path, exactly, without its field at most breakpoints.

The field of a location is far from zero at most levels. With the tree of `nestviz.chords` the scan
of a location descends only to those steps at which its field could be zero or change its sign.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from nestviz.arrays import SLICE, BoolArray, FloatArray, slices
from nestviz.boundary import CANCELLED, VOID, settled
from nestviz.chord_sums import (
    NARROW,
    WIDE,
    Walk,
    add_chord,
    blank_block,
    blank_walk,
    open_node,
    set_ends,
)
from nestviz.chords import CHILDREN, ChordTree, chord_tree
from nestviz.coefficients import PathRows
from nestviz.compiled import njit
from nestviz.decision_sets import blocks
from nestviz.distances import product
from nestviz.grids import Grid
from nestviz.kernels import GaussianKernel
from nestviz.level_fields import LevelField
from nestviz.scan_results import Intervals, Scan
from nestviz.scanning import (
    SLOTS,
    LevelScan,
    Record,
    begin_scan,
    blank_record,
    change,
    end_scan,
    scores,
    stretch,
    written_intervals,
)

# Rounding of a field and of its bounds, relative to the sum of absolute terms.
ROUNDING = 2.0**-44
# Points that descend together, and numbers in memory at the same time: 32 MB.
TOGETHER, CHUNK = 2048, 1 << 22
# Operations that a kernel value, or an entry of a path, counts for when norms are computed.
NORMS = 64


def kernel_values(family: LevelField, X: Any) -> Iterator[FloatArray]:
    """Yield kernel values of all centres and some of the points X at a time."""
    chunk = max(1, min(TOGETHER, CHUNK // len(family.centres)))
    for block in blocks(X, chunk, family.centres.shape[1]):
        yield family._gram(block)


class PathScan:
    """The scan of the fields of a path; ``signed`` if terms of different signs can cancel.

    ``K`` is the kernel matrix of the centres, where k(x, x) = 1. Without it the scan descends to
    more steps, with the same result: it pays off for many points.
    """

    @classmethod
    def of(cls, family: LevelField, rows: PathRows, levels: LevelScan, X: Any) -> PathScan:
        """Return the scan of a family at points X."""
        N, entries, K = len(family.centres), rows.path.values.size, None
        n = X.size if isinstance(X, Grid) else len(X) if isinstance(X, np.ndarray) else N
        if isinstance(family.kernel, GaussianKernel) and n * entries > NORMS * (N * N + entries):
            K = family.kernel.gram(family.centres, family.centres)
        return cls(levels, rows, K, signed=family._signed)

    def __init__(
        self, levels: LevelScan, rows: PathRows, K: FloatArray | None, *, signed: bool
    ) -> None:
        self.levels, self.rows, self.signed = levels, rows, signed
        path = rows.path
        offsets = levels.r if path.breakpoints[-1] > path.breakpoints[0] else levels.r[::-1].copy()
        self.tree = chord_tree(path, offsets, rows.scale, K)
        last = rows.shape[0] - 1
        self._outer = rows.take(np.array([0, min(1, last), last]))

    def scan(self, G: FloatArray) -> Scan:
        """Scan points with kernel values G (centres × points)."""
        return scores(self.levels, self._follow(G, blank_record(G.shape[1])))

    def intervals(self, G: FloatArray) -> tuple[Scan, Intervals]:
        """Scan points and return their intervals too."""
        record = self._follow(G, blank_record(G.shape[1], np.full(G.shape[1], SLOTS)))
        found = written_intervals(record, lambda some, blank: self._follow(G[:, some], blank))
        return scores(self.levels, record), found

    def _follow(self, G: FloatArray, record: Record) -> Record:
        G, levels, value = np.ascontiguousarray(G), self.levels, np.empty(G.shape[1])
        sums, sizes = product(self._outer, G), np.empty((0, 0))
        if self.signed:
            sizes = product(np.abs(self._outer), np.abs(G))
        begin_scan(levels, sums, sizes, record, value)
        for part in slices(value.size, max(SLICE // TOGETHER, self.rows.path.values.size // 8)):
            _follow(
                levels, self.tree, G, self.rows.scale, sums, sizes, record, value,
                part.start, part.stop,
            )  # fmt: skip
        end_scan(levels, sums[-1], record, value)
        return record


@njit(cache=True, nogil=True)
def _follow(
    levels: LevelScan,
    tree: ChordTree,
    G: FloatArray,
    scale: FloatArray,
    sums: FloatArray,
    sizes: FloatArray,
    record: Record,
    value: FloatArray,
    begin: int,
    end: int,
) -> None:
    """Scan some points from breakpoint to breakpoint; ``value`` holds g at the last one."""
    steps, heights, signed = len(levels.t) - 1, len(tree.spans), sizes.size > 0
    if steps == 0:
        return
    walk = blank_walk(levels, heights, end - begin)
    wide, narrow = blank_block(len(G), WIDE), blank_block(len(G), NARROW)
    ascending, h = tree.breakpoints[steps] > tree.breakpoints[0], heights - 1
    walk.total[h], walk.points[h] = end - begin, np.arange(begin, end)
    open_node(tree, walk, h, G, scale, signed, wide, narrow)
    set_ends(levels, walk, sums, sizes, ascending)
    add_chord(tree, walk, h, signed)
    while h < heights:
        if walk.child[h] == walk.children[h]:
            h += 1
            continue
        k = walk.child[h] if ascending else walk.children[h] - 1 - walk.child[h]
        walk.child[h] += 1
        if h == 0:
            _step(
                levels, walk, walk.node[0] * tree.spans[0] + k, k, ascending, signed, record, value
            )
        elif _descend(walk, h, k, levels.tolerance, ascending, record.inside, value):
            h -= 1
            walk.node[h] = walk.node[h + 1] * (tree.spans[h + 1] // tree.spans[h]) + k
            open_node(tree, walk, h, G, scale, signed, wide, narrow)
            add_chord(tree, walk, h, signed)


@njit(cache=True, nogil=True)
def _descend(
    walk: Walk,
    h: int,
    k: int,
    tolerance: float,
    ascending: bool,
    inside: BoolArray,
    value: FloatArray,
) -> bool:
    """Choose the points that descend to a child; return whether there are any.

    The others stay where they are, off the boundary, all along the child. If these are few they
    descend, too: points next to each other take less time.
    """
    wanted, number = 0, 0
    for j in range(walk.total[h]):
        walk.stays[j] = _stays(walk, h, k, j, tolerance, inside[walk.points[h, j]])
        wanted += not walk.stays[j]
    everyone = 10 * wanted > 9 * walk.total[h]
    for j in range(walk.total[h]):
        p, g, g_end = walk.points[h, j], walk.g[h, k, j], walk.g[h, k + 1, j]
        if everyone or not walk.stays[j]:
            walk.points[h - 1, number] = p
            walk.g[h - 1, 0, number], walk.g[h - 1, CHILDREN, number] = g, g_end
            walk.size[h - 1, 0, number] = walk.size[h, k, j]
            walk.size[h - 1, CHILDREN, number] = walk.size[h, k + 1, j]
            number += 1
        else:
            last = g_end if ascending else g
            value[p] = last if last != 0.0 else VOID
    walk.total[h - 1] = number
    return number > 0


@njit(cache=True, nogil=True)
def _stays(walk: Walk, h: int, k: int, j: int, tolerance: float, inside: bool) -> bool:
    """Return whether a point stays where it is, off the boundary, all along a child."""
    a, b, most = walk.g[h, k, j], walk.g[h, k + 1, j], walk.most[h, k, j]
    size = max(walk.size[h, k, j], walk.size[h, k + 1, j]) + most + abs(a) + abs(b)
    if size == 0.0:  # no terms at all, hence no boundary
        return not inside
    away = most + ROUNDING * size
    if size > CANCELLED * tolerance:
        away += tolerance
    return min(a, b) > away if inside else max(a, b) < -away


@njit(cache=True, nogil=True)
def _step(
    levels: LevelScan,
    walk: Walk,
    step: int,
    k: int,
    ascending: bool,
    signed: bool,
    record: Record,
    value: FloatArray,
) -> None:
    """Scan one step of the path, as `nestviz.scanning` does for a table of fields."""
    t, tolerance, inside = levels.t, levels.tolerance, record.inside
    row, at = (step + 1, k + 1) if ascending else (len(t) - 1 - step, k)
    r, g, size = levels.r[row], walk.g[0, at], walk.size[0, at]
    for j in range(walk.total[0]):
        p, b = walk.points[0, j], g[j]
        if abs(b) <= tolerance:
            b = settled(b, size[j] if signed else abs(b + r) + abs(r), tolerance)
        # Most points stay on their side, away from zero: nothing to do.
        if b == 0.0 or inside[p] != (b > 0.0):
            if t[row] > t[row - 1]:
                stretch(record, p, t[row - 1], value[p], t[row], b)
            if not levels.limit[row] and inside[p] != (b >= 0.0):
                change(record, p, t[row])
        value[p] = b
