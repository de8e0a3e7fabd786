"""Results of a pass over all levels: intervals of levels, and first and last levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nestviz.arrays import BoolArray, FloatArray, IndexArray, IntArray


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
        """Concatenate the intervals of several chunks of points."""
        counts = np.concatenate([part.counts for part in parts])
        return cls(
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            np.concatenate([part.lower for part in parts]),
            np.concatenate([part.upper for part in parts]),
        )

    @classmethod
    def single(cls, lower: FloatArray, upper: FloatArray, present: BoolArray) -> Intervals:
        """Return one interval for each point that is ``present``."""
        indptr = np.concatenate([[0], np.cumsum(present)]).astype(np.int64)
        return cls(indptr, lower[present], upper[present])

    def take(self, index: IndexArray) -> Intervals:
        """Return the intervals of some points, in the order of ``index``."""
        counts = self.counts[index]
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        rows = np.arange(indptr[-1]) + np.repeat(self.indptr[index] - indptr[:-1], counts)
        return Intervals(indptr, self.lower[rows], self.upper[rows])

    @property
    def counts(self) -> IntArray:
        """Return the number of intervals of each point."""
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
    """Result of one pass over all levels, with one entry for each point.

    Attributes
    ----------
    first, last : ndarray of shape (n_points,)
        The scores s+ and s−, see `nestviz.families.SetFamily.first_level` and ``last_level``.
    violated : ndarray of shape (n_points,)
        Whether membership is not monotone in the level.
    counts : ndarray of shape (n_points,)
        Number of intervals of levels at which the point is inside.
    """

    first: FloatArray
    last: FloatArray
    violated: BoolArray
    counts: IntArray

    @classmethod
    def joined(cls, parts: Sequence[Scan]) -> Scan:
        """Concatenate the scans of several chunks of points."""
        names = ("first", "last", "violated", "counts")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def take(self, index: IndexArray) -> Scan:
        """Return the scan of some points, in the order of ``index``."""
        return Scan(self.first[index], self.last[index], self.violated[index], self.counts[index])

    def united(self) -> Scan:
        """Return the scan of the successive union of the sets."""
        none = np.zeros_like(self.violated)
        return Scan(self.first, self.first.copy(), none, np.minimum(self.counts, 1))
