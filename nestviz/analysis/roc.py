"""ROC curves of families of sets, their area, and the area minus the ranking disagreement.

Every level θ gives a detector: inside G_θ or not. Points that belong inside (+1) give its detection
rate P_D, the others (−1) its false alarm rate P_F. The levels together trace a curve (Lee & Scott
2010, section VI).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.analysis.ranking import scores_of
from nestviz.arrays import FloatArray, IntArray
from nestviz.families import SetFamily
from nestviz.scan_results import Intervals
from nestviz.volume.extrapolation import extrapolated_share, extrapolated_share_of


@dataclass(frozen=True, eq=False)
class RocCurve:
    """Detection rate against false alarm rate, from the smallest set to the largest.

    Exact for the points it was computed from; estimates for the distributions behind them.

    Attributes
    ----------
    levels : ndarray of shape (k, 2)
        The range of levels, ascending, in which no point changes sides. The empty set and the whole
        space, added where no level gives them, have two equal infinities.
    false_alarm : ndarray of shape (k,)
        P_F, the share of the −1 points inside.
    detection : ndarray of shape (k,)
        P_D, the share of the +1 points inside.
    extrapolated : float
        Share of all points that enter below the smallest solved level of the family and are
        therefore ranked by extrapolation. 0 for families without such a level.
    """

    levels: FloatArray
    false_alarm: FloatArray
    detection: FloatArray
    extrapolated: float = 0.0

    @property
    def is_monotone(self) -> bool:
        """Return whether both rates only rise as the sets grow, as for nested sets."""
        rises = (np.diff(self.false_alarm) >= 0) & (np.diff(self.detection) >= 0)
        return bool(rises.all())

    def sorted_rates(self) -> tuple[FloatArray, FloatArray]:
        """Return P_F and P_D sorted by P_F, then by P_D: the curve whose area is computed."""
        order = np.lexsort((self.detection, self.false_alarm))
        return self.false_alarm[order], self.detection[order]

    def rates_at(self, level: float) -> tuple[float, float]:
        """Return P_F and P_D at a level; of the largest set where no level is as high."""
        here = (self.levels[:, 0] <= level) & (level <= self.levels[:, 1])
        at = int(here.argmax()) if here.any() else -1
        return float(self.false_alarm[at]), float(self.detection[at])

    @property
    def area(self) -> float:
        """Return the AUC: the area under the sorted rates, by trapezoids."""
        x, y = self.sorted_rates()
        return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)

    @property
    def area_without_ties(self) -> float:
        """Return the area under the sorted rates by lower steps: ties count as errors."""
        x, y = self.sorted_rates()
        return float(np.sum(np.diff(x) * np.minimum(y[1:], y[:-1])))


def roc_curve(family: SetFamily, X: ArrayLike, y: ArrayLike) -> RocCurve:
    """Trace the ROC curve of a family as its level moves.

    Rates are computed on every range of levels in which no point changes sides, so no level is left
    out. The curve starts at the empty set, (0, 0), and ends at the whole space, (1, 1); either is
    added where no level gives it. Nested sets give the ordinary ROC of the entry level, with points
    of equal level entering together. Other sets may shrink on the way, so the curve may run back
    and forth; the area is then computed after sorting the rates by P_F and P_D.

    Parameters
    ----------
    family : SetFamily
        Any family.
    X : array-like of shape (n_points, n_features)
        Points of both kinds.
    y : array-like of shape (n_points,)
        +1 for points that belong inside (the positive class, or nominal points), −1 for the others.

    Returns
    -------
    RocCurve

    Examples
    --------
    >>> from nestviz import ParzenLevelSets
    >>> family = ParzenLevelSets(sigma=1.0).fit([[0.0], [0.2]]).family_
    >>> roc_curve(family, [[0.1], [0.3], [2.0], [0.4]], [1, 1, -1, -1]).area
    1.0
    """
    signs = _checked_labels(y)
    if _single_or_nested(family):
        first = family.scan(X).first
        share = extrapolated_share(family, first)
        return replace(curve_of_entries(family, first, signs), extrapolated=share)
    curve = _traced_curve(family, X, signs)
    return replace(curve, extrapolated=extrapolated_share_of(family, X))


def auc(family: SetFamily, X: ArrayLike, y: ArrayLike) -> float:
    """Return the area under `roc_curve`.

    For nested sets it is the probability that a +1 ranks above a −1; ties count one half.

    Parameters
    ----------
    family, X, y
        As in `roc_curve`.

    Returns
    -------
    float
    """
    return roc_curve(family, X, y).area


def auc_minus_disagreement(family: SetFamily, X: ArrayLike, y: ArrayLike) -> float:
    """Return AUC − d(s+, s−) over the same points (Lee & Scott 2010, section VI-D, Fig. 12).

    Parameters
    ----------
    family, X, y
        As in `roc_curve`.

    Returns
    -------
    float
    """
    signs = _checked_labels(y)
    scan = family.scan(X)
    if _single_or_nested(family):
        return curve_of_entries(family, scan.first, signs).area
    disagreement = scores_of(scan, family.orientation).disagreement
    return _traced_curve(family, X, signs).area - disagreement


def curve_of_entries(family: SetFamily, first: FloatArray, signs: IntArray) -> RocCurve:
    """Return the curve of points that enter one after the other, by their first level."""
    _check_lengths(first.size, signs.size)
    came_in, position = np.unique(family.orientation * first, return_inverse=True)
    gained = _count(position, signs, came_in.size)
    # Points outside every set enter with the whole space.
    ever = came_in < np.inf
    start, end = _growing_domain(family)
    edges = np.concatenate([came_in[ever], [end]])
    inside = np.cumsum(gained[:, ever], axis=1)
    if edges[0] > start:
        edges = np.concatenate([[start], edges])
        inside = np.concatenate([np.zeros((2, 1)), inside], axis=1)
    return _curve(family, edges, inside, signs)


def _traced_curve(family: SetFamily, X: ArrayLike, signs: IntArray) -> RocCurve:
    """Return the curve of points that enter and leave at the ends of their intervals."""
    points = np.ascontiguousarray(X, dtype=np.float64)
    _check_lengths(len(points), signs.size)
    points, position = np.unique(points, axis=0, return_inverse=True)
    inside = _count(position, signs, len(points))
    return _curve_of_intervals(family, family.intervals(points), inside, signs)


def curve_of_intervals(family: SetFamily, intervals: Intervals, signs: IntArray) -> RocCurve:
    """Return the curve of points from the intervals of levels at which each is inside."""
    _check_lengths(len(intervals), signs.size)
    single = np.stack([signs == -1, signs == 1]).astype(np.float64)
    return _curve_of_intervals(family, intervals, single, signs)


def _curve_of_intervals(
    family: SetFamily, intervals: Intervals, numbers: FloatArray, signs: IntArray
) -> RocCurve:
    """Return the curve; ``numbers`` of points of each sign stand for each row of intervals."""
    weights = np.repeat(numbers, intervals.counts, axis=1)
    lower, upper = intervals.lower, intervals.upper
    if family.orientation == -1:
        lower, upper = -upper, -lower
    edges, at = np.unique(
        np.concatenate([lower, upper, _growing_domain(family)]), return_inverse=True
    )
    change = np.array(
        [
            np.bincount(at[:-2], np.concatenate([weight, -weight]), minlength=edges.size)
            for weight in weights
        ]
    )
    return _curve(family, edges, np.cumsum(change, axis=1)[:, :-1], signs)


def _curve(family: SetFamily, edges: FloatArray, inside: FloatArray, signs: IntArray) -> RocCurve:
    """Turn counts inside between successive edges, in the direction of growth, into rates."""
    totals = _count(np.zeros(signs.size, dtype=np.intp), signs, 1)
    spans = np.column_stack([edges[:-1], edges[1:]])
    if not inside.size or inside[:, 0].any():
        spans = np.concatenate([[[-np.inf, -np.inf]], spans])
        inside = np.concatenate([np.zeros((2, 1)), inside], axis=1)
    if np.any(inside[:, -1:] < totals):
        spans = np.concatenate([spans, [[np.inf, np.inf]]])
        inside = np.concatenate([inside, totals], axis=1)
    rates = inside / totals
    levels = spans if family.orientation == 1 else -spans[:, ::-1]
    return RocCurve(levels, rates[0], rates[1])


def _count(position: NDArray[np.intp], signs: IntArray, size: int) -> FloatArray:
    """Return how many −1 and how many +1 points there are at each location, (2, size)."""
    rows = [np.bincount(position[signs == sign], minlength=size) for sign in (-1, 1)]
    return np.array(rows, dtype=np.float64)


def _single_or_nested(family: SetFamily) -> bool:
    """Return whether the entry order determines the curve: one set cannot cross itself."""
    low, high = family.domain or (-np.inf, np.inf)
    return family.is_nested or low == high


def _growing_domain(family: SetFamily) -> tuple[float, float]:
    """Return the domain in the direction in which the sets are meant to grow."""
    low, high = family.domain or (-np.inf, np.inf)
    return (low, high) if family.orientation == 1 else (-high, -low)


def _checked_labels(y: ArrayLike) -> IntArray:
    labels = np.asarray(y)
    if labels.ndim != 1 or not np.isin(labels, (-1, 1)).all():
        raise ValueError(
            "y must be a list of +1 (belongs inside) and −1 (does not), one per point."
        )
    signs = labels.astype(np.int64)
    if not ((signs == 1).any() and (signs == -1).any()):
        raise ValueError("An ROC needs points of both kinds: at least one +1 and one −1 in y.")
    return signs


def _check_lengths(points: int, labels: int) -> None:
    if points != labels:
        raise ValueError(f"There are {points} points but {labels} labels in y.")
