"""Outlier ranks with intervals: how far they change from sample to sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.analysis.outliers import outlier_ranking
from nestviz.analysis.resampling.draws import Resampling, checked_share
from nestviz.analysis.resampling.refits import fit_whole, refit
from nestviz.arrays import FloatArray, IntArray
from nestviz.families import SetFamily
from nestviz.solvers.records import Callback

USUAL = Resampling(method="subsample")


@dataclass(frozen=True, eq=False)
class RankIntervals:
    """The rank of every point in the data and in each resample; rank 1 is the most abnormal.

    A resample ranks the points that were drawn, as a point that was not would lack the support that
    every point gives to itself. Their ranks are stated on the scale of the data: the point at
    position r among those drawn has the rank that the data give to the r-th of the same points. So
    ranks differ from those of the data only where the order does.

    Attributes
    ----------
    rank : ndarray of shape (n_points,)
        Rank by the sets of all points.
    ranks : ndarray of shape (n_resamples, n_points)
        Rank by the sets of each resample, on the scale of the data; 0 for points not drawn.
    levels : ndarray of shape (n_resamples, n_points)
        The level at which the point first enters, in each resample; NaN for points not drawn.
    complete : bool
        False when a callback stopped before all resamples were finished.
    """

    rank: IntArray
    ranks: NDArray[np.int32]
    levels: FloatArray
    complete: bool

    @property
    def drawn(self) -> IntArray:
        """Return in how many resamples each point was drawn."""
        return np.count_nonzero(self.ranks, axis=0).astype(np.int64)

    def interval(self, share: float = 0.9) -> tuple[IntArray, IntArray]:
        """Return the range of ranks of each point in a share of the resamples that drew it.

        Parameters
        ----------
        share : float
            In (0, 1); as much is left out below as above.

        Returns
        -------
        low, high : ndarray of shape (n_points,)
            Ranks; the low one is the more abnormal. 1 and n for a point that was never drawn.
        """
        n = self.ranks.shape[1]
        ranks = np.where(self.ranks > 0, self.ranks, np.inf)
        low, high = _ends(ranks, self.drawn, share)
        low, high = np.where(self.drawn > 0, low, 1), np.where(self.drawn > 0, high, n)
        return low.astype(np.int64), high.astype(np.int64)

    def level_interval(self, share: float = 0.9) -> tuple[FloatArray, FloatArray]:
        """Return the range of entry levels of each point in a share of the resamples that drew it.

        In a sample of fewer points each has a larger part of the sum, so that points on their own
        enter at higher levels than in the data.

        Parameters
        ----------
        share : float
            In (0, 1); as much is left out below as above.

        Returns
        -------
        low, high : ndarray of shape (n_points,)
            Levels of the family; NaN for a point that was never drawn.
        """
        low, high = _ends(self.levels, self.drawn, share)
        return np.where(self.drawn > 0, low, np.nan), np.where(self.drawn > 0, high, np.nan)

    def in_top(self, count: int) -> FloatArray:
        """Return in which share of the resamples each point is among the most abnormal.

        Parameters
        ----------
        count : int
            How many are the most abnormal, on the scale of the data.

        Returns
        -------
        ndarray of shape (n_points,)
            Shares of the resamples that drew the point; NaN for one that was never drawn.
        """
        if count < 1:
            raise ValueError(f"count must be 1 or more, not {count!r}.")
        within = ((self.ranks > 0) & (self.ranks <= count)).sum(axis=0)
        return np.where(self.drawn > 0, within / np.maximum(self.drawn, 1), np.nan)

    def to_table(self, share: float = 0.9) -> dict[str, Sequence[object]]:
        """Return the columns of a table with one row per point, in the order of the data.

        Parameters
        ----------
        share : float
            As in `interval`.

        Returns
        -------
        dict of str to sequence
            Columns by name.
        """
        low, high = self.interval(share)
        return {"rank": self.rank.tolist(), "rank_low": low.tolist(), "rank_high": high.tolist()}


def rank_intervals(
    estimator: Any,
    X: ArrayLike,
    *,
    resolution: float = 0.0,
    stands_for: ArrayLike | None = None,
    resampling: Resampling | None = None,
    n_jobs: int | None = None,
    callback: Callback | None = None,
) -> RankIntervals:
    """Rank the points of each resample by its sets.

    Parameters
    ----------
    estimator : estimator
        One of one class with a ``family_``; it is cloned. A rule for its width is applied once, to
        all points.
    X : array-like of shape (n_points, n_features)
        The data.
    resolution : float
        Levels no further apart than this are tied, as in `outlier_ranking`.
    stands_for : array-like of shape (n_points,), optional
        How many rows each point stands for, such as the weights of centres; by default one.
    resampling : Resampling, optional
        How samples are drawn; by default 200 times half of the points, without replacement. With
        replacement, a point drawn twice would support itself twice.
    n_jobs : int, optional
        Number of threads, as in joblib. The result does not depend on it.
    callback : callable, optional
        Called with a `Progress` after each resample. When it returns a true value, the ranks of the
        resamples that are finished are returned.

    Returns
    -------
    RankIntervals
        Ranks as in `outlier_ranking`.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz import ParzenLevelSets
    >>> X = np.append(np.linspace(-1.0, 1.0, 30), 4.0)[:, None]
    >>> found = rank_intervals(ParzenLevelSets(0.3), X, resampling=Resampling(50))
    >>> [int(end[-1]) for end in found.interval()]
    [1, 1]
    """
    plan, whole = resampling or USUAL, fit_whole(estimator, X, None, stands_for)
    points = whole.points
    rank = outlier_ranking(whole.family, points, resolution=resolution).rank

    def ranked(family: SetFamily, drawn: IntArray) -> tuple[NDArray[np.int32], FloatArray]:
        rows = np.flatnonzero(drawn)
        found = outlier_ranking(family, points[rows], resolution=resolution)
        ranks, levels = np.zeros(len(points), np.int32), np.full(len(points), np.nan)
        ranks[rows], levels[rows] = np.sort(rank[rows])[found.rank - 1], found.level
        return ranks, levels

    found, counts = refit(whole, plan, ranked, n_jobs, callback)
    shape = len(counts), len(points)
    return RankIntervals(
        rank,
        np.array([ranks for ranks, _ in found], dtype=np.int32).reshape(shape),
        np.array([levels for _, levels in found]).reshape(shape),
        len(counts) == plan.resamples,
    )


def _ends(values: FloatArray, drawn: IntArray, share: float) -> tuple[FloatArray, FloatArray]:
    """Return two values of each column, of which the first ones in order are known."""
    tail = (1.0 - checked_share(share)) / 2.0
    if not len(values):
        raise ValueError("No resample was finished, so there are no intervals.")
    ordered, spared = np.sort(values, axis=0), np.floor(tail * drawn + 1e-9).astype(np.int64)
    columns = np.arange(values.shape[1])
    return ordered[spared, columns], ordered[np.maximum(drawn - 1 - spared, 0), columns]
