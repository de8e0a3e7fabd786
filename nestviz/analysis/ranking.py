"""The two rankings that a family of sets induces, and how far they disagree.

Points can be ranked by the first set that contains them or by the last one that does not (Lee &
Scott 2010, section VI-C). For nested sets the two rankings are the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import BoolArray, FloatArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.scanning import Scan
from nestviz.volume.extrapolation import extrapolated_share


@dataclass(frozen=True, eq=False)
class RankingScores:
    """The two scores of each point; higher is more normal, or more positive. Exact.

    Attributes
    ----------
    s_plus : ndarray of shape (n_points,)
        By the first set that contains the point as the sets grow.
    s_minus : ndarray of shape (n_points,)
        By the set from which on the point is always inside; at most ``s_plus``, and equal to it
        exactly where membership is monotone in the level.
    extrapolated : float
        Share of the points that enter below the smallest solved level of the family and are
        therefore ranked by extrapolation. 0 for families without such a level.
    """

    s_plus: FloatArray
    s_minus: FloatArray
    extrapolated: float = 0.0

    @cached_property
    def ambiguous(self) -> BoolArray:
        """Return which points the two scores rank in opposite order against some other point."""
        return ambiguously_ranked(self.s_plus, self.s_minus)

    @property
    def disagreement(self) -> float:
        """Return d(s+, s−), the share of ambiguous points."""
        return float(self.ambiguous.mean())


def ranking_scores(family: SetFamily, X: ArrayLike | Grid) -> RankingScores:
    """Compute s+ and s− of Lee & Scott (2010), eqs. 21 and 22.

    For sets that shrink with the level λ::

        s+(x) = max{λ : x ∈ G_λ}          s−(x) = min{λ : x ∉ G_λ}

    and for sets that grow with the level γ::

        s+(x) = 1 − min{γ : x ∈ G_γ}      s−(x) = 1 − max{γ : x ∉ G_γ}

    Eq. 22 is printed with s− over the sets that *contain* x, which is the smallest λ for almost
    every point; here it is read in parallel to eq. 21. Both scores are exact: they come from the
    roots of the field in the level, not from a grid of levels.

    Parameters
    ----------
    family : SetFamily
        Any family.
    X : array-like of shape (n_points, n_features) or Grid
        The points to rank.

    Returns
    -------
    RankingScores
        −inf in both for a point outside every set; for a point inside every set, both are the score
        of the smallest set.

    Examples
    --------
    >>> from nestviz import GaussianKernel, SetFamily
    >>> family = SetFamily([0.0, 1.0], [[1.0], [1.0]], [0.0, 1.0], [[0.0]], GaussianKernel(1.0), -1)
    >>> ranking_scores(family, [[0.0]]).s_plus
    array([1.])
    """
    scan = family.scan(X)
    share = extrapolated_share(family, scan.first)
    return replace(scores_of(scan, family.orientation), extrapolated=share)


def scores_of(scan: Scan, orientation: int) -> RankingScores:
    """Return the two scores from a family's scan of the points."""
    if orientation == 1:
        return RankingScores(1.0 - scan.first, 1.0 - scan.last)
    return RankingScores(scan.first, scan.last)


def ranking_disagreement(s_plus: ArrayLike | SetFamily, s_minus: ArrayLike | Grid) -> float:
    """Compute d(s+, s−), the share of ambiguously ranked points (Lee & Scott 2010, VI-C).

    ::

        d = (1/n) Σ_i max_{j ≠ i} 1{(s+(x_i) − s+(x_j)) (s−(x_i) − s−(x_j)) < 0}

    Points tied in either score do not disagree; equal infinities are ties. Exact, in O(n log n).

    Parameters
    ----------
    s_plus, s_minus : array-like of shape (n_points,)
        The two scores; or a `SetFamily` and the points to rank by it.

    Returns
    -------
    float

    Examples
    --------
    >>> ranking_disagreement([1.0, 2.0, 3.0], [2.0, 1.0, 3.0])
    0.6666666666666666
    """
    if isinstance(s_plus, SetFamily):
        scores = ranking_scores(s_plus, s_minus)
        return float(ambiguously_ranked(scores.s_plus, scores.s_minus).mean())
    if isinstance(s_minus, Grid):
        raise TypeError("Pixels can be ranked by a family only: give the SetFamily first.")
    return float(ambiguously_ranked(s_plus, s_minus).mean())


def ambiguously_ranked(s_plus: ArrayLike, s_minus: ArrayLike) -> BoolArray:
    """Find points that two scores rank in opposite order against at least one other point.

    After sorting by ``s_plus``, it is enough to compare with the smallest ``s_minus`` above and
    with the largest one below.

    Parameters
    ----------
    s_plus, s_minus : array-like of shape (n_points,)
        The two scores.

    Returns
    -------
    ndarray of bool of shape (n_points,)
    """
    p, m = _checked_scores(s_plus, s_minus)
    order = np.argsort(p, kind="stable")
    ordered, other = p[order], m[order]
    largest_below = np.concatenate([[-np.inf], np.maximum.accumulate(other)])
    smallest_above = np.concatenate([np.minimum.accumulate(other[::-1])[::-1], [np.inf]])
    below = np.searchsorted(ordered, p, side="left")
    above = np.searchsorted(ordered, p, side="right")
    return (largest_below[below] > m) | (smallest_above[above] < m)


def _checked_scores(s_plus: ArrayLike, s_minus: ArrayLike) -> tuple[FloatArray, FloatArray]:
    p, m = np.asarray(s_plus, dtype=np.float64), np.asarray(s_minus, dtype=np.float64)
    if p.ndim != 1 or p.shape != m.shape or not p.size:
        raise ValueError(
            "The two scores must be lists of the same length, with one number or more per list; "
            f"got shapes {p.shape} and {m.shape}."
        )
    if np.isnan(p).any() or np.isnan(m).any():
        raise ValueError("Scores must be numbers or infinities; there is a NaN among them.")
    return p, m
