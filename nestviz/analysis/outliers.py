"""Outliers ranked by the smallest set that contains them, and the kernels that explain a rank.

A natural measure of how outlying a point is, is the volume of the smallest level set around it (Lee
& Scott 2007, section 1). As sets grow, the order of the volumes is the order in which points enter,
so the ranking needs the levels only; volume and mass say how much it means.

Sets include their boundary. An exact one-class path keeps its support vectors *on* the boundary
over long ranges of levels, some to the end: without it those points would all tie as outside every
set.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.analysis.contributions import Contributions, RowsAt, contributions_at
from nestviz.analysis.set_volumes import SetVolumes
from nestviz.analysis.ties import TieBreak, Ties
from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.volume.extrapolation import entered_by_extrapolation
from nestviz.volume.reference import Reference

ScoreBy = Literal["mass", "volume"]


@dataclass(frozen=True, eq=False)
class OutlierRanking:
    """Points in the order of abnormality; rank 1 is the most abnormal.

    Levels are exact, and so is everything that compares levels. ``mass_outside`` and ``score`` are
    exact for the ranked points and estimates for the distribution; ``volume`` is counted on the
    reference. A training point contributes to its own field, so it looks slightly more normal than
    a new point at the same location.

    Attributes
    ----------
    family : SetFamily
        The sets.
    points : ndarray of shape (n_points, n_features)
        The ranked points.
    level : ndarray of shape (n_points,)
        Exit level, beyond which no smaller set contains the point: s+ in the family's own level.
        Infinite, on the side of the large sets, for a point outside every set.
    mass_outside : ndarray of shape (n_points,)
        Share of the ranked points strictly outside the smallest set that contains this one.
    score : ndarray of shape (n_points,)
        The anomaly score; higher is more abnormal. By mass: 1 − ``mass_outside``, the share of the
        ranked points in the smallest set around this point, 1 for the most abnormal point and for
        every point tied with it. By volume: ``volume``.
    rank : ndarray of shape (n_points,)
        One more than the number of more abnormal points: those that enter later, and of the points
        tied at the same level those with a smaller field there. On the boundary the field is zero
        for all; then its value at the previous breakpoint decides, and then the distance to the
        nearest other point, the farther the more abnormal. Points that neither separates, such as
        coincident ones, share a rank, and the ranks after them are skipped.
    tied : ndarray of shape (n_points,)
        Number of points that enter at this level, the point itself included. Where there are
        several, the field has decided the order among them.
    violated : ndarray of bool of shape (n_points,)
        Where membership is not monotone in the level, so that the ranking by s− is as well founded.
        False throughout for nested families.
    resolution : float
        Levels no further apart than this are tied.
    volume : ndarray of shape (n_points,) or None
        Volume of the smallest set that contains the point, within the reference; infinite for a
        point outside every set. None without a reference.
    volume_error : ndarray of shape (n_points,) or None
        Standard error of ``volume``; zero for pixels.
    score_by : {"mass", "volume"}
        What ``score`` is.
    volumes : SetVolumes or None
        The volume of every set. None without a reference.
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
    score_by: ScoreBy = "mass"
    volumes: SetVolumes | None = None

    def __len__(self) -> int:
        return self.level.size

    @property
    def order(self) -> IntArray:
        """Return rows from the most abnormal to the most normal; ties in the order of the data."""
        return np.argsort(self.rank, kind="stable")

    def scored_by(self, score: ScoreBy) -> OutlierRanking:
        """Return the same ranking with another score; volumes need a reference."""
        if score == "volume" and self.volume is not None:
            return replace(self, score=self.volume, score_by=score)
        if score != "mass":
            raise ValueError(f'score must be "mass", or "volume" with a reference, not {score!r}.')
        return replace(self, score=1.0 - self.mass_outside, score_by=score)

    @cached_property
    def level_rank(self) -> IntArray:
        """Return the rank by the level alone; points tied at a level share it."""
        return 1 + self._ties.beyond(self.family.orientation * self.level)

    @cached_property
    def below_solved(self) -> BoolArray:
        """Return which points enter below the smallest solved level, where sets are extrapolated.

        False for families that have no such level.
        """
        return entered_by_extrapolation(self.family, self.level)

    @property
    def extrapolated(self) -> float:
        """Return the share of the points that enter below the smallest solved level."""
        return float(self.below_solved.mean())

    def rank_of(self, X: ArrayLike) -> IntArray:
        """Return the rank that each new point would have.

        From 1, at least as abnormal as all ranked points, to n + 1, more normal than all.
        """
        points, entry = np.ascontiguousarray(X, dtype=np.float64), self._entry(X)
        return 1 + self._ties.beyond(entry) + self._break.beyond(points, entry)

    def score_of(self, X: ArrayLike) -> FloatArray:
        """Return the score of new points.

        The share of ranked points no more abnormal, or the volume of the smallest set around each.
        """
        entry = self._entry(X)
        if self.score_by == "volume" and self.volumes is not None:
            return self.volumes.up_to(entry)[0]
        return 1.0 - self._ties.beyond(entry) / len(self)

    def contributions(self, row: int, k: int = 5) -> Contributions:
        """Return the k largest terms of the field of a ranked point at its exit level."""
        if not -len(self) <= row < len(self):
            raise IndexError(f"There are {len(self)} ranked points; there is no row {row}.")
        level = float(self.level[row])
        return contributions_at(self.family, self.points[row], level, k, self._rows_at)

    def contributions_of(self, point: ArrayLike, k: int = 5) -> Contributions:
        """Return the k largest terms of the field of a new point at its exit level."""
        x = np.asarray(point, dtype=np.float64)
        if x.ndim != 1:
            raise ValueError(f"Give one point at a time, not an array of shape {x.shape}.")
        level = self.family.orientation * float(self._entry(x[None])[0])
        return contributions_at(self.family, x, level, k, self._rows_at)

    def to_table(self) -> dict[str, NDArray[np.generic]]:
        """Return the ranking as columns, one row per point in the order of the data."""
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
        """Return entries of new points; at a ranked point exactly its own."""
        points = np.ascontiguousarray(X, dtype=np.float64)
        entry = self.family.orientation * self.family.scan(points).first
        for row, point in enumerate(points):
            same = self._rows_at.find(point)
            if same.size:
                entry[row] = self.family.orientation * self.level[same[0]]
        return entry


