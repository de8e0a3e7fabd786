"""Outliers by a share or a level: contamination, threshold, and how well known ones are found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.outliers import OutlierRanking
from nestviz.arrays import BoolArray


@dataclass(frozen=True, eq=False)
class Flags:
    """The most abnormal share of the ranked points, and the set that leaves just them out.

    Attributes
    ----------
    flagged : (n,) array
        Which points are flagged.
    threshold : float
        A level between the flagged points and the others: its set, boundary included, holds the
        others and none of the flagged. Infinite where no set does, because a point that is not
        flagged is in none.
    """

    flagged: BoolArray
    threshold: float

    @property
    def count(self) -> int:
        """Number of flagged points."""
        return int(np.count_nonzero(self.flagged))


def flag_outliers(ranking: OutlierRanking, contamination: float) -> Flags:
    """Flag the most abnormal points of a ranking.

    ``contamination`` is the share of points to flag, as in scikit-learn and PyOD. Points that tie
    at a level are flagged together or not at all, since no set parts them: never more than the
    share asked for.

    Parameters
    ----------
    ranking : OutlierRanking
        From `nestviz.analysis.outliers.outlier_ranking`.
    contamination : float
        From 0 (no point) to 1.

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
        raise ValueError(f"The contamination is a share from 0 to 1, not {contamination!r}.")
    # Shares are counted in points: 0.3 of ten of them are three, whatever the rounding.
    most = np.floor(contamination * len(ranking) + 1e-9)
    flagged = np.asarray(ranking.level_rank + ranking.tied - 1 <= most)
    return Flags(flagged, _threshold(ranking, flagged))


def _threshold(ranking: OutlierRanking, flagged: BoolArray) -> float:
    """Halfway between the last flagged level and the first other one, where both are finite."""
    turn = -ranking.family.orientation
    heights = turn * ranking.level
    kept = heights[~flagged].min(initial=np.inf)
    out = heights[flagged].max(initial=-np.inf)
    if np.isinf(kept):
        # Nobody is kept: any level beyond the smallest set. Or somebody is who is in no set.
        return float(turn * (out if kept > 0 else kept))
    if np.isinf(out):
        low, high = ranking.family.domain or (-np.inf, np.inf)
        end = min(turn * low, turn * high)
        out = end if np.isfinite(end) else kept - abs(kept)
    return float(turn * (out + (kept - out) / 2.0))


def detection_auc(ranking: OutlierRanking, known: ArrayLike) -> float:
    """How well a ranking finds points known to be abnormal, as an area under the ROC curve.

    The probability that one of them ranks before one of the others, ties counting one half: 1 is
    perfect, 0.5 is chance.

    Parameters
    ----------
    ranking : OutlierRanking
        Ranks the points.
    known : (n,) array of bool
        Which points are abnormal; some of them must be, and some not.
    """
    abnormal = np.asarray(known, dtype=np.bool_)
    if abnormal.shape != (len(ranking),) or abnormal.all() or not abnormal.any():
        raise ValueError(
            f"There must be one mark per ranked point ({len(ranking)}), some True and some False."
        )
    others = np.sort(ranking.rank[~abnormal])
    mine = ranking.rank[abnormal]
    # A smaller rank is more abnormal: count the others that come after, and half of the ties.
    after = others.size - np.searchsorted(others, mine, side="right")
    tied = np.searchsorted(others, mine, side="right") - np.searchsorted(others, mine, side="left")
    return float((after + tied / 2.0).sum() / (mine.size * others.size))
