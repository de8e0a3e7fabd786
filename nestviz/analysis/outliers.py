"""Outliers ranked by the smallest set that contains them, and what holds each point in.

A natural measure of how outlying a point is, is the volume of the smallest level set around it
(Lee & Scott 2007, section 1). As sets grow the order of the volumes is the order in which points
come in, so the ranking itself needs the levels only; volume and mass say how much it means.

Here sets are taken with their boundary. An exact one-class path keeps its support vectors *on* the
boundary over long stretches of levels, some of them to the end: without it those points would all
count as outside every set, and tie.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.analysis.holders import Holders, RowsAt, holders_at
from nestviz.analysis.ranking import scan_points
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.volume.reference import Reference, as_reference

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class OutlierRanking:
    """Points in the order of how far out they lie; rank 1 is the most abnormal.

    The level is exact, and so is everything that compares levels. ``mass_outside`` and ``score``
    are exact for the ranked points and estimates for the distribution behind them; ``volume`` is
    counted on the reference. The points of a fit help to hold themselves in, so a training point
    looks a little more normal than a new one at the same place.

    Attributes
    ----------
    level : (n,) array
        Level of exit, from which on no smaller set contains the point: s+ in the family's own
        level, or the level at which the point first reaches the boundary. Infinite, on the side
        of the large sets, for a point outside every set.
    mass_outside : (n,) array
        Share of the ranked points strictly outside the smallest set that contains this one, so
        more abnormal than it.
    score : (n,) array
        1 − ``mass_outside``: the share of the ranked points that the smallest set around this
        point takes in. 1 for the most abnormal point, and for every point tied with it.
    rank : (n,) array
        One more than the number of points that are strictly more abnormal. Tied points share a
        rank, and the ranks after them are skipped.
    tied : (n,) array
        How many points share this rank, the point itself included.
    resolution : float
        Levels no further apart than this are tied.
    violated : (n,) array
        Where membership is not monotone in the level and another ranking is as well founded: the
        one by s−. False throughout for nested families.
    volume : (n,) array or None
        Volume of the smallest set that contains the point, within the reference; infinite for a
        point outside every set. None without a reference.
    volume_error : (n,) array or None
        Standard error of ``volume``, as the reference states it; zero for pixels.
    """

    family: SetFamily
    points: FloatArray
    level: FloatArray
    mass_outside: FloatArray
    score: FloatArray
    rank: IntArray
    tied: IntArray
    violated: BoolArray
    resolution: float = 0.0
    volume: FloatArray | None = None
    volume_error: FloatArray | None = None

    def __len__(self) -> int:
        return self.level.size

    @property
    def order(self) -> IntArray:
        """Rows from the most abnormal to the most normal; ties in the order of the data."""
        return np.argsort(self.rank, kind="stable")

    def rank_of(self, X: ArrayLike) -> IntArray:
        """The rank that each new point would have: one more than the ranked points beyond it.

        From 1, at least as abnormal as all of them, to n + 1, more normal than all.
        """
        return 1 + self._ties.beyond(self._entry(X))

    def score_of(self, X: ArrayLike) -> FloatArray:
        """The score of new points: the share of the ranked points that are no more abnormal."""
        return 1.0 - self._ties.beyond(self._entry(X)) / len(self)

    def holders(self, row: int, k: int = 5) -> Holders:
        """The k kernels that contribute most to keeping a ranked point inside."""
        if not -len(self) <= row < len(self):
            raise IndexError(f"There are {len(self)} ranked points; row {row} is not one of them.")
        return holders_at(self.family, self.points[row], float(self.level[row]), k, self._rows_at)

    def holders_of(self, point: ArrayLike, k: int = 5) -> Holders:
        """The same for a new point."""
        x = np.asarray(point, dtype=np.float64)
        if x.ndim != 1:
            raise ValueError(f"Ask about one point at a time, not an array of shape {x.shape}.")
        entry = float(self._entry(x[None])[0])
        return holders_at(self.family, x, self.family.orientation * entry, k, self._rows_at)

    def to_table(self) -> dict[str, NDArray[np.generic]]:
        """Columns of one row per point, in the order of the data."""
        columns: dict[str, NDArray[np.generic]] = {
            "row": np.arange(len(self)),
            "rank": self.rank,
            "tied": self.tied,
            "score": self.score,
            "mass_outside": self.mass_outside,
            "level": self.level,
            "violated": self.violated,
        }
        if self.volume is not None and self.volume_error is not None:
            columns |= {"volume": self.volume, "volume_error": self.volume_error}
        return columns

    @cached_property
    def _ties(self) -> _Ties:
        return _Ties.among(self.family.orientation * self.level, self.resolution)

    @cached_property
    def _rows_at(self) -> RowsAt:
        return RowsAt.of(self.points)

    def _entry(self, X: ArrayLike) -> FloatArray:
        """Entries of new points; where a ranked point lies, its own, to the last bit."""
        points = np.asarray(X, dtype=np.float64)
        entry = self.family.orientation * scan_points(self.family, points).first
        for row, point in enumerate(points):
            same = self._rows_at.find(point)
            if same.size:
                entry[row] = self.family.orientation * self.level[same[0]]
        return entry


def outlier_ranking(
    family: SetFamily,
    X: ArrayLike,
    reference: Reference | Grid | None = None,
    *,
    resolution: float = 0.0,
) -> OutlierRanking:
    """Rank points by the smallest set of a family that contains them.

    The smallest set around x takes in every point that comes in before x or together with it as
    the sets grow. Families that are not nested are ranked by their successive union (Lee & Scott
    2007, section 3.4): a point counts as in from its first level on.

    Parameters
    ----------
    family : SetFamily
        Any family.
    X : (n, d) array
        The points to rank, usually those of the fit.
    reference : Reference or Grid, optional
        Where the volume of the sets is counted: `uniform_reference` of the data in any dimension,
        or a grid of pixels in two. Without it there are ranks, masses and scores, but no volumes.
    resolution : float
        Levels no further apart than this are tied, and so is a chain of them. Nested fits of a
        few levels put many points at exactly the same level, up to the solver's tolerance; a
        resolution above that keeps its last digits from deciding the order.

    Returns
    -------
    OutlierRanking

    Examples
    --------
    >>> from nestviz import ParzenLevelSets
    >>> X = [[0.0], [0.1], [0.3], [5.0]]
    >>> outlier_ranking(ParzenLevelSets(sigma=0.5).fit(X).family_, X).rank
    array([3, 4, 2, 1])
    """
    points = np.array(X, dtype=np.float64)
    scan = scan_points(family, points)
    if not len(points):
        raise ValueError("There are no points to rank.")
    points.setflags(write=False)
    if not (np.isfinite(resolution) and resolution >= 0):
        raise ValueError(f"The resolution must be a finite number from 0 up, not {resolution!r}.")
    entry = family.orientation * scan.first
    beyond = _Ties.among(entry, resolution).beyond(entry)
    volume = volume_error = None
    if reference is not None:
        volume, volume_error = _volumes(family, entry, as_reference(reference))
    return OutlierRanking(
        family=family,
        points=points,
        level=family.orientation * entry,
        mass_outside=beyond / len(points),
        score=1.0 - beyond / len(points),
        rank=beyond + 1,
        tied=np.bincount(beyond)[beyond],
        violated=scan.violated,
        resolution=resolution,
        volume=volume,
        volume_error=volume_error,
    )


class _Ties(NamedTuple):
    """Entries in order, cut into groups of ties; ``ends`` is where the group of each one ends."""

    ordered: FloatArray
    ends: IntArray
    resolution: float

    @classmethod
    def among(cls, entry: FloatArray, resolution: float) -> _Ties:
        ordered = np.sort(entry)
        # Compared by sums: the difference of two infinities is not a number.
        last = np.append(ordered[1:] > ordered[:-1] + resolution, True)
        stops = np.flatnonzero(last) + 1
        ends = np.repeat(stops, np.diff(stops, prepend=0))
        return cls(ordered, ends, resolution)

    def beyond(self, entry: FloatArray) -> IntArray:
        """How many entries lie strictly beyond each given one, its ties not counted."""
        n = self.ordered.size
        place = np.searchsorted(self.ordered, entry, side="right")
        following = np.append(self.ordered, np.inf)[place]
        joins = (place < n) & (following <= entry + self.resolution)
        return n - np.where(joins, np.append(self.ends, n)[place], place)


def _volumes(
    family: SetFamily, entry: FloatArray, reference: Reference
) -> tuple[FloatArray, FloatArray]:
    """Volume of the places that come in before each entry or together with it, and its error."""
    came_in = family.orientation * family.first_level(reference.points)
    # One estimate per independent scrambling of the reference: their spread is the error.
    ordered = np.sort(came_in.reshape(reference.scramblings, -1), axis=1)
    inside = [np.searchsorted(block, entry, side="right") for block in ordered]
    estimates = reference.volume * np.stack(inside, axis=1) / ordered.shape[1]
    never = entry == np.inf
    volume = np.where(never, np.inf, estimates.mean(axis=1))
    return volume, np.where(never, 0.0, reference.standard_error(estimates))
