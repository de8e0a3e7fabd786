"""Intervals of levels and the gaps between them, in the direction in which sets grow.

In that direction a point should enter once and stay. A gap is a range of levels after the entry at
which the point is outside again. Two sets cross at a point when the smaller one lies in one of its
intervals and the larger one in a gap after that interval.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.compiled import njit
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.scanning import Intervals


class Spans(NamedTuple):
    """Intervals of all points, point after point, ascending in the direction of growth.

    ``indptr`` says where the intervals of each point begin, (n + 1,). The gap after an interval
    runs from ``upper`` to ``gap_end``; ``low`` and ``high`` are the domain. Intervals of a single
    level are left out.
    """

    indptr: IntArray
    lower: FloatArray
    upper: FloatArray
    gap_end: FloatArray
    low: float
    high: float

    @classmethod
    def of(cls, family: SetFamily, intervals: Intervals) -> Spans:
        """Turn intervals so that sets grow; points of a shrinking family are reversed."""
        low, high = family.domain or (-np.inf, np.inf)
        wide = intervals.upper > intervals.lower
        indptr = np.concatenate([[0], np.cumsum(wide)])[intervals.indptr]
        lower, upper = intervals.lower[wide], intervals.upper[wide]
        if family.orientation == -1:
            low, high = -high, -low
            lower, upper = -upper[::-1], -lower[::-1]
            indptr = indptr[-1] - indptr[::-1]
        gap_end = np.append(lower[1:], high)[: lower.size]
        last = indptr[1:][np.diff(indptr) > 0] - 1
        gap_end[last] = high
        return cls(indptr, lower, upper, gap_end, low, high)


def violated_points(family: SetFamily, X: ArrayLike | Grid, intervals: Intervals) -> BoolArray:
    """Return which points are violated, from known intervals.

    The same as ``family.violations(X)``, without another scan over all breakpoints.
    """
    low, high = family.domain or (-np.inf, np.inf)
    ever = intervals.counts > 0
    violated = intervals.counts > 1
    if family.orientation == 1:
        violated[ever] |= intervals.upper[intervals.indptr[1:][ever] - 1] < high
        end = high
    else:
        violated[ever] |= intervals.lower[intervals.indptr[:-1][ever]] > low
        end = low
    # An interval that reaches the end may still leave out the last level itself.
    if np.isfinite(end) and not (family.open_below and end == low):
        violated |= ever & ~family.contains(X, end)
    return violated


def depth(
    start: FloatArray, end: FloatArray, low: float, high: float
) -> tuple[FloatArray, IntArray]:
    """Count the ranges that cover each level: ascending edges and the counts between them."""
    edges, position = np.unique(np.concatenate([start, end, [low, high]]), return_inverse=True)
    begun = np.bincount(position[: start.size], minlength=edges.size)
    ended = np.bincount(position[start.size : 2 * start.size], minlength=edges.size)
    return edges, np.cumsum(begun - ended)[:-1]


def worst_crossing(spans: Spans) -> tuple[int, float, float] | None:
    """Find the two levels a < b for which most points are inside at a and outside at b.

    An interval and a gap after it form a rectangle in the (a, b) plane; rectangles of one point do
    not overlap. A sweep over a keeps the number of rectangles that cover each cell of b. Returns
    (count, a, b) with a and b in the middle of the best cell; None without a crossing.
    """
    wide_gap = spans.gap_end > spans.upper
    if not wide_gap.any():
        return None
    edges, position = np.unique(
        np.concatenate([spans.upper[wide_gap], spans.gap_end[wide_gap]]), return_inverse=True
    )
    cells = np.zeros((spans.upper.size, 2), dtype=np.int64)
    cells[wide_gap] = position.reshape(2, -1).T
    stop = np.repeat(spans.indptr[1:], np.diff(spans.indptr))
    turns = np.concatenate([spans.upper, spans.lower])
    # At one and the same level points leave before others come: intervals are open there.
    order = np.argsort(turns, kind="stable")
    leaf = 1 << int(edges.size).bit_length()
    best, at = _sweep(order, stop, cells, leaf)
    a_low = turns[order[at]]
    later = turns[order[at + 1 :]]
    a_high = later[later > a_low][0]
    a, b = _cell_middles(spans, stop, a_low, a_high)
    return best, a, b


def _cell_middles(spans: Spans, stop: IntArray, a_low: float, a_high: float) -> tuple[float, float]:
    """Return the middles of the cell of a and of the cell of b with the most gaps."""
    around = np.flatnonzero((spans.lower <= a_low) & (spans.upper >= a_high))
    later = [np.arange(first, stop[first]) for first in around]
    gaps = np.concatenate(later)
    edges, counts = depth(spans.upper[gaps], spans.gap_end[gaps], spans.low, spans.high)
    cell = int(np.argmax(counts))
    return middle(a_low, a_high), middle(edges[cell], edges[cell + 1])


def middle(low: float, high: float) -> float:
    """Return a level between two others, either of which may be infinite."""
    if np.isinf(low) and np.isinf(high):
        return 0.0
    if np.isinf(low):
        return float(high - max(1.0, abs(high)))
    if np.isinf(high):
        return float(low + max(1.0, abs(low)))
    return float(low + (high - low) / 2)


@njit(cache=True, nogil=True)
def _sweep(order: IntArray, stop: IntArray, cells: IntArray, leaf: int) -> tuple[int, int]:
    """Sweep over the ends of the intervals in ``order``: upper ends first, then lower ones.

    ``top[v]`` is the largest cover below tree node v, ``own[v]`` what v's whole range has got.
    Returns the largest cover at any time, and the position in ``order`` from which on it holds.
    """
    top, own = np.zeros(2 * leaf, np.int64), np.zeros(2 * leaf, np.int64)
    best, at = 0, 0
    for position in range(len(order)):
        comes = order[position] >= len(stop)
        first = order[position] - len(stop) if comes else order[position]
        for gap in range(first, stop[first]):
            if cells[gap, 1] > cells[gap, 0]:
                _cover(top, own, leaf, cells[gap, 0], cells[gap, 1], 1 if comes else -1)
        if comes and top[1] > best:
            best, at = top[1], position
    return best, at


@njit(cache=True, nogil=True)
def _cover(top: IntArray, own: IntArray, leaf: int, start: int, end: int, by: int) -> None:
    """Add ``by`` to the cover of the cells from ``start`` up to ``end``, without ``end``."""
    left, right = start + leaf, end + leaf
    while left < right:
        if left & 1:
            top[left] += by
            own[left] += by
            left += 1
        if right & 1:
            right -= 1
            top[right] += by
            own[right] += by
        left >>= 1
        right >>= 1
    for child in (start + leaf, end + leaf - 1):
        node = child >> 1
        while node >= 1:
            top[node] = max(top[2 * node], top[2 * node + 1]) + own[node]
            node >>= 1
