"""The walk along all levels of a piecewise-linear field, point by point and exact.

Sets are closed: a point is inside where its field is not negative. For one point, membership is
known at the breakpoints and changes in between only where the field crosses zero. So the walk goes
from breakpoint to breakpoint and stops at changes of sign alone: that is where intervals begin and
end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.boundary import VOID, settled


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
        Values at breakpoints up to this size are zero; see `settled`.
    orientation : int
        +1 when the sets are meant to grow with the level, −1 when to shrink.
    limit : (M,) array
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


@dataclass(frozen=True, eq=False)
class Intervals:
    """Intervals of levels per point; ``intervals[i]`` is a (k, 2) array of lower and upper ends.

    Ends belong to the interval, as sets are closed, except at a jump and at an open end of the
    domain. A point that only touches the boundary has an interval of one level.
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

    def take(self, index: NDArray[np.intp]) -> Intervals:
        """Return the intervals of some points, in the order of ``index``."""
        counts = self.counts[index]
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        rows = np.arange(indptr[-1]) + np.repeat(self.indptr[index] - indptr[:-1], counts)
        return Intervals(indptr, self.lower[rows], self.upper[rows])

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

    def take(self, index: NDArray[np.intp]) -> Scan:
        """Return the scan of some points, in the order of ``index``."""
        return Scan(self.first[index], self.last[index], self.violated[index], self.counts[index])

    def united(self) -> Scan:
        """The same pass over the successive union of the sets."""
        none = np.zeros_like(self.violated)
        return Scan(self.first, self.first.copy(), none, np.minimum(self.counts, 1))


def scan_chunk(walk: Walk, field: FloatArray, sizes: FloatArray) -> Scan:
    """Walk every point of a breakpoints × points field (offsets not taken off) for the scores.

    ``sizes`` holds the sums of the sizes of the field's terms, or nothing where no term is
    negative.
    """
    return _scan(walk, field, sizes, _NO_START, _NOWHERE, _NOWHERE)


def intervals_chunk(walk: Walk, field: FloatArray, sizes: FloatArray) -> Intervals:
    """Walk every point twice: count the intervals, then write them."""
    counts = scan_chunk(walk, field, sizes).counts
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    lower, upper = np.empty(indptr[-1]), np.empty(indptr[-1])
    _scan(walk, field, sizes, indptr, lower, upper)
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
    walk: Walk,
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
    _begin(walk, field, sizes, record, value)
    _follow(walk, field, sizes, record, value)
    _end(walk, field, record, value)
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
def _value(walk: Walk, field: FloatArray, sizes: FloatArray, j: int, p: int) -> float:
    """Return g at breakpoint j."""
    g = field[j, p] - walk.r[j]
    if abs(g) <= walk.tolerance:
        size = sizes[j, p] if sizes.size else abs(field[j, p])
        g = settled(g, size + abs(walk.r[j]), walk.tolerance)
    return g


@njit(cache=True, nogil=True)
def _change(record: _Record, p: int, level: float) -> None:
    if record.inside[p]:
        _fall(record, p, level)
    else:
        _rise(record, p, level)


@njit(cache=True, nogil=True)
def _stretch(record: _Record, p: int, s: float, a: float, t: float, b: float) -> None:
    """Walk the open stretch from (s, a) to (t, b); sets are closed, so zero is inside.

    Where the field changes its sign, membership changes on the root. Where it does not, it can
    change right after s only: from a boundary point on, the field falls.
    """
    if _crosses(a, b):
        _change(record, p, min(max(s + (t - s) * (a / (a - b)), s), t))
    elif record.inside[p] != _inside_between(a, b):
        _change(record, p, s)


@njit(cache=True, nogil=True)
def _crosses(a: float, b: float) -> bool:
    """Tell whether a field changes its sign between its ends."""
    return (a > 0.0 and b < 0.0 and b != VOID) or (a < 0.0 and b > 0.0 and a != VOID)


@njit(cache=True, nogil=True)
def _inside_between(a: float, b: float) -> bool:
    """Tell whether a field without change of sign is inside between its ends.

    Next to an end with nothing there is something, and it is as the other end says.
    """
    if a == VOID:
        return b >= 0.0
    return a >= 0.0 and (b >= 0.0 or b == VOID)


