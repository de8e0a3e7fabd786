"""The walk along all levels of a piecewise-linear field, point by point and exact.

For one point, membership is known at the breakpoints and changes in between only where the field
crosses zero. So the walk goes from breakpoint to breakpoint and stops at changes of sign alone:
that is where intervals begin and end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]


class Walk(NamedTuple):
    """What the walk needs to know of a family besides its field.

    Attributes
    ----------
    t, r : (M,) arrays
        Breakpoints, and the offset that is taken off the field at each.
    low, high : float
        The domain.
    tail : float
        Slope of the offset beyond the breakpoints.
    open_below : bool
        Whether ``low`` itself is excluded.
    tolerance : float
        Values at breakpoints up to this size are zero.
    orientation : int
        +1 when the sets are meant to grow with the level, −1 when to shrink.
    """

    t: FloatArray
    r: FloatArray
    low: float
    high: float
    tail: float
    open_below: bool
    tolerance: float
    orientation: int


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
    """Walk every point of a breakpoints × points field (offsets not taken off) for the scores."""
    return _scan(walk, field, _NO_START, _NOWHERE, _NOWHERE)


def intervals_chunk(walk: Walk, field: FloatArray) -> Intervals:
    """Walk every point twice: count the intervals, then write them."""
    counts = scan_chunk(walk, field).counts
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    lower, upper = np.empty(indptr[-1]), np.empty(indptr[-1])
    _scan(walk, field, indptr, lower, upper)
    return Intervals(indptr, lower, upper)


_NOWHERE = np.empty(0)
_NO_START = np.empty(0, dtype=np.int64)


class _Record(NamedTuple):
    """What is known of each point so far; the interval under way is number ``place``."""

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
    walk: Walk, field: FloatArray, start: IntArray, lower: FloatArray, upper: FloatArray
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
    _begin(walk, field, record, value)
    _follow(walk, field, record, value)
    _end(walk, record, value)
    return _scores(walk, record)


def _scores(walk: Walk, record: _Record) -> Scan:
    """First and last level; a point that is never in gets the infinite far side."""
    never = record.counts == 0
    if walk.orientation == 1:
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
def _rise(record: _Record, p: int, level: float) -> None:
    record.rises[p] = True
    record.last_out[p] = level
    _enter(record, p, level)


@njit(cache=True, nogil=True)
def _leave(record: _Record, p: int, level: float) -> None:
    record.last_in[p] = level
    record.inside[p] = False
    if record.upper.size:
        record.upper[record.place[p]] = level
        record.place[p] += 1


@njit(cache=True, nogil=True)
def _fall(record: _Record, p: int, level: float) -> None:
    record.falls[p] = True
    record.first_out[p] = min(record.first_out[p], level)
    _leave(record, p, level)


@njit(cache=True, nogil=True)
def _snapped(value: float, tolerance: float) -> float:
    return 0.0 if abs(value) <= tolerance else value


@njit(cache=True, nogil=True)
def _cross(record: _Record, p: int, s: float, a: float, t: float, b: float) -> None:
    """The stretch from (s, a) to (t, b); a change of membership lies on its root."""
    if record.inside[p]:
        if b <= 0.0:
            _fall(record, p, t if b == 0.0 else min(max(s + (t - s) * (a / (a - b)), s), t))
    elif b > 0.0:
        _rise(record, p, s if a == 0.0 else min(max(s + (t - s) * (a / (a - b)), s), t))


@njit(cache=True, nogil=True)
def _begin(walk: Walk, field: FloatArray, record: _Record, value: FloatArray) -> None:
    """Membership at the lower end of the domain, and on to the first breakpoint.

    Just below a jump the first entry is a limit only: zero there is no exit yet.
    """
    slope = -walk.tail
    limit = len(walk.t) > 1 and walk.t[1] == walk.t[0]
    for p in range(len(value)):
        g = _snapped(field[0, p] - walk.r[0], walk.tolerance)
        value[p] = g
        start, at_start = walk.t[0], g
        if walk.low < walk.t[0]:
            start = walk.low
            at_start = g - slope * (walk.t[0] - start) if slope != 0.0 else g
        inside = at_start > 0.0
        if walk.open_below and at_start == 0.0:
            inside = _rises_from(walk, field, p, g)
        if inside:
            _enter(record, p, start)
        else:
            record.first_out[p] = start
        if limit and g == 0.0:
            continue
        if walk.low == -np.inf and slope != 0.0:
            if inside and g <= 0.0:
                _fall(record, p, walk.t[0] - g / slope)
            elif not inside and g > 0.0:
                _rise(record, p, walk.t[0] - g / slope)
        elif start < walk.t[0]:
            _cross(record, p, start, at_start, walk.t[0], g)


@njit(cache=True, nogil=True)
def _rises_from(walk: Walk, field: FloatArray, p: int, g: float) -> bool:
    """Whether a field that is zero at the open lower end is positive right above it."""
    if walk.low < walk.t[0]:
        return g > 0.0
    if len(walk.t) > 1:
        return _snapped(field[1, p] - walk.r[1], walk.tolerance) > 0.0
    return walk.tail < 0.0 and walk.high > walk.t[0]


@njit(cache=True, nogil=True)
def _follow(walk: Walk, field: FloatArray, record: _Record, value: FloatArray) -> None:
    """From breakpoint to breakpoint; ``value`` holds g at the last one."""
    t = walk.t
    for j in range(1, len(t)):
        jump = t[j] == t[j - 1]
        limit = j + 1 < len(t) and t[j + 1] == t[j]
        for p in range(len(value)):
            b = field[j, p] - walk.r[j]
            if abs(b) <= walk.tolerance:
                b = 0.0
            if record.inside[p] != (b > 0.0) and not (limit and b == 0.0):
                if not jump:
                    _cross(record, p, t[j - 1], value[p], t[j], b)
                elif record.inside[p]:
                    _fall(record, p, t[j])
                else:
                    _rise(record, p, t[j])
            value[p] = b


@njit(cache=True, nogil=True)
def _end(walk: Walk, record: _Record, value: FloatArray) -> None:
    """From the last breakpoint to the upper end of the domain."""
    last, slope = walk.t[-1], -walk.tail
    for p in range(len(value)):
        if walk.high > last and slope != 0.0:
            if walk.high < np.inf:
                b = value[p] + slope * (walk.high - last)
                _cross(record, p, last, value[p], walk.high, b)
            elif record.inside[p] and slope < 0.0:
                _fall(record, p, last - value[p] / slope)
            elif not record.inside[p] and slope > 0.0:
                _rise(record, p, last - value[p] / slope)
        if record.inside[p]:
            _leave(record, p, walk.high)
        else:
            record.last_out[p] = walk.high