def outlier_ranking(
    family: SetFamily,
    X: ArrayLike,
    reference: Reference | Grid | SetVolumes | None = None,
    *,
    resolution: float = 0.0,
    score: ScoreBy = "mass",
) -> OutlierRanking:
    """Rank points by the smallest set of a family that contains them.

    The smallest set around x contains every point that enters before x or together with it as the
    sets grow. Families that are not nested are ranked by their successive union (Lee & Scott 2007,
    section 3.4): a point counts as inside from its first level on. Ties are broken by the field at
    the entry level, and reported: see ``rank`` and ``tied`` of `OutlierRanking`.

    Parameters
    ----------
    family : SetFamily
        Any family.
    X : array-like of shape (n_points, n_features)
        The points to rank, usually the training points.
    reference : Reference or Grid, optional
        Where the volume of the sets is counted: `uniform_reference` of the data in any dimension,
        or a grid of pixels in two. Without it there are no volumes. A `SetVolumes` of the family
        has them already.
    resolution : float
        Levels no further apart than this are tied, and so is a chain of them. Nested fits of a few
        levels put many points at exactly the same level, up to the solver's tolerance; a resolution
        above that keeps its last digits from deciding the order.
    score : {"mass", "volume"}
        The anomaly score: the share of the points in the smallest set around each one, or the
        volume of that set, as proposed by Lee & Scott (2007). Ranks are the same. Volumes need a
        reference; one of volume 1 gives shares of its box.

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
        raise ValueError(f"resolution must be finite and not negative, not {resolution!r}.")
    entry = family.orientation * scan.first
    ties = Ties.among(entry, resolution)
    beyond = ties.beyond(entry)
    within = TieBreak(family, points, entry, ties).beyond(points, entry)
    volumes: SetVolumes | None = None
    volume = volume_error = None
    if reference is not None:
        if isinstance(reference, SetVolumes):
            volumes = reference
        else:
            volumes = SetVolumes.of(family, reference)
        volume, volume_error = volumes.up_to(entry)
    ranking = OutlierRanking(
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
        volumes=volumes,
    )
    return ranking if score == "mass" else ranking.scored_by(score)
