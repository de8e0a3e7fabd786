"""A density that is read off a family of sets: the slope of its mass over its volume."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.volume.curves import MassVolumeCurve, mass_volume_curve
from nestviz.volume.integrated import checked_table, integrated_volume
from nestviz.volume.reference import Reference, chosen_reference, seed_of


@dataclass(frozen=True, eq=False)
class DensityEstimate:
    """A density that is constant between sets of a family and falls from set to set.

    Sets of a family are level sets of some density. How much mass the sets gain per volume as they
    grow is an estimate of its value on their boundary; that the sets are level sets means that it
    must not rise, so it is the slope of the least concave majorant of mass over volume. It
    integrates to one over the reference box. The levels λ themselves are no densities.

    Attributes
    ----------
    family : SetFamily
        The sets.
    curve : MassVolumeCurve
        Mass, from held-out points, and volume at every level.
    volumes : ndarray of shape (n_steps + 1,)
        Volumes at which the density changes, from 0 to that of the box.
    densities : ndarray of shape (n_steps,)
        The density between them, falling.
    """

    family: SetFamily
    curve: MassVolumeCurve
    volumes: FloatArray
    densities: FloatArray

    def __call__(self, X: ArrayLike | Grid) -> FloatArray:
        """Return the density at each point.

        Parameters
        ----------
        X : array-like of shape (n_points, n_features) or Grid
            Points of the box. Those in no set share what mass is left.

        Returns
        -------
        ndarray of shape (n_points,)
            Densities, per unit of the reference's volume.
        """
        orientation, entry = self.family.orientation, self.family.first_level(X)
        passed = np.searchsorted(orientation * self.curve.levels, orientation * entry, side="right")
        volumes = self.curve.closed()[1]
        # The first entry of the closed curve is the empty set; what never enters has the last.
        at = np.where(np.isfinite(entry), volumes[passed], volumes[-1])
        step = np.searchsorted(self.volumes, at, side="left") - 1
        return self.densities[np.clip(step, 0, self.densities.size - 1)]


def density_estimate(
    model: SetFamily | Any,
    X: ArrayLike,
    reference: Reference | Grid | None = None,
    *,
    margin: float | None = None,
    cv: int = 5,
    random_state: Any = 0,
    n_jobs: int | None = None,
) -> DensityEstimate:
    """Estimate a density from all sets of a family (Lee & Scott 2007, section 1).

    Parameters
    ----------
    model : estimator or SetFamily
        An estimator is fitted to ``X`` without each fold in turn: the held-out points measure the
        mass at every level, and the levels are used in the fit to all of ``X``. For a family,
        ``X`` measures the mass directly: use points other than its training points.
    X : array-like of shape (n_points, n_features)
        The data.
    reference : Reference or Grid, optional
        What measures volume; by default 2,048 points of `uniform_reference` around ``X``.
    margin : float, optional
        Margin of the default reference, as in `integrated_volume`.
    cv, random_state, n_jobs : int, int, int or None
        Cross-validation of an estimator, as in `integrated_volume`.

    Returns
    -------
    DensityEstimate

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz import ParzenLevelSets
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> density = density_estimate(ParzenLevelSets(sigma=0.5), X)
    >>> near, far = density([[0.0, 0.0], [2.5, 2.5]])
    >>> bool(near > 10 * far)
    True
    """
    points, seed = checked_table(X), seed_of(random_state)
    box = chosen_reference(points, reference, margin, seed)
    if isinstance(model, SetFamily):
        family, curve = model, mass_volume_curve(model, points, box)
    else:
        from sklearn.base import clone

        found = integrated_volume(
            points, model, cv=cv, reference=box, random_state=seed, n_jobs=n_jobs
        )
        family, curve = clone(model).fit(points).family_, found.curve
    volumes, densities = falling_slopes(*curve.closed())
    return DensityEstimate(family, curve, volumes, densities)


def falling_slopes(mass: FloatArray, volume: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the corners and the slopes of the least concave majorant of mass over volume.

    It begins at zero: mass in no volume would have an infinite density, and the first step takes
    it in.
    """
    order = np.lexsort((-mass, volume))
    order = order[volume[order] > 0]
    corners = [(0.0, 0.0)]
    for v, m in zip(volume[order].tolist(), mass[order].tolist(), strict=True):
        if corners[-1][0] == v:
            continue  # of equal volumes the largest mass
        while len(corners) > 1 and _is_below(corners[-2], corners[-1], (v, m)):
            corners.pop()
        corners.append((v, m))
    volumes, masses = np.array(corners).T
    return volumes, np.diff(masses) / np.diff(volumes)


def _is_below(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> bool:
    """Return whether the middle one of three points is not above the line of the others."""
    return (b[1] - a[1]) * (c[0] - a[0]) <= (c[1] - a[1]) * (b[0] - a[0])
