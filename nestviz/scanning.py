"""Scan all levels of a piecewise-linear field, exactly, for many points.

Sets are closed: a point is inside where its field is not negative. For one point, membership is
known at the breakpoints and changes between them only where the field crosses zero. So intervals
of levels begin and end at changes of sign alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.boundary import VOID, settled
from nestviz.compiled import njit
from nestviz.scan_results import Intervals, Scan


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
    return _scan(levels, field, sizes, _NO_START, _NOWHERE, _NOWHERE)


def intervals_chunk(
    levels: LevelScan, field: FloatArray, sizes: FloatArray
) -> tuple[Scan, Intervals]:
    """Scan twice: count the intervals, then write them."""
    scan = scan_chunk(levels, field, sizes)
    indptr = np.concatenate([[0], np.cumsum(scan.counts)]).astype(np.int64)
    lower, upper = np.empty(indptr[-1]), np.empty(indptr[-1])
    _scan(levels, field, sizes, indptr, lower, upper)
    return scan, Intervals(indptr, lower, upper)


_NOWHERE = np.empty(0)
_NO_START = np.empty(0, dtype=np.int64)


class _Record(NamedTuple):
    """State of the scan of each point; the current interval has the index ``place``."""

    inside: BoolArray
    counts: IntArray
    place: IntArray
    first_in: FloatArray
    last_in: FloatArray
    first_out: FloatArray
    last_out: FloatArray
    rises: BoolArray
    falls: BoolArray
    lower: FloatArray
    upper: FloatArray


def _scan(
    levels: LevelScan,
    field: FloatArray,
    sizes: FloatArray,
    start: IntArray,
    lower: FloatArray,
    upper: FloatArray,
) -> Scan:
    n = field.shape[1]
    record = _Record(
        np.zeros(n, np.bool_),
        np.zeros(n, np.int64),
        start[:n].copy() if lower.size else np.zeros(n, np.int64),
        np.full(n, np.inf),
        np.full(n, -np.inf),
        np.full(n, np.inf),
        np.full(n, -np.inf),
        np.zeros(n, np.bool_),
        np.zeros(n, np.bool_),
        lower,
        upper,
    )
    value = np.empty(n)
    _begin(levels, field, sizes, record, value)
    _follow(levels, field, sizes, record, value)
    _end(levels, field, record, value)
    return _scores(levels, record)


def _scores(levels: LevelScan, record: _Record) -> Scan:
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
def _enter(record: _Record, p: int, level: float) -> None:
    record.inside[p] = True
    record.counts[p] += 1
    record.first_in[p] = min(record.first_in[p], level)
    if record.lower.size:
        record.lower[record.place[p]] = level


@njit(cache=True, nogil=True)
def _leave(record: _Record, p: int, level: float) -> None:
    record.last_in[p] = level
    record.inside[p] = False
    if record.upper.size:
        record.upper[record.place[p]] = level
        record.place[p] += 1


@njit(cache=True, nogil=True)
def _value(levels: LevelScan, field: FloatArray, sizes: FloatArray, j: int, p: int) -> float:
    """Return g at breakpoint j."""
    g = field[j, p] - levels.r[j]
    if abs(g) <= levels.tolerance:
        size = sizes[j, p] if sizes.size else abs(field[j, p])
        g = settled(g, size + abs(levels.r[j]), levels.tolerance)
    return g


@njit(cache=True, nogil=True)
def _change(record: _Record, p: int, level: float) -> None:
    if record.inside[p]:
        record.falls[p] = True
        record.first_out[p] = min(record.first_out[p], level)
        _leave(record, p, level)
    else:
        record.rises[p] = True
        record.last_out[p] = level
        _enter(record, p, level)


@njit(cache=True, nogil=True)
def _stretch(record: _Record, p: int, s: float, a: float, t: float, b: float) -> None:
    """Scan the open stretch from (s, a) to (t, b); sets are closed, so zero is inside.

    Where the field changes its sign, membership changes at the root. Otherwise it can change only
    right after s, where the field decreases from a boundary point.
    """
    if _crosses(a, b):
        _change(record, p, min(max(s + (t - s) * (a / (a - b)), s), t))
    elif record.inside[p] != _inside_between(a, b):
        _change(record, p, s)


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
def _begin(
    levels: LevelScan, field: FloatArray, sizes: FloatArray, record: _Record, value: FloatArray
) -> None:
    """Find membership at the lower end of the domain, and scan up to the first breakpoint."""
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
                _change(record, p, min(max(_tail_root(levels, field, 0, p), start), first))
            elif inside != _inside_between(at_start, g):
                _change(record, p, start)
            if not levels.limit[0] and record.inside[p] != (g >= 0.0):
                _change(record, p, first)


@njit(cache=True, nogil=True)
def _nothing(field: FloatArray, sizes: FloatArray, p: int) -> bool:
    """Return whether the field has no term before the first breakpoint."""
    return bool((sizes[0, p] if sizes.size else field[0, p]) == 0.0)


@njit(cache=True, nogil=True)
def _tail_root(levels: LevelScan, field: FloatArray, j: int, p: int) -> float:
    """Return the level beyond the breakpoints at which the offset equals the field."""
    return float((field[j, p] - (levels.r[j] - levels.tail * levels.t[j])) / levels.tail)


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
    levels: LevelScan, field: FloatArray, sizes: FloatArray, record: _Record, value: FloatArray
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
                    _stretch(record, p, t[j - 1], value[p], t[j], b)
                if not levels.limit[j] and record.inside[p] != (b >= 0.0):
                    _change(record, p, t[j])
            value[p] = b


@njit(cache=True, nogil=True)
def _end(levels: LevelScan, field: FloatArray, record: _Record, value: FloatArray) -> None:
    """Scan from the last breakpoint to the upper end of the domain."""
    last = len(levels.t) - 1
    end = levels.t[last]
    for p in range(len(value)):
        towards_zero = (value[p] >= 0.0) == (levels.tail > 0.0)
        if levels.high > end and levels.tail != 0.0 and towards_zero:
            root = end if value[p] == 0.0 else max(_tail_root(levels, field, last, p), end)
            if root < levels.high or (root == levels.high and not record.inside[p]):
                _change(record, p, root)
        if record.inside[p]:
            _leave(record, p, levels.high)
        else:
            record.last_out[p] = levels.high
