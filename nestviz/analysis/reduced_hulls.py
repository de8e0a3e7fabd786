"""Reduced convex hulls of two classes in the plane: the geometry of the linear 2ν-SVM.

With β_i = 2α_i/ν the dual of the 2ν-SVM (Davenport 2007, section 2.2) looks for the shortest
connection between two sets of weighted means, one of each class,

    H₊ = { Σ_i β_i x_i : Σ_i β_i = 1, 0 ≤ β_i ≤ 1/(ν₊ n₊) },    H₋ likewise.

Each is the convex hull of its class, shrunk towards the mean as ν grows to 1. In a direction d the
farthest point of H₊ is the mean of the ν₊n₊ points that lie farthest, the last of them in part.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray

DIRECTIONS = 720
ROUNDS, FAN = 8, 21
"""Refinements of the best direction, and directions tried in each."""


@dataclass(frozen=True, eq=False)
class HullPair:
    """The reduced hulls of two classes, and the line between them.

    Attributes
    ----------
    plus, minus : ndarray of shape (k, 2)
        Outlines of the two hulls.
    distance : float
        Distance between the hulls; 0 where they meet, and then there is no line.
    normal : ndarray of shape (2,)
        Unit vector from the negative hull to the positive one.
    offset : float
        A location x is called positive where ``normal @ x >= offset``.
    margins : tuple of float
        ``normal @ x`` on the margins of the positive and of the negative class.
    """

    plus: FloatArray
    minus: FloatArray
    distance: float
    normal: FloatArray
    offset: float
    margins: tuple[float, float]

    @property
    def meet(self) -> bool:
        """Return whether the hulls have points in common: the 2ν-SVM is trivial."""
        return self.distance <= 0.0


def hull_pair(plus: ArrayLike, minus: ArrayLike, nu_plus: float, nu_minus: float) -> HullPair:
    """Compute the reduced hulls of two classes and the line half way between their margins.

    Parameters
    ----------
    plus, minus : array-like of shape (n_points, 2)
        The points of each class.
    nu_plus, nu_minus : float
        ν₊ and ν₋ in (0, 1].

    Returns
    -------
    HullPair

    Examples
    --------
    >>> found = hull_pair([[2.0, 0.0], [4.0, 1.0]], [[0.0, 0.0], [-1.0, 1.0]], 0.5, 0.5)
    >>> round(found.distance, 6), found.meet
    (2.0, False)
    """
    first, second = (np.asarray(points, dtype=np.float64) for points in (plus, minus))
    angle, distance = _widest_gap(first, second, nu_plus, nu_minus)
    normal = _directions(np.array([angle]))[0]
    turned = _directions(_all_angles())
    margins = _last(first @ -normal, nu_plus), _last(second @ normal, nu_minus)
    return HullPair(
        plus=farthest_means(first, turned, nu_plus),
        minus=farthest_means(second, turned, nu_minus),
        distance=max(distance, 0.0),
        normal=normal,
        offset=(margins[1] - margins[0]) / 2.0,
        margins=(-margins[0], margins[1]),
    )


def hull_distances(plus: ArrayLike, minus: ArrayLike, nus: FloatArray) -> FloatArray:
    """Compute the distances between reduced hulls for all pairs (ν₊, ν₋).

    Parameters
    ----------
    plus, minus : array-like of shape (n_points, 2)
        The points of each class.
    nus : ndarray of shape (k,)
        Values in (0, 1].

    Returns
    -------
    ndarray of shape (k, k)
        Row ν₊, column ν₋; 0 where the hulls meet. Accurate up to the spacing of the directions.
    """
    turned = _directions(_all_angles())
    near = np.stack([_reach(np.asarray(plus, float), -turned, nu) for nu in nus])
    far = np.stack([_reach(np.asarray(minus, float), turned, nu) for nu in nus])
    gaps = -near[:, None, :] - far[None, :, :]
    return np.asarray(np.maximum(gaps.max(axis=2), 0.0))


def farthest_means(points: FloatArray, directions: FloatArray, nu: float) -> FloatArray:
    """Return the point of a reduced hull that lies farthest in each direction.

    Parameters
    ----------
    points : ndarray of shape (n_points, 2)
        The points of a class.
    directions : ndarray of shape (k, 2)
        The directions.
    nu : float
        ν in (0, 1].

    Returns
    -------
    ndarray of shape (k, 2)
    """
    order = np.argsort(-(directions @ points.T), axis=1, kind="stable")
    return np.asarray(np.einsum("j,kjd->kd", _weights(len(points), nu), points[order]))


def largest_nu(gamma: float, n_plus: int, n_minus: int) -> float:
    """Return ν_max, the largest ν for which the 2ν-SVM has a feasible point (Proposition 1).

    Parameters
    ----------
    gamma : float
        The asymmetry γ in [0, 1].
    n_plus, n_minus : int
        Points of each class.

    Returns
    -------
    float
    """
    return 2.0 * min(gamma * n_plus, (1.0 - gamma) * n_minus) / (n_plus + n_minus)


def _weights(n: int, nu: float) -> FloatArray:
    """Return the weights of a farthest mean, from the farthest point to the nearest."""
    return np.clip(nu * n - np.arange(n), 0.0, 1.0) / (nu * n)


def _reach(points: FloatArray, directions: FloatArray, nu: float) -> FloatArray:
    """Return how far a reduced hull reaches in each direction."""
    ordered = -np.sort(-(directions @ points.T), axis=1)
    return np.asarray(ordered @ _weights(len(points), nu))


def _last(reach: FloatArray, nu: float) -> float:
    """Return the reach of the last point that takes part in the farthest mean."""
    return float(-np.sort(-reach)[int(np.ceil(nu * len(reach) - 1e-9)) - 1])


def _widest_gap(
    plus: FloatArray, minus: FloatArray, nu_plus: float, nu_minus: float
) -> tuple[float, float]:
    """Return the angle in which the hulls are farthest apart, and that distance."""
    angles = _all_angles()
    step = angles[1] - angles[0]
    best, gap = 0.0, -np.inf
    for _ in range(ROUNDS):
        turned = _directions(angles)
        gaps = -_reach(plus, -turned, nu_plus) - _reach(minus, turned, nu_minus)
        best, gap = float(angles[gaps.argmax()]), float(gaps.max())
        angles = best + step * np.linspace(-1.0, 1.0, FAN)
        step = 2.0 * step / (FAN - 1)
    return best, gap


def _all_angles() -> FloatArray:
    return np.linspace(0.0, 2.0 * np.pi, DIRECTIONS, endpoint=False)


def _directions(angles: FloatArray) -> FloatArray:
    return np.column_stack([np.cos(angles), np.sin(angles)])
