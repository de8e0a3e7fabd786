"""Outliers flagged by contamination, and how well known outliers are detected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.outliers import OutlierRanking
from nestviz.arrays import BoolArray


@dataclass(frozen=True, eq=False)
class Flags:
    """The most abnormal share of the ranked points, and the set that excludes just them.

    Attributes
    ----------
    flagged : ndarray of bool of shape (n_points,)
        Which points are flagged.
    threshold : float
        A level whose set, boundary included, contains the other points and none of the flagged
        ones. Infinite where no set does, because a point that is not flagged is outside every set.
    """

    flagged: BoolArray
    threshold: float

    @property
    def count(self) -> int:
        """Return the number of flagged points."""
        return int(np.count_nonzero(self.flagged))


def flag_outliers(ranking: OutlierRanking, contamination: float) -> Flags:
    """Flag the most abnormal points of a ranking.

    Points that tie at a level are flagged together or not at all, since no set separates them; so
    never more points are flagged than the given share.

    Parameters
    ----------
    ranking : OutlierRanking
        From `nestviz.analysis.outlier_ranking`.
    contamination : float
        Share of points to flag, from 0 to 1, as in scikit-learn and PyOD.

    Returns
    -------
    Flags

    Examples
    --------
    >>> from nestviz import ParzenLevelSets
    >>> from nestviz.analysis import outlier_ranking
    >>> X = [[0.0], [0.1], [0.3], [5.0]]
    >>> ranking = outlier_ranking(ParzenLevelSets(sigma=0.5).fit(X).family_, X)
    >>> flag_outliers(ranking, 0.25).flagged
    array([False, False, False,  True])
    """
    if not 0 <= contamination <= 1:
        raise ValueError(f"contamination must be a share from 0 to 1, not {contamination!r}.")
    # Shares are counted in points: 0.3 of ten points are three, whatever the rounding.
    most = np.floor(contamination * len(ranking) + 1e-9)
    flagged = np.asarray(ranking.level_rank + ranking.tied - 1 <= most)
    return Flags(flagged, _threshold(ranking, flagged))


def _threshold(ranking: OutlierRanking, flagged: BoolArray) -> float:
    """Return the middle between the last flagged level and the first other one."""
    turn = -ranking.family.orientation
    heights = turn * ranking.level
    kept = heights[~flagged].min(initial=np.inf)
    out = heights[flagged].max(initial=-np.inf)
    if np.isinf(kept):
        # No point is kept: any level beyond the smallest set. Or one that is outside every set.
        return float(turn * (out if kept > 0 else kept))
    if np.isinf(out):
        low, high = ranking.family.domain or (-np.inf, np.inf)
        end = min(turn * low, turn * high)
        out = end if np.isfinite(end) else kept - abs(kept)
    return float(turn * (out + (kept - out) / 2.0))


def detection_auc(ranking: OutlierRanking, known: ArrayLike) -> float:
    """Compute the AUC of a ranking for points known to be abnormal.

    It is the probability that an abnormal point ranks before another one; ties count one half.

    Parameters
    ----------
    ranking : OutlierRanking
        Ranks the points.
    known : array-like of bool of shape (n_points,)
        Which points are abnormal: some, but not all.

    Returns
    -------
    float
    """
    abnormal = np.asarray(known, dtype=np.bool_)
    if abnormal.shape != (len(ranking),) or abnormal.all() or not abnormal.any():
        raise ValueError(
            f"known needs one mark per ranked point ({len(ranking)}), some True and some False."
        )
    others = np.sort(ranking.rank[~abnormal])
    mine = ranking.rank[abnormal]
    # A smaller rank is more abnormal: count the others that come after, and half of the ties.
    after = others.size - np.searchsorted(others, mine, side="right")
    tied = np.searchsorted(others, mine, side="right") - np.searchsorted(others, mine, side="left")
    return float((after + tied / 2.0).sum() / (mine.size * others.size))
