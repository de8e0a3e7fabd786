"""A family of sets as a density estimate, up to a monotone transformation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.volume.extrapolation import extrapolated_share


@dataclass(frozen=True, eq=False)
class DensityRank:
    """Order of points by density, according to a family of sets.

    Attributes
    ----------
    entry : ndarray of shape (n_points,)
        The level at which each point enters, exact; infinite for points outside every set.
    rank : ndarray of shape (n_points,)
        From 0, rare, to 1, common: the share of the sample that is less dense, where equally dense
        points count one half.
    is_exact : bool
        True for nested families. For others the order is that of their successive union.
    extrapolated : float
        Share of the points that enter below the smallest solved level of the family and are
        therefore ranked by extrapolation. 0 for families without such a level.
    """

    entry: FloatArray
    rank: FloatArray
    is_exact: bool
    extrapolated: float = 0.0


def density_rank(
    family: SetFamily, X: ArrayLike | Grid, sample: ArrayLike | Grid | None = None
) -> DensityRank:
    """Rank points by density as a family of sets orders them.

    Nested sets determine a density up to a monotone transformation: points that enter early are
    dense. For a nested family the entry level is that transformation.

    Parameters
    ----------
    family : SetFamily
        Any family. For sets that grow with a cost asymmetry, the ratio of the class densities takes
        the role of the density.
    X : array-like of shape (n_points, n_features) or Grid
        Where to rank.
    sample : array-like of shape (m, n_features) or Grid, optional
        The reference sample for the ranks; by default ``X`` itself.

    Returns
    -------
    DensityRank

    Examples
    --------
    >>> from nestviz import ParzenLevelSets
    >>> family = ParzenLevelSets(sigma=1.0).fit([[0.0], [0.2], [3.0]]).family_
    >>> density_rank(family, [[0.1], [9.0]], sample=[[0.0], [0.1], [3.0], [9.0]]).rank
    array([0.875, 0.125])
    """
    entry = family.first_level(X)
    others = entry if sample is None else family.first_level(sample)
    if not others.size:
        raise ValueError("Ranks need a sample of at least one point.")
    density = -family.orientation * entry
    ordered = np.sort(-family.orientation * others)
    below = np.searchsorted(ordered, density, side="left")
    not_above = np.searchsorted(ordered, density, side="right")
    rank = (below + not_above) / (2.0 * ordered.size)
    return DensityRank(entry, rank, family.is_nested, extrapolated_share(family, entry))
