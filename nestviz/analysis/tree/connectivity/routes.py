"""Routes between points: the height of the lowest point on a segment.

A height is a level turned so that higher means a smaller set. The set at a height t contains both
ends of a route and everything between exactly when the route's lowest height exceeds t: a route
proves that its ends are connected.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray, IntArray

Heights = Callable[[FloatArray], FloatArray]

# The first sample lies this share of a step from the lower end, to see whether it goes down there.
NEAR = 1.0 / 16.0
# Parabolas through a dip before its depth is taken for granted.
ROUNDS = 6
# Used where a kernel has no width to take steps of: samples on a segment.
SAMPLES = 16


class Field(NamedTuple):
    """Heights of points, and how to search for their lowest values.

    ``heights`` maps points to heights. ``step`` is the largest distance between samples, 0 for a
    fixed number of samples. Heights are computed to ``tolerance``; differences up to ``rounding``
    are rounding. ``floor`` and ``ceiling`` stand for −inf and +inf while slopes are computed.
    """

    heights: Heights
    step: float
    tolerance: float
    rounding: float
    floor: float
    ceiling: float


class Segments(NamedTuple):
    """Straight segments, each from ``start`` to ``end`` with the heights of both."""

    start: FloatArray
    end: FloatArray
    start_height: FloatArray
    end_height: FloatArray

    def take(self, index: NDArray[np.generic]) -> Segments:
        """Return some of the segments."""
        return Segments(*(part[index] for part in self))


class Lowest(NamedTuple):
    """The lowest point of each segment: its height, and the share of the way at which it lies."""

    height: FloatArray
    share: FloatArray


def lowest_on_segments(field: Field, segments: Segments) -> Lowest:
    """Return the lowest height on each segment, ends included.

    Samples at most ``field.step`` apart, one right next to the lower end, find the dips; parabolas
    find their bottoms. A difference from the lower end by rounding only is no dip.
    """
    cap = np.minimum(segments.start_height, segments.end_height)
    share = np.where(segments.start_height <= segments.end_height, 0.0, 1.0)
    lowest = Lowest(cap.copy(), share)
    open_ended = np.flatnonzero(cap > -np.inf)
    if open_ended.size:
        _sample(field, segments, open_ended, lowest)
    return lowest


def _sample(field: Field, segments: Segments, which: IntArray, lowest: Lowest) -> None:
    """Sample some segments and refine their dips; write to ``lowest``."""
    some = segments.take(which)
    owner, share = _shares(field, some)
    values = np.empty(share.size)
    at_start, at_end = share == 0.0, share == 1.0
    values[at_start], values[at_end] = some.start_height, some.end_height
    inner = ~(at_start | at_end)
    values[inner] = _heights_at(field, some, owner[inner], share[inner])
    cap = lowest.height[which]
    middle = np.flatnonzero(inner)
    dips = middle[
        (values[middle] < cap[owner[middle]] - field.rounding)
        & (values[middle] <= values[middle - 1])
        & (values[middle] <= values[middle + 1])
    ]
    if not dips.size:
        return
    near = np.stack([dips - 1, dips, dips + 1])
    bottom_share, bottom = _refine(field, some, owner[dips], share[near], values[near])
    order = np.lexsort((bottom, owner[dips]))
    first = order[np.unique(owner[dips][order], return_index=True)[1]]
    found = which[owner[dips][first]]
    lowest.height[found] = bottom[first]
    lowest.share[found] = bottom_share[first]


def _shares(field: Field, segments: Segments) -> tuple[IntArray, FloatArray]:
    """Return the samples of all segments in a row: their segment, and their share of it."""
    length = np.linalg.norm(segments.end - segments.start, axis=1)
    steps = np.full(length.size, SAMPLES, dtype=np.int64)
    if field.step > 0:
        steps = np.maximum(2, np.ceil(length / field.step).astype(np.int64))
    count = steps + 2
    owner = np.repeat(np.arange(length.size), count)
    position = np.arange(owner.size) - np.repeat(np.cumsum(count) - count, count)
    rising = (segments.start_height <= segments.end_height)[owner]
    of = steps[owner]
    # Counted from the lower end: 0, NEAR, 1, 2, …, all of the way.
    counted = np.where(rising, position, of + 1 - position)
    taken = np.where(counted == 0, 0.0, np.where(counted == 1, NEAR, counted - 1.0)) / of
    return owner, np.where(rising, taken, 1.0 - taken)


def _heights_at(field: Field, segments: Segments, owner: IntArray, share: FloatArray) -> FloatArray:
    start = segments.start[owner]
    return field.heights(start + share[:, None] * (segments.end[owner] - start))


def _refine(
    field: Field, segments: Segments, owner: IntArray, share: FloatArray, values: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return bottoms of dips that three samples bracket, by parabolas kept inside the bracket.

    A dip is settled when the next parabola promises less than the tolerance.
    """
    active = np.flatnonzero(np.isfinite(values[1]))
    for _ in range(ROUNDS):
        new, promise = _parabola(share[:, active], np.minimum(values[:, active], field.ceiling))
        worthwhile = promise > field.tolerance
        active, new = active[worthwhile], new[worthwhile]
        if not active.size:
            break
        t, v = share[:, active], values[:, active]
        got = _heights_at(field, segments, owner[active], new)
        better, left = got < v[1], new < t[1]
        cases = [better & left, better & ~left, ~better & left]
        for triple, (a, b, c), fresh in ((share, t, new), (values, v, got)):
            choices = [(a, fresh, b), (b, fresh, c), (fresh, b, c)]
            triple[:, active] = np.select(cases, [np.stack(x) for x in choices], (a, b, fresh))
        active = active[np.isfinite(got)]
    return share[1], values[1]


def _parabola(t: FloatArray, v: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the bottom of the parabola through three points, and its depth."""
    left, right = t[1] - t[0], t[2] - t[1]
    down, up = (v[1] - v[0]) / left, (v[2] - v[1]) / right
    curvature = 2.0 * (up - down) / (left + right)
    slope = (down * right + up * left) / (left + right)
    bent = curvature > 0
    shift = np.where(bent, -slope / np.where(bent, curvature, 1.0), 0.0)
    return t[1] + shift, 0.5 * curvature * shift**2