@njit(cache=True, nogil=True)
def _begin(
    walk: Walk, field: FloatArray, sizes: FloatArray, record: _Record, value: FloatArray
) -> None:
    """Find membership at the lower end of the domain, and walk on to the first breakpoint."""
    first = walk.t[0]
    for p in range(len(value)):
        g = value[p] = _value(walk, field, sizes, 0, p)
        start, at_start = first, g
        if walk.low < first:
            start = walk.low
            if walk.tail != 0.0 and start == -np.inf:
                at_start = np.inf * walk.tail
            elif walk.tail != 0.0:
                at_start = field[0, p] - (walk.r[0] - walk.tail * first) - walk.tail * start
            if at_start == 0.0 and _nothing(field, sizes, p):
                at_start = VOID
        inside = at_start >= 0.0
        if walk.open_below and (at_start == 0.0 or at_start == VOID):
            inside = _rises_from(walk, field, sizes, p, at_start)
        if inside:
            _enter(record, p, start)
        else:
            record.first_out[p] = start
        if start < first:
            if _crosses(at_start, g):
                _change(record, p, min(max(_tail_root(walk, field, 0, p), start), first))
            elif inside != _inside_between(at_start, g):
                _change(record, p, start)
            if not walk.limit[0] and record.inside[p] != (g >= 0.0):
                _change(record, p, first)


@njit(cache=True, nogil=True)
def _nothing(field: FloatArray, sizes: FloatArray, p: int) -> bool:
    """Tell whether no term adds to the field before the first breakpoint."""
    return bool((sizes[0, p] if sizes.size else field[0, p]) == 0.0)


@njit(cache=True, nogil=True)
def _tail_root(walk: Walk, field: FloatArray, j: int, p: int) -> float:
    """Return the level beyond the breakpoints at which the moving offset meets the field."""
    return float((field[j, p] - (walk.r[j] - walk.tail * walk.t[j])) / walk.tail)


@njit(cache=True, nogil=True)
def _rises_from(walk: Walk, field: FloatArray, sizes: FloatArray, p: int, at: float) -> bool:
    """Tell whether a field that is zero at the open lower end is not negative right above it."""
    after = at - walk.tail
    if walk.low < walk.t[0]:
        after = _value(walk, field, sizes, 0, p)
    elif len(walk.t) > 1:
        after = _value(walk, field, sizes, 1, p)
    return _inside_between(at, after)


@njit(cache=True, nogil=True)
def _follow(
    walk: Walk, field: FloatArray, sizes: FloatArray, record: _Record, value: FloatArray
) -> None:
    """Walk from breakpoint to breakpoint; ``value`` holds g at the last one."""
    t = walk.t
    for j in range(1, len(t)):
        for p in range(len(value)):
            b = field[j, p] - walk.r[j]
            if abs(b) <= walk.tolerance:
                b = _value(walk, field, sizes, j, p)
            # Most points stay on their side, clear of zero: nothing happens to them.
            if b == 0.0 or record.inside[p] != (b > 0.0):
                if t[j] > t[j - 1]:
                    _stretch(record, p, t[j - 1], value[p], t[j], b)
                if not walk.limit[j] and record.inside[p] != (b >= 0.0):
                    _change(record, p, t[j])
            value[p] = b


@njit(cache=True, nogil=True)
def _end(walk: Walk, field: FloatArray, record: _Record, value: FloatArray) -> None:
    """Walk from the last breakpoint to the upper end of the domain."""
    last = len(walk.t) - 1
    end = walk.t[last]
    for p in range(len(value)):
        towards_zero = (value[p] >= 0.0) == (walk.tail > 0.0)
        if walk.high > end and walk.tail != 0.0 and towards_zero:
            root = end if value[p] == 0.0 else max(_tail_root(walk, field, last, p), end)
            if root < walk.high or (root == walk.high and not record.inside[p]):
                _change(record, p, root)
        if record.inside[p]:
            _leave(record, p, walk.high)
        else:
            record.last_out[p] = walk.high
