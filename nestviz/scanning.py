"""Scan all levels of a piecewise-linear field, exactly, for many points.

Sets are closed: a point is inside where its field is not negative. For one point, membership is
known at the breakpoints and changes between them only where the field crosses zero. So intervals
of levels begin and end at changes of sign alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from nestviz.arrays import BoolArray, FloatArray, IndexArray, IntArray
from nestviz.boundary import VOID, settled
from nestviz.compiled import njit
from nestviz.scan_results import Intervals, Scan

SLOTS = 16
"""Intervals of a point that are written at the first scan; few points have more."""


class LevelScan(NamedTuple):
    """Parameters of a scan: a family without its field.

    Attributes
    ----------
    t, r : ndarray of shape (n_levels,)
        Breakpoints, and the offset to subtract from the field at each.
    low, high : float
        The domain.
    tail : float
        Slope of the offset beyond the breakpoints.
    open_below : bool
        Whether ``low`` itself is excluded.
    tolerance : float
        Values at breakpoints up to this size are zero; see `settled`.
    orientation : int
        +1 when the sets are meant to grow with the level, −1 when to shrink.
    limit : ndarray of shape (n_levels,)
        Breakpoints that no level takes: the first entry of a jump, and an open lower end.
    """

    t: FloatArray
    r: FloatArray
    low: float
    high: float
    tail: float
    open_below: bool
    tolerance: float
    orientation: int
    limit: BoolArray


def scan_chunk(levels: LevelScan, field: FloatArray, sizes: FloatArray) -> Scan:
    """Scan a breakpoints × points field, offsets not subtracted.

    ``sizes`` holds the sums of the absolute terms of the field, or is empty if no term is negative.
    """
    return scores(levels, _scan(levels, field, sizes, blank_record(field.shape[1])))


def intervals_chunk(
    levels: LevelScan, field: FloatArray, sizes: FloatArray
) -> tuple[Scan, Intervals]:
    """Scan and write the intervals."""
    record = _scan(levels, field, sizes, blank_record(field.shape[1], np.full(len(field.T), SLOTS)))

    def again(some: IndexArray, blank: Record) -> None:
        theirs = sizes[:, some] if sizes.size else sizes
        _scan(levels, np.ascontiguousarray(field[:, some]), theirs, blank)

    return scores(levels, record), written_intervals(record, again)


class Record(NamedTuple):
    """State of the scan of each point.

    The current interval of a point is written at ``place``, at most at ``stop``, where the
    intervals go that are too many.
    """

    inside: BoolArray
    counts: IntArray
    place: IntArray
    stop: IntArray
    first_in: FloatArray
    last_in: FloatArray
    first_out: FloatArray
    last_out: FloatArray
    rises: BoolArray
    falls: BoolArray
    lower: FloatArray
    upper: FloatArray


def blank_record(n: int, slots: IntArray | None = None) -> Record:
    """Return the state before a scan of n points, with space for some intervals of each."""
    sizes = np.zeros(n, np.int64) if slots is None else slots + 1
    ends = np.cumsum(sizes)
    space = int(sizes.sum())
    return Record(
        np.zeros(n, np.bool_),
        np.zeros(n, np.int64),
        ends - sizes,
        ends - 1,
        np.full(n, np.inf),
        np.full(n, -np.inf),
        np.full(n, np.inf),
        np.full(n, -np.inf),
        np.zeros(n, np.bool_),
        np.zeros(n, np.bool_),
        np.empty(space),
        np.empty(space),
    )


def written_intervals(record: Record, again: Callable[[IndexArray, Record], object]) -> Intervals:
    """Return the intervals of a scan; ``again`` scans points that have more of them than slots."""
    counts = record.counts
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    lower, upper = np.empty(indptr[-1]), np.empty(indptr[-1])
    _copy(record, counts <= SLOTS, np.arange(counts.size), indptr, lower, upper)
    many = np.flatnonzero(counts > SLOTS)
    if many.size:
        exact = blank_record(many.size, counts[many])
        again(many, exact)
        _copy(exact, np.ones(many.size, np.bool_), many, indptr, lower, upper)
    return Intervals(indptr, lower, upper)


def _copy(
    record: Record,
    chosen: BoolArray,
    points: IndexArray,
    indptr: IntArray,
    lower: FloatArray,
    upper: FloatArray,
) -> None:
    """Copy the intervals of the chosen points from a record to where ``indptr`` has them."""
    counts = record.counts[chosen]
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    source = np.repeat(record.place[chosen] - counts, counts) + within
    target = np.repeat(indptr[:-1][points[chosen]], counts) + within
    lower[target], upper[target] = record.lower[source], record.upper[source]


def _scan(levels: LevelScan, field: FloatArray, sizes: FloatArray, record: Record) -> Record:
    value = np.empty(field.shape[1])
    begin_scan(levels, field, sizes, record, value)
    _follow(levels, field, sizes, record, value)
    end_scan(levels, field[-1], record, value)
    return record


def scores(levels: LevelScan, record: Record) -> Scan:
    """Return first and last level; infinite, on the far side, for a point that is never inside."""
    never = record.counts == 0
    if levels.orientation == 1:
        first = np.where(never, np.inf, record.first_in)
        last = np.where(never, np.inf, np.maximum(record.last_out, record.first_in))
        return Scan(first, last, record.falls, record.counts)
    first = np.where(never, -np.inf, record.last_in)
    last = np.where(never, -np.inf, np.minimum(record.first_out, record.last_in))
    return Scan(first, last, record.rises, record.counts)


@njit(cache=True, nogil=True)
def _enter(record: Record, p: int, level: float) -> None:
    record.inside[p] = True
    record.counts[p] += 1
    record.first_in[p] = min(record.first_in[p], level)
    if record.lower.size:
        record.lower[record.place[p]] = level


@njit(cache=True, nogil=True)
def _leave(record: Record, p: int, level: float) -> None:
    record.last_in[p] = level
    record.inside[p] = False
    if record.upper.size:
        record.upper[record.place[p]] = level
        record.place[p] = min(record.place[p] + 1, record.stop[p])


@njit(cache=True, nogil=True)
def _value(levels: LevelScan, field: FloatArray, sizes: FloatArray, j: int, p: int) -> float:
    """Return g at breakpoint j."""
    g = field[j, p] - levels.r[j]
    if abs(g) <= levels.tolerance:
        size = sizes[j, p] if sizes.size else abs(field[j, p])
        g = settled(g, size + abs(levels.r[j]), levels.tolerance)
    return g


@njit(cache=True, nogil=True)
def change(record: Record, p: int, level: float) -> None:
    """Let a point enter or leave at a level."""
    if record.inside[p]:
        record.falls[p] = True
        record.first_out[p] = min(record.first_out[p], level)
        _leave(record, p, level)
    else:
        record.rises[p] = True
        record.last_out[p] = level
        _enter(record, p, level)


@njit(cache=True, nogil=True)
def stretch(record: Record, p: int, s: float, a: float, t: float, b: float) -> None:
    """Scan the open stretch from (s, a) to (t, b); sets are closed, so zero is inside.

    Where the field changes its sign, membership changes at the root. Otherwise it can change only
    right after s, where the field decreases from a boundary point.
    """
    if _crosses(a, b):
        change(record, p, min(max(s + (t - s) * (a / (a - b)), s), t))
    elif record.inside[p] != _inside_between(a, b):
        change(record, p, s)


@njit(cache=True, nogil=True)
def _crosses(a: float, b: float) -> bool:
    """Return whether a field changes its sign between its ends."""
    return (a > 0.0 and b < 0.0 and b != VOID) or (a < 0.0 and b > 0.0 and a != VOID)


@njit(cache=True, nogil=True)
def _inside_between(a: float, b: float) -> bool:
    """Return whether a field without change of sign is inside between its ends.

    Next to a void end the field is not void, and has the sign of the other end.
    """
    if a == VOID:
        return b >= 0.0
    return a >= 0.0 and (b >= 0.0 or b == VOID)


@njit(cache=True, nogil=True)
def begin_scan(
    levels: LevelScan, field: FloatArray, sizes: FloatArray, record: Record, value: FloatArray
) -> None:
    """Find membership at the lower end of the domain, and scan up to the first breakpoint.

    Only the field at the first two breakpoints is read.
    """
    first = levels.t[0]
    for p in range(len(value)):
        g = value[p] = _value(levels, field, sizes, 0, p)
        start, at_start = first, g
        if levels.low < first:
            start = levels.low
            if levels.tail != 0.0 and start == -np.inf:
                at_start = np.inf * levels.tail
            elif levels.tail != 0.0:
                at_start = field[0, p] - (levels.r[0] - levels.tail * first) - levels.tail * start
            if at_start == 0.0 and _nothing(field, sizes, p):
                at_start = VOID
        inside = at_start >= 0.0
        if levels.open_below and (at_start == 0.0 or at_start == VOID):
            inside = _rises_from(levels, field, sizes, p, at_start)
        if inside:
            _enter(record, p, start)
        else:
            record.first_out[p] = start
        if start < first:
            if _crosses(at_start, g):
                change(record, p, min(max(_tail_root(levels, 0, field[0, p]), start), first))
            elif inside != _inside_between(at_start, g):
                change(record, p, start)
            if not levels.limit[0] and record.inside[p] != (g >= 0.0):
                change(record, p, first)


@njit(cache=True, nogil=True)
def _nothing(field: FloatArray, sizes: FloatArray, p: int) -> bool:
    """Return whether the field has no term before the first breakpoint."""
    return bool((sizes[0, p] if sizes.size else field[0, p]) == 0.0)


@njit(cache=True, nogil=True)
def _tail_root(levels: LevelScan, j: int, total: float) -> float:
    """Return the level beyond the breakpoints at which the offset equals the sum of the field."""
    return float((total - (levels.r[j] - levels.tail * levels.t[j])) / levels.tail)


@njit(cache=True, nogil=True)
def _rises_from(levels: LevelScan, field: FloatArray, sizes: FloatArray, p: int, at: float) -> bool:
    """Return whether a field that is zero at the open lower end is not negative right above it."""
    after = at - levels.tail
    if levels.low < levels.t[0]:
        after = _value(levels, field, sizes, 0, p)
    elif len(levels.t) > 1:
        after = _value(levels, field, sizes, 1, p)
    return _inside_between(at, after)


@njit(cache=True, nogil=True)
def _follow(
    levels: LevelScan, field: FloatArray, sizes: FloatArray, record: Record, value: FloatArray
) -> None:
    """Scan from breakpoint to breakpoint; ``value`` holds g at the last one."""
    t = levels.t
    for j in range(1, len(t)):
        for p in range(len(value)):
            b = field[j, p] - levels.r[j]
            if abs(b) <= levels.tolerance:
                b = _value(levels, field, sizes, j, p)
            # Most points stay on their side, away from zero: nothing to do.
            if b == 0.0 or record.inside[p] != (b > 0.0):
                if t[j] > t[j - 1]:
                    stretch(record, p, t[j - 1], value[p], t[j], b)
                if not levels.limit[j] and record.inside[p] != (b >= 0.0):
                    change(record, p, t[j])
            value[p] = b


@njit(cache=True, nogil=True)
def end_scan(levels: LevelScan, total: FloatArray, record: Record, value: FloatArray) -> None:
    """Scan from the last breakpoint, with sums ``total``, to the upper end of the domain."""
    last = len(levels.t) - 1
    end = levels.t[last]
    for p in range(len(value)):
        towards_zero = (value[p] >= 0.0) == (levels.tail > 0.0)
        if levels.high > end and levels.tail != 0.0 and towards_zero:
            root = end if value[p] == 0.0 else max(_tail_root(levels, last, total[p]), end)
            if root < levels.high or (root == levels.high and not record.inside[p]):
                change(record, p, root)
        if record.inside[p]:
            _leave(record, p, levels.high)
        else:
            record.last_out[p] = levels.high
