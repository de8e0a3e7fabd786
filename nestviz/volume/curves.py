"""Mass against volume: the curve that a family of sets traces as its level moves.

Held-out points measure the mass P(G_θ), reference points the volume μ(G_θ). Both change only where
a point enters or leaves, and these levels are known exactly: there is no grid over θ.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.distances import product
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.renamed import renamed
from nestviz.volume.excess import ExcessMass, excess_mass_of
from nestviz.volume.extrapolation import extrapolated_count
from nestviz.volume.moves import Moves, moves, running_counts
from nestviz.volume.reference import Reference, chosen_reference, seed_of

# Masses are shares k/n; a wanted mass this little above one of them means that one.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class MassVolumeCurve:
    """Mass and volume at every level at which either changes, from small sets to large ones.

    The levels are exact for the given points. Mass and volume are estimates: the mass from held-out
    points, the volume from the reference. For areas and quantiles the curve is closed by the empty
    set, mass 0 and volume 0, and by the whole box, mass 1 and the box's volume.

    Attributes
    ----------
    levels : ndarray of shape (n_levels,)
        Levels in the direction in which the sets are meant to grow: descending for density
        levels, ascending for cost asymmetries.
    mass, volume : ndarray of shape (n_levels,)
        Their values just past each level, up to the next.
    volume_error : ndarray of shape (n_levels,)
        Standard error of the volume caused by the reference points; zero for pixels.
    box_volume : float
        Volume of the reference box.
    level_name : str
        Name of the level.
    extrapolated : float
        Share of the points that first enter below the smallest solved level of the family, or
        never: there the curve is extrapolated. 0 for families without such a level.
    """

    levels: FloatArray
    mass: FloatArray
    volume: FloatArray
    volume_error: FloatArray
    box_volume: float
    level_name: str = "level"
    extrapolated: float = 0.0

    def closed(self) -> tuple[FloatArray, FloatArray]:
        """Return mass and volume from the empty set to the whole box, in the order of levels.

        Returns
        -------
        mass, volume : ndarray of shape (n_levels + 2,)
            The closed curve.
        """
        mass = np.concatenate([[0.0], self.mass, [1.0]])
        return mass, np.concatenate([[0.0], self.volume, [self.box_volume]])

    def polyline(self) -> tuple[FloatArray, FloatArray]:
        """Return the closed curve without the inner points of its vertical runs, for drawing.

        Returns
        -------
        mass, volume : ndarray
            Corners of the curve.
        """
        mass, volume = self.closed()
        turns = np.ones(mass.size, dtype=bool)
        turns[1:-1] = (mass[1:-1] != mass[:-2]) | (mass[1:-1] != mass[2:])
        return mass[turns], volume[turns]

    def area(self) -> float:
        """Return the integrated volume: the area under the closed curve, ∫ volume d(mass).

        Trapezoids over the points sorted by volume, then by mass; for nested sets that is the order
        of the levels. Equal to (1 − AUC) · box volume for the ROC of the same points, where
        locations that enter at the same level as a point count one half.

        Returns
        -------
        float
            The area.
        """
        return float(curve_area(self.mass, self.volume[:, None], self.box_volume)[0])

    def quantile(self, mass: ArrayLike) -> FloatArray:
        """Return the empirical quantile function: the smallest volume with at least this mass.

        U(μ) = inf{ volume(C) : P_emp(C) ≥ μ } over the sets of the family and the whole box
        (Schölkopf & Smola 2002, eqs. 8.1 and 8.2).

        Parameters
        ----------
        mass : array-like
            Masses μ, above 0 and at most 1.

        Returns
        -------
        ndarray
            Volumes, in the shape of ``mass``.
        """
        wanted = np.asarray(mass, dtype=np.float64)
        if np.any(~((wanted > 0) & (wanted <= 1))):
            raise ValueError("A mass must be a number above 0 and at most 1.")
        masses, volumes = self.closed()
        order = np.argsort(masses, kind="stable")
        smallest = np.minimum.accumulate(volumes[order][::-1])[::-1]
        return smallest[np.searchsorted(masses[order], wanted - ROUNDING)]

    def excess_mass(self) -> ExcessMass:
        """Return the excess-mass curve E(t) = max over sets of mass − t · volume.

        Returns
        -------
        ExcessMass
            For every t ≥ 0.
        """
        return excess_mass_of(*self.closed())


@renamed(seed="random_state")
def mass_volume_curve(
    family: SetFamily,
    X: ArrayLike,
    reference: Reference | Grid | None = None,
    *,
    margin: float | None = None,
    random_state: Any = 0,
) -> MassVolumeCurve:
    """Return mass and volume of all sets of a family.

    Parameters
    ----------
    family : SetFamily
        Any family, nested or not, in any number of dimensions.
    X : array-like of shape (n_points, n_features)
        Points that measure the mass. With points the family was fitted to it is too large.
    reference : Reference or Grid, optional
        What measures volume: `uniform_reference`, or the pixels of a plane. By default
        2,048 points of `uniform_reference` around ``X``.
    margin : float, optional
        How far the default box reaches beyond the points on each side, as a share of their
        spread; 0.1 if not given. A point in no set is charged the whole box, so the area under
        the curve depends on it. Not together with a reference, which has its own box.
    random_state : int, RandomState or None
        Seed of the default reference.

    Returns
    -------
    MassVolumeCurve
        Mass and volume at every level at which either changes.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz.kernels import GaussianKernel
    >>> family = SetFamily([0.0, 1.0], [[1.0], [1.0]], [0.0, 1.0], [[0.0]], GaussianKernel(1.0), -1)
    >>> box = Reference(np.array([[0.5], [1.5]]), volume=2.0)
    >>> curve = mass_volume_curve(family, [[0.0], [1.0]], box)
    >>> curve.mass, curve.volume, curve.area()
    (array([0.5, 0.5, 1. , 1. ]), array([0., 1., 1., 2.]), 0.5)
    """
    points = np.ascontiguousarray(X, dtype=np.float64)
    if not len(points):
        raise ValueError("The mass of a set needs at least one point.")
    box = chosen_reference(points, reference, margin, seed_of(random_state))
    held_out, sites = follow(family, points, [box])
    share = extrapolated_count(family, held_out) / len(points)
    curve = counted([(held_out, sites[0])], box).curve(family.orientation, box, family.level_name)
    return replace(curve, extrapolated=share)


View = Callable[[SetFamily, int, Any], Any]
"""From a family and a numbered set of points to what `moves` is to look at."""


def follow(
    family: SetFamily, X: FloatArray, references: Sequence[Reference], view: View | None = None
) -> tuple[Moves, list[Moves]]:
    """Return the moves of held-out points, and of the points of each reference."""

    def seen(number: int, points: FloatArray | Grid) -> Moves:
        return moves(family, points if view is None else view(family, number, points))

    first = references[0].points
    rest = [seen(k, other.points) for k, other in enumerate(references[1:], start=2)]
    if isinstance(first, Grid) or X.shape[1:] != first.shape[1:]:
        return seen(0, X), [seen(1, first), *rest]
    # One scan over all levels costs less than two. Further references are scanned on their own, so
    # that they leave every bit of the first as it is.
    held_out, sites = seen(0, np.concatenate([X, first])).split(len(X))
    return held_out, [sites, *rest]


@dataclass(frozen=True, eq=False)
class Counted:
    """Shares inside just past each key: mass, and volume by scrambling."""

    keys: FloatArray
    mass: FloatArray
    volumes: FloatArray
    volume: FloatArray

    def curve(self, orientation: int, reference: Reference, level_name: str) -> MassVolumeCurve:
        """Return the curve, with levels and errors instead of keys and scramblings."""
        error = reference.standard_error(self.volumes)
        return MassVolumeCurve(
            orientation * self.keys, self.mass, self.volume, error, reference.volume, level_name
        )

    def areas(self, reference: Reference) -> FloatArray:
        """Return the area under the curve, by each scrambling separately."""
        return curve_area(self.mass, self.volumes, reference.volume, self.volume)


def counted(parts: list[tuple[Moves, Moves]], reference: Reference) -> Counted:
    """Join held-out points and reference points of one or several fits, level by level.

    Every held-out point counts the same; volumes are averaged over the fits.
    """
    n = sum(held_out.size for held_out, _ in parts)
    blocks = 1 + reference.blocks
    groups = [(held_out, np.zeros(held_out.size, dtype=np.int64)) for held_out, _ in parts]
    groups += [(sites, blocks) for _, sites in parts]
    keys, inside = running_counts(groups, 1 + reference.scramblings)
    sites = inside[:, 1:].astype(np.float64)
    one = reference.volume / (len(parts) * reference.size)
    return Counted(
        keys, inside[:, 0] / n, sites * (one * reference.scramblings), sites.sum(axis=1) * one
    )


def curve_area(
    mass: FloatArray, volumes: FloatArray, box: float, by: FloatArray | None = None
) -> FloatArray:
    """Return ∫ volume d(mass) of each column, sorted by ``by`` (the volume), then mass."""
    order = np.lexsort((mass, volumes[:, 0] if by is None else by))
    masses = np.concatenate([[0.0], mass[order], [1.0]])
    columns = volumes.shape[1]
    heights = np.concatenate([np.zeros((1, columns)), volumes[order], np.full((1, columns), box)])
    return product(np.diff(masses)[None], heights[1:] + heights[:-1])[0] / 2
