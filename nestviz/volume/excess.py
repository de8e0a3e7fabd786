"""Excess mass: the mass of a set beyond what a given density would put into its volume."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray


@dataclass(frozen=True, eq=False)
class ExcessMass:
    """E(t) = max over sets of mass − t · volume: convex, falling, piecewise linear in t.

    Exact for the given masses and volumes, whose errors it inherits.

    Attributes
    ----------
    thresholds : ndarray of shape (n_thresholds,)
        Densities t at which another set becomes the best one, ascending from 0.
    excess : ndarray of shape (n_thresholds,)
        E there; linear in between, constant beyond the last one.
    mass, volume : ndarray of shape (n_thresholds,)
        The best set from each threshold on.
    """

    thresholds: FloatArray
    excess: FloatArray
    mass: FloatArray
    volume: FloatArray

    def at(self, t: ArrayLike) -> FloatArray:
        """Return E(t).

        Parameters
        ----------
        t : array-like
            Densities, 0 or more.

        Returns
        -------
        ndarray
            Excess mass, in the shape of ``t``.
        """
        wanted = np.asarray(t, dtype=np.float64)
        if np.any(~(wanted >= 0)):
            raise ValueError("The density t of an excess mass must be a number from 0 up.")
        return np.interp(wanted, self.thresholds, self.excess)


def excess_mass_of(mass: FloatArray, volume: FloatArray) -> ExcessMass:
    """Return the excess mass of sets given by mass and volume, the empty set among them.

    The best sets are the corners of the upper hull of the points (volume, mass); a corner is best
    between the slopes of its two sides.
    """
    mass, volume = _hull(mass, volume)
    # From the largest set, best for t = 0, to the smallest.
    mass, volume = mass[::-1], volume[::-1]
    slopes = -np.diff(mass) / -np.diff(volume)
    thresholds = np.concatenate([[0.0], slopes])
    return ExcessMass(thresholds, mass - thresholds * volume, mass, volume)


def _hull(mass: FloatArray, volume: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the corners of the upper hull, from the smallest volume to the largest mass."""
    order = np.lexsort((volume, -mass))
    first = np.concatenate([[True], np.diff(mass[order]) != 0])
    corners: list[tuple[float, float]] = []
    # Ascending mass, for each mass the smallest volume.
    for m, v in zip(mass[order][first][::-1], volume[order][first][::-1], strict=True):
        while corners and corners[-1][1] >= v:
            corners.pop()
        while len(corners) > 1 and _is_below(corners[-2], corners[-1], (m, v)):
            corners.pop()
        corners.append((float(m), float(v)))
    table = np.array(corners)
    return table[:, 0], table[:, 1]


def _is_below(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    """Return whether the middle one of three points is not above the line of the others."""
    return (b[0] - a[0]) * (c[1] - a[1]) <= (c[0] - a[0]) * (b[1] - a[1])
