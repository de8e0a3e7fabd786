"""The sum of kernels along a line, and g at one location over the level."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import BoolArray, FloatArray
from nestviz.distances import product
from nestviz.families import SetFamily


@dataclass(frozen=True, eq=False)
class Profile:
    """The sum Σ_i c_i k(x_i, x) along a segment at several levels, and the threshold r of each.

    Attributes
    ----------
    at : ndarray of shape (n_locations,)
        Distance of each location from the start of the segment.
    points : ndarray of shape (n_locations, n_features)
        The locations.
    sums : ndarray of shape (n_levels, n_locations)
        The sum of kernels.
    thresholds : ndarray of shape (n_levels,)
        A location is inside where the sum reaches the threshold: λ for one class.
    inside : ndarray of bool of shape (n_levels, n_locations)
        Whether a location is inside, the boundary included.
    left : ndarray of bool of shape (n_levels, n_locations)
        Whether a location is outside although it was inside at a smaller set, exactly: at any
        level, not only at those given.
    """

    at: FloatArray
    points: FloatArray
    sums: FloatArray
    thresholds: FloatArray
    inside: BoolArray
    left: BoolArray


def profile(
    family: SetFamily, start: ArrayLike, end: ArrayLike, levels: ArrayLike, count: int = 241
) -> Profile:
    """Evaluate a family along the segment between two locations.

    Parameters
    ----------
    family : SetFamily
        Any family with coefficients of its own.
    start, end : array-like of shape (n_features,)
        The ends of the segment.
    levels : array-like of shape (n_levels,)
        The levels.
    count : int
        Number of locations, evenly spaced.

    Returns
    -------
    Profile

    Examples
    --------
    >>> from nestviz import ParzenLevelSets
    >>> family = ParzenLevelSets(sigma=1.0).fit([[0.0], [0.0]]).family_
    >>> found = profile(family, [0.0], [1.0], [0.7, 0.5], count=2)
    >>> found.sums.round(3).tolist(), found.inside.tolist()
    ([[1.0, 0.607], [1.0, 0.607]], [[True, False], [True, True]])
    """
    ends = np.atleast_2d(np.asarray(start, dtype=np.float64)), np.atleast_2d(end)
    chosen = np.atleast_1d(np.asarray(levels, dtype=np.float64))
    share = np.linspace(0.0, 1.0, count)[:, None]
    points = (1.0 - share) * ends[0] + share * ends[1]
    coefficients, offsets = family.coefficients_at(chosen)
    inside = family.values(points, chosen) >= 0
    first = family.first_level(points)
    entered = family.orientation * (chosen[:, None] - first) >= 0
    return Profile(
        at=share[:, 0] * float(np.linalg.norm(ends[1] - ends[0])),
        points=points,
        sums=product(coefficients, family.kernel.gram(family.centres, points)),
        thresholds=offsets,
        inside=inside,
        left=entered & ~inside,
    )
