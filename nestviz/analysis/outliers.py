"""Outliers ranked by the smallest set that contains them, and what holds each point in.

A natural measure of how outlying a point is, is the volume of the smallest level set around it
(Lee & Scott 2007, section 1). As sets grow the order of the volumes is the order in which points
enter, so the ranking itself needs the levels only; volume and mass say how much it means.

Here sets are taken with their boundary. An exact one-class path keeps its support vectors *on* the
boundary over long ranges of levels, some of them to the end: without it those points would all
count as outside every set, and tie.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.analysis.holders import Holders, RowsAt, holders_at
from nestviz.analysis.ties import TieBreak, Ties
from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.volume.extrapolation import entered_by_extrapolation
from nestviz.volume.reference import Reference, as_reference


@dataclass(frozen=True, eq=False)
class OutlierRanking:
    """Points in the order of how far out they lie; rank 1 is the most abnormal.

    The level is exact, and so is everything that compares levels. ``mass_outside`` and ``score``
    are exact for the ranked points and estimates for the distribution behind them; ``volume`` is
    counted on the reference. The points of a fit help to hold themselves in, so a training point
    looks a little more normal than a new one at the same location.

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
        One more than the number of points that are more abnormal: those that enter later, and of
        the points tied at the same level those with a smaller value of the field there. On the
        boundary that value is zero for all; then the one at the breakpoint before decides. Points
        that it does not tell apart, such as points at the same place, share a rank, and the ranks
        after them are skipped.
    tied : (n,) array
        How many points enter at this level, the point itself included. Where there are several,
        their levels say nothing about the order among them, and the field has decided.
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
        """Rows from the most abnormal to the most normal; equal ranks in the order of the data."""
        return np.argsort(self.rank, kind="stable")

    @cached_property
    def level_rank(self) -> IntArray:
        """The rank by the level alone, (n,): points tied at a level share it."""
        return 1 + self._ties.beyond(self.family.orientation * self.level)

    @cached_property
    def below_solved(self) -> BoolArray:
        """Which points enter below the smallest solved level of the family, (n,).

        The sets there are extrapolated. False for families that have no such level.
        """
        return entered_by_extrapolation(self.family, self.level)

    @property
    def extrapolated(self) -> float:
        """Share of the points that are ranked by extrapolation, below the smallest solved level."""
        return float(self.below_solved.mean())

    def rank_of(self, X: ArrayLike) -> IntArray:
        """The rank that each new point would have: one more than the ranked points beyond it.

        From 1, at least as abnormal as all of them, to n + 1, more normal than all.
        """
        points, entry = np.asarray(X, dtype=np.float64), self._entry(X)
        return 1 + self._ties.beyond(entry) + self._break.beyond(points, entry)

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
            "level_rank": self.level_rank,
            "tied": self.tied,
            "score": self.score,
            "mass_outside": self.mass_outside,
            "level": self.level,
            "extrapolated": self.below_solved,
            "violated": self.violated,
        }
        if self.volume is not None and self.volume_error is not None:
            columns |= {"volume": self.volume, "volume_error": self.volume_error}
        return columns

    @cached_property
    def _ties(self) -> Ties:
        return Ties.among(self.family.orientation * self.level, self.resolution)

    @cached_property
    def _break(self) -> TieBreak:
        entry = self.family.orientation * self.level
        return TieBreak(self.family, self.points, entry, self._ties)

    @cached_property
    def _rows_at(self) -> RowsAt:
        return RowsAt.of(self.points)

    def _entry(self, X: ArrayLike) -> FloatArray:
        """Entries of new points; where a ranked point lies, its own, to the last bit."""
        points = np.asarray(X, dtype=np.float64)
        entry = self.family.orientation * self.family.scan(points).first
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

    The smallest set around x takes in every point that enters before x or together with it as
    the sets grow. Families that are not nested are ranked by their successive union (Lee & Scott
    2007, section 3.4): a point counts as in from its first level on. Ties are broken by the value
    of the field at the level of entry, and still shown: see ``rank`` and ``tied``.

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
        resolution above that keeps its last digits from deciding the order. The field decides.

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
    scan = family.scan(points)
    if not len(points):
        raise ValueError("There are no points to rank.")
    points.setflags(write=False)
    if not (np.isfinite(resolution) and resolution >= 0):
        raise ValueError(f"The resolution must be a finite number from 0 up, not {resolution!r}.")
    entry = family.orientation * scan.first
    ties = Ties.among(entry, resolution)
    beyond = ties.beyond(entry)
    within = TieBreak(family, points, entry, ties).beyond(points, entry)
    volume = volume_error = None
    if reference is not None:
        volume, volume_error = _volumes(family, entry, as_reference(reference))
    return OutlierRanking(
        family=family,
        points=points,
        level=family.orientation * entry,
        mass_outside=beyond / len(points),
        score=1.0 - beyond / len(points),
        rank=beyond + within + 1,
        tied=np.bincount(beyond)[beyond],
        violated=scan.violated,
        resolution=resolution,
        volume=volume,
        volume_error=volume_error,
    )


def _volumes(
    family: SetFamily, entry: FloatArray, reference: Reference
) -> tuple[FloatArray, FloatArray]:
    """Volume of the locations that enter before each entry or together with it, and its error."""
    came_in = family.orientation * family.first_level(reference.points)
    # One estimate per independent scrambling of the reference: their spread is the error.
    ordered = np.sort(came_in.reshape(reference.scramblings, -1), axis=1)
    inside = [np.searchsorted(block, entry, side="right") for block in ordered]
    estimates = reference.volume * np.stack(inside, axis=1) / ordered.shape[1]
    never = entry == np.inf
    volume = np.where(never, np.inf, estimates.mean(axis=1))
    return volume, np.where(never, 0.0, reference.standard_error(estimates))
