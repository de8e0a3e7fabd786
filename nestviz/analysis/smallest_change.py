"""What change would bring a point into a set: along one feature, or along all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.set_rays import RESOLUTION, GaussianSet
from nestviz.arrays import FloatArray
from nestviz.families import SetFamily

TOWARDS = 12
"""Number of points inside that are aimed at first."""
REFINED, MOST_ROUNDS = 3, 30
"""Rays that are turned towards the nearest location, and how often at most."""
TURNS = np.array([1.0, 0.5, 0.25, 0.1, 0.03])
"""Shares of the way from a ray to the normal of the boundary that are tried."""


@dataclass(frozen=True, eq=False)
class SmallestChange:
    """The changes that bring a point into a set.

    Attributes
    ----------
    level : float
        The level of the set.
    single : ndarray of shape (n_directions,)
        The smallest change along each direction, positive or negative, that ends inside: exact, to
        a billionth of σ. Not a number where no change along the direction alone does.
    target : ndarray of shape (n_features,) or None
        A location in the set near the point: the nearest one that was found. None for an empty set.
    distance : float
        Its distance, an upper bound of the distance of the set; zero for a point inside.
    at_least : float
        A lower bound of that distance: no location closer than this is inside.
    """

    level: float
    single: FloatArray
    target: FloatArray | None
    distance: float
    at_least: float


def smallest_change(
    family: SetFamily, point: ArrayLike, level: float, directions: ArrayLike | None = None
) -> SmallestChange:
    """Find the smallest changes of a point that bring it into the set at a level.

    Sets that are not nested count as their successive union, as in a ranking.

    Parameters
    ----------
    family : SetFamily
        A family with a Gaussian kernel and coefficients that are not negative.
    point : array-like of shape (n_features,)
        The point.
    level : float
        The level of the set, such as the threshold of `flag_outliers`.
    directions : array-like of shape (n_directions, n_features), optional
        What a change by one unit adds to the point; by default the features themselves. For a
        family that was fitted to a linear projection: one row for each feature before it.

    Returns
    -------
    SmallestChange

    Notes
    -----
    Along one direction the first location inside is found by steps in which the field provably
    stays negative. The nearest location overall is a search from several sides: its distance is an
    upper bound, and ``at_least`` a lower one.

    Examples
    --------
    >>> from nestviz import ParzenLevelSets
    >>> family = ParzenLevelSets(sigma=1.0).fit([[0.0, 0.0]]).family_
    >>> found = smallest_change(family, [3.0, 0.0], level=float(np.exp(-0.5)))
    >>> found.single.round(6).tolist(), round(found.distance, 6)
    ([-2.0, nan], 2.0)
    """
    x = np.ascontiguousarray(point, dtype=np.float64)
    if x.shape != family.centres.shape[1:]:
        raise ValueError(f"A point of this family has shape {family.centres.shape[1:]}.")
    ways = np.eye(x.size) if directions is None else np.asarray(directions, dtype=np.float64)
    if ways.ndim != 2 or ways.shape[1] != x.size:
        raise ValueError(f"Directions are rows of {x.size} numbers, not of shape {ways.shape}.")
    family = family.union()
    if family.contains(x[None], level)[0]:
        return SmallestChange(level, np.zeros(len(ways)), x, 0.0, 0.0)
    sets = GaussianSet.of(family, level)
    at_least = sets.ball_outside(x)
    single = _single(sets, x, ways)
    target = _nearest(sets, family, x, level, at_least)
    distance = np.inf if target is None else float(np.sqrt(((target - x) ** 2).sum()))
    return SmallestChange(level, single, target, distance, min(at_least, distance))


def _single(sets: GaussianSet, x: FloatArray, ways: FloatArray) -> FloatArray:
    """Return the smaller of the two changes along each direction, NaN where there is none."""
    up, down = sets.first_inside(x, np.concatenate([ways, -ways])).reshape(2, -1)
    change = np.where(up <= down, up, -down)
    return np.where(np.isfinite(change), change, np.nan)


def _nearest(
    sets: GaussianSet, family: SetFamily, x: FloatArray, level: float, start: float
) -> FloatArray | None:
    """Return a location inside near x, from rays that are turned towards the boundary's normal."""
    centres = sets.centres
    inside = centres[family.contains(centres, level)] if len(centres) else centres
    if not len(inside):
        return None
    order = np.argsort(((inside - x) ** 2).sum(axis=1), kind="stable")[:TOWARDS]
    rays = _unit(inside[order] - x)
    lengths = sets.first_inside(x, rays, start)
    best = np.argsort(lengths, kind="stable")[:REFINED]
    rays, lengths = rays[best], lengths[best]
    for ray in range(len(rays)):
        rays[ray], lengths[ray] = _turned(sets, x, rays[ray], lengths[ray], start)
    ray = int(np.argmin(lengths))
    # A little further where rounding leaves the root outside.
    for extra in (0.0, RESOLUTION, 10 * RESOLUTION, 1e3 * RESOLUTION):
        target: FloatArray = x + (lengths[ray] + extra * sets.sigma) * rays[ray]
        if family.contains(target[None], level)[0]:
            return target
    return inside[order[0]]


def _turned(
    sets: GaussianSet, x: FloatArray, ray: FloatArray, length: float, start: float
) -> tuple[FloatArray, float]:
    """Turn a ray towards the normal of the boundary that it meets as long as it gets shorter."""
    for _ in range(MOST_ROUNDS):
        if not np.isfinite(length):
            break
        normal = sets.gradient(x + length * ray)
        size = np.sqrt((normal**2).sum())
        if size == 0:
            break
        tried = _unit(ray + TURNS[:, None] * (normal / size - ray))
        lengths = sets.first_inside(x, tried, start)
        k = int(np.argmin(lengths))
        if not lengths[k] < length * (1.0 - 1e-9):
            break
        ray, length = tried[k], float(lengths[k])
    return ray, length


def _unit(rays: FloatArray) -> FloatArray:
    """Return rays of length one; zero where a ray has no direction."""
    lengths = np.sqrt((rays**2).sum(axis=1, keepdims=True))
    unit: FloatArray = np.divide(rays, lengths, out=np.zeros_like(rays), where=lengths > 0)
    return unit
