"""How unusual each feature of a point is, and which points are near it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray, IntArray
from nestviz.distances import squared_distances

MAD_TO_DEVIATION = 1.4826022185056018
"""A normal distribution's standard deviation in median absolute deviations."""
MEAN_TO_DEVIATION = 1.2533141373155001
"""The same in mean absolute deviations, √(π/2)."""


@dataclass(frozen=True, eq=False)
class FeatureProfile:
    """The features of one point against those of all points.

    Attributes
    ----------
    names : tuple of str
        Names of the features.
    values, medians : ndarray of shape (n_features,)
        The value of the point, and the median of all points, in the units of the points.
    robust_z : ndarray of shape (n_features,)
        (value − median) / s, where s is the median absolute deviation from the median, scaled to be
        the standard deviation of normal data. Where more than half of the values are equal, the
        scaled *mean* absolute deviation takes its place (Iglewicz & Hoaglin 1993). Zero for a
        constant feature.
    percentiles : ndarray of shape (n_features,)
        Share of the points with a smaller value, plus half of those with the same, in per cent.
    """

    names: tuple[str, ...]
    values: FloatArray
    medians: FloatArray
    robust_z: FloatArray
    percentiles: FloatArray

    @property
    def order(self) -> IntArray:
        """Return the features from the most to the least unusual; ties in their own order."""
        return np.argsort(-np.abs(self.robust_z), kind="stable")


class RobustScale(NamedTuple):
    """Median and spread of each feature; the spread of a constant feature is zero."""

    medians: FloatArray
    spreads: FloatArray

    @classmethod
    def of(cls, X: ArrayLike) -> RobustScale:
        """Return the scale of some points, of shape (n_points, n_features)."""
        points = np.asarray(X, dtype=np.float64)
        medians = np.median(points, axis=0)
        away = np.abs(points - medians)
        spreads = MAD_TO_DEVIATION * np.median(away, axis=0)
        mean = MEAN_TO_DEVIATION * away.mean(axis=0)
        return cls(medians, np.where(spreads > 0, spreads, mean))

    def z(self, X: ArrayLike) -> FloatArray:
        """Return robust z-scores of points or of one point."""
        away = np.asarray(X, dtype=np.float64) - self.medians
        return np.divide(away, self.spreads, out=np.zeros_like(away), where=self.spreads > 0)


def feature_profile(
    X: ArrayLike, point: ArrayLike, names: Sequence[str] | None = None
) -> FeatureProfile:
    """Compare the features of a point with those of all points.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        All points, in any units.
    point : array-like of shape (n_features,)
        One point in the same units, usually one of them.
    names : sequence of str, optional
        Names of the features.

    Returns
    -------
    FeatureProfile

    Examples
    --------
    >>> X = [[1.0, 9.0], [2.0, 8.0], [3.0, 7.0], [4.0, 6.0], [40.0, 5.0]]
    >>> profile = feature_profile(X, X[4], ["hours", "pay"])
    >>> profile.names[profile.order[0]], profile.robust_z.round(1).tolist()
    ('hours', [25.0, -1.3])
    """
    points = np.asarray(X, dtype=np.float64)
    x = np.asarray(point, dtype=np.float64)
    if points.ndim != 2 or not len(points) or x.shape != points.shape[1:]:
        raise ValueError(
            f"A point of shape {x.shape} cannot be compared with points of shape {points.shape}."
        )
    scale = RobustScale.of(points)
    below = np.count_nonzero(points < x, axis=0) + np.count_nonzero(points == x, axis=0) / 2.0
    named = tuple(names) if names is not None else tuple(f"x{j + 1}" for j in range(x.size))
    return FeatureProfile(named, x, scale.medians, scale.z(x), 100.0 * below / len(points))


class Neighbours(NamedTuple):
    """The points nearest to a location, nearest first, and their distances."""

    rows: IntArray
    distances: FloatArray


def nearest_points(X: ArrayLike, point: ArrayLike, k: int = 5, *, skip: int = -1) -> Neighbours:
    """Return the points nearest to a location.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        The points.
    point : array-like of shape (n_features,)
        The location.
    k : int
        Number of points, if there are so many.
    skip : int
        A row that does not count, such as that of the point itself.

    Returns
    -------
    Neighbours
        Points at the same distance in the order of their rows.

    Examples
    --------
    >>> nearest_points([[0.0], [1.0], [5.0]], [0.2], k=2).rows
    array([0, 1])
    """
    points = np.ascontiguousarray(X, dtype=np.float64)
    x = np.ascontiguousarray(point, dtype=np.float64)[None]
    distances = np.sqrt(squared_distances(points, x)[:, 0])
    order = np.argsort(distances, kind="stable")
    rows = order[order != skip][: max(k, 0)]
    return Neighbours(rows, distances[rows])
