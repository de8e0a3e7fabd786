"""Points that enter and leave as the sets of a family grow: the events behind every curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nestviz.arrays import FloatArray, IntArray
from nestviz.families import SetFamily


class Moves(NamedTuple):
    """All changes of membership of some points.

    Attributes
    ----------
    key : ndarray of shape (n_events,)
        Orientation × level, so that the sets are meant to grow with the key.
    point : ndarray of shape (n_events,)
        Index of the point.
    step : ndarray of shape (n_events,)
        +1 for entering, −1 for leaving, as the key rises.
    size : int
        Number of points.
    """

    key: FloatArray
    point: IntArray
    step: IntArray
    size: int

    def split(self, first: int) -> tuple[Moves, Moves]:
        """Return the moves of the first points, and those of the others."""
        early = self.point < first
        late = ~early
        return (
            Moves(self.key[early], self.point[early], self.step[early], first),
            Moves(self.key[late], self.point[late] - first, self.step[late], self.size - first),
        )


def moves(family: SetFamily, X: Any) -> Moves:
    """Return where points enter and leave: entry levels, or the ends of all intervals.

    A point that is inside at the end of the domain where sets are largest never leaves.
    """
    if family.is_nested:
        key = family.orientation * family.first_level(X)
        came = np.flatnonzero(key < np.inf)
        return Moves(key[came], came, np.ones(came.size, dtype=np.int64), key.size)
    intervals = family.intervals(X)
    low, high = family.domain or (-np.inf, np.inf)
    start, end, last = intervals.lower, intervals.upper, high
    if family.orientation == -1:
        start, end, last = -intervals.upper, -intervals.lower, -low
    point = np.repeat(np.arange(len(intervals)), intervals.counts)
    leaves = end < last
    step = np.repeat(np.array([1, -1]), [start.size, int(leaves.sum())])
    return Moves(
        np.concatenate([start, end[leaves]]),
        np.concatenate([point, point[leaves]]),
        step,
        len(intervals),
    )


def running_counts(
    groups: Sequence[tuple[Moves, IntArray]], columns: int
) -> tuple[FloatArray, IntArray]:
    """Count the points of each column that are inside, at every key where that changes.

    Parameters
    ----------
    groups : sequence of (moves, column of each point)
        Events, and in which column a point is counted.
    columns : int
        Number of columns.

    Returns
    -------
    keys : ndarray of shape (n_keys,)
        Ascending. Keys at which all events cancel are left out.
    counts : ndarray of shape (n_keys, columns)
        Numbers just past each key, up to the next.
    """
    key = np.concatenate([move.key for move, _ in groups])
    column = np.concatenate([columns_of[move.point] for move, columns_of in groups])
    step = np.concatenate([move.step for move, _ in groups])
    keys, index = np.unique(key, return_inverse=True)
    cells = np.bincount(index * columns + column, weights=step, minlength=keys.size * columns)
    gained = cells.astype(np.int64).reshape(keys.size, columns)
    changed = gained.any(axis=1)
    return keys[changed], np.cumsum(gained[changed], axis=0)
