"""The walk along all levels of a piecewise-linear field, point by point and exact.

For one point the line of levels falls into cells: the breakpoints themselves, the roots, and the
open stretches between them. In each cell the point is in or out. A single pass over the cells
gives the intervals, the entry and exit levels and whether membership is monotone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Walk:
    """What the walk needs to know of a family besides its field."""

    levels: FloatArray
    low: float
    high: float
    tail: float
    open_below: bool
    orientation: int

    @property
    def shape(self) -> tuple[float, bool, bool, bool, int]:
        """Slope of g beyond the nodes, endless below, endless above, open below, orientation."""
        return (
            -self.tail,
            bool(np.isinf(self.low)),
            bool(np.isinf(self.high)),
            self.open_below,
            self.orientation,
        )


@dataclass(frozen=True, eq=False)
class Intervals:
    """Intervals of levels per point; ``intervals[i]`` is a (k, 2) array of lower and upper ends.

    Ends that are roots do not belong to the set: there the point lies on the boundary.
    """

    indptr: IntArray
    lower: FloatArray
    upper: FloatArray

    @classmethod
    def joined(cls, parts: Sequence[Intervals]) -> Intervals:
        """Intervals of several chunks of points, in order."""
        counts = np.concatenate([part.counts for part in parts])
        return cls(
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            np.concatenate([part.lower for part in parts]),
            np.concatenate([part.upper for part in parts]),
        )

    @classmethod
    def single(cls, lower: FloatArray, upper: FloatArray, present: BoolArray) -> Intervals:
        """One interval for each point that has one."""
        indptr = np.concatenate([[0], np.cumsum(present)]).astype(np.int64)
        return cls(indptr, lower[present], upper[present])

    @property
    def counts(self) -> IntArray:
        """Number of intervals of each point."""
        return np.diff(self.indptr)

    def __len__(self) -> int:
        return self.indptr.size - 1

    def __getitem__(self, point: int) -> FloatArray:
        if not -len(self) <= point < len(self):
            raise IndexError(f"There are {len(self)} points; point {point} is not one of them.")
        point %= len(self)
        inside = slice(self.indptr[point], self.indptr[point + 1])
        return np.column_stack([self.lower[inside], self.upper[inside]])


@dataclass(frozen=True, eq=False)
class Scan:
    """What one pass over all levels tells of each point."""

    first: FloatArray
    last: FloatArray
    violated: BoolArray
    counts: IntArray

    @classmethod
    def joined(cls, parts: Sequence[Scan]) -> Scan:
        """Scans of several chunks of points, in order."""
        names = ("first", "last", "violated", "counts")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def united(self) -> Scan:
        """The same pass over the successive union of the sets."""
        none = np.zeros_like(self.violated)
        return Scan(self.first, self.first.copy(), none, np.minimum(self.counts, 1))


def scan_chunk(walk: Walk, field: FloatArray) -> Scan:
    """Walk every point of a breakpoints × points field and keep the scores."""
    nodes, values = _with_finite_ends(walk, field)
    n = len(values)
    scan = Scan(np.empty(n), np.empty(n), np.empty(n, np.bool_), np.empty(n, np.int64))
    nowhere = np.empty(0)
    no_start = np.zeros(n, dtype=np.int64)
    _walk_points(nodes, values, *walk.shape, *vars(scan).values(), no_start, nowhere, nowhere)
    return scan


def intervals_chunk(walk: Walk, field: FloatArray) -> Intervals:
    """Walk every point twice: count the intervals, then write them."""
    scan = scan_chunk(walk, field)
    nodes, values = _with_finite_ends(walk, field)
    indptr = np.concatenate([[0], np.cumsum(scan.counts)]).astype(np.int64)
    lower, upper = np.empty(indptr[-1]), np.empty(indptr[-1])
    _walk_points(nodes, values, *walk.shape, *vars(scan).values(), indptr, lower, upper)
    return Intervals(indptr, lower, upper)


def _with_finite_ends(walk: Walk, field: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Nodes and points × nodes values, the finite ends of the domain included."""
    nodes, columns = [walk.levels], [field.T]
    if np.isfinite(walk.low) and walk.low < walk.levels[0]:
        nodes.insert(0, np.array([walk.low]))
        columns.insert(0, (field[0] + walk.tail * (walk.levels[0] - walk.low))[:, None])
    if np.isfinite(walk.high) and walk.high > walk.levels[-1]:
        nodes.append(np.array([walk.high]))
        columns.append((field[-1] - walk.tail * (walk.high - walk.levels[-1]))[:, None])
    return np.concatenate(nodes), np.ascontiguousarray(np.concatenate(columns, axis=1))


@njit(cache=True, nogil=True)
def _walk_points(
    t: FloatArray,
    values: FloatArray,
    slope: float,
    endless_low: bool,
    endless_high: bool,
    open_below: bool,
    orientation: int,
    first: FloatArray,
    last: FloatArray,
    violated: BoolArray,
    counts: IntArray,
    start: IntArray,
    lower: FloatArray,
    upper: FloatArray,
) -> None:
    """Walk all points; t: nodes, values[p]: g at the nodes, slope: of g beyond the nodes.

    ``lower`` and ``upper`` are written only when they have room; the first pass counts.
    """
    cells = np.empty((values.shape[1] * 4 + 6, 3))
    for p in range(values.shape[0]):
        n = _cells(t, values[p], slope, endless_low, endless_high, open_below, cells)
        k = start[p]
        inside = rises = falls = False
        first_in, last_in = np.inf, -np.inf
        first_out, last_out = np.inf, -np.inf
        counts[p] = 0
        for j in range(n):
            a, b, member = cells[j, 0], cells[j, 1], cells[j, 2] > 0
            if member:
                if not inside:
                    counts[p] += 1
                    if lower.size:
                        lower[k] = a
                if lower.size:
                    upper[k] = b
                first_in, last_in = min(first_in, a), max(last_in, b)
            else:
                if inside and lower.size:
                    k += 1
                first_out, last_out = min(first_out, a), max(last_out, b)
            if j > 0:
                rises |= member and not inside
                falls |= inside and not member
            inside = member
        if orientation == 1:
            first[p] = first_in
            last[p] = np.inf if counts[p] == 0 else max(last_out, first_in)
            violated[p] = falls
        else:
            first[p] = last_in
            last[p] = -np.inf if counts[p] == 0 else min(first_out, last_in)
            violated[p] = rises


@njit(cache=True, nogil=True)
def _cells(
    t: FloatArray,
    g: FloatArray,
    slope: float,
    endless_low: bool,
    endless_high: bool,
    open_below: bool,
    cells: FloatArray,
) -> int:
    """Write the cells (from, to, 1 = in or 0 = out) of one point; return how many.

    Between two nodes g runs from g[j] to g[j + 1]. Of equal nodes the last one gives the value at
    the level. Beyond the outer nodes g has the given slope.
    """
    n = 0
    last = t.size - 1
    if endless_low:
        far = -slope if slope != 0 else g[0]
        n = _stretch(-np.inf, t[0], far, g[0], t[0], slope, cells, n)
    for j in range(t.size):
        if j < last and t[j + 1] == t[j]:
            continue
        if not (open_below and j == 0 and not endless_low):
            cells[n, 0], cells[n, 1], cells[n, 2] = t[j], t[j], g[j] > 0
            n += 1
        if j < last:
            rate = (g[j + 1] - g[j]) / (t[j + 1] - t[j])
            n = _stretch(t[j], t[j + 1], g[j], g[j + 1], t[j], rate, cells, n)
    if endless_high:
        far = slope if slope != 0 else g[last]
        n = _stretch(t[last], np.inf, g[last], far, t[last], slope, cells, n)
    return n


@njit(cache=True, nogil=True)
def _stretch(
    a: float, b: float, ga: float, gb: float, anchor: float, rate: float, cells: FloatArray, n: int
) -> int:
    """Cells of the open stretch (a, b) whose ends have the signs of ga and gb."""
    if (ga > 0 and gb < 0) or (ga < 0 and gb > 0):
        # anchor is a finite end of the stretch; the value there is ga or gb
        value = ga if anchor == a else gb
        root = min(max(anchor - value / rate, a), b)
        cells[n, 0], cells[n, 1], cells[n, 2] = a, root, ga > 0
        cells[n + 1, 0], cells[n + 1, 1], cells[n + 1, 2] = root, root, 0.0
        cells[n + 2, 0], cells[n + 2, 1], cells[n + 2, 2] = root, b, gb > 0
        return n + 3
    cells[n, 0], cells[n, 1], cells[n, 2] = a, b, ga > 0 or gb > 0
    return n + 1
