"""Sets of the same quantiles by several methods, ready to be drawn side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.coverage import CoverageRatio, coverage_ratio
from nestviz.analysis.level_sweep import Rings, Sweep, outline, sweep
from nestviz.analysis.nesting import WorstPair
from nestviz.arrays import BoolArray, FloatArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.solvers.quantile.solve import checked_quantiles


@dataclass(frozen=True, eq=False)
class QuantileSets:
    """The sets of one method at given quantiles, and where they cross.

    Attributes
    ----------
    name : str
        The method.
    sets : Sweep
        Outlines of the sets from the smallest quantile to the largest; ``sets.broken`` has, for
        each quantile, the rings around what smaller sets contain and this one does not.
    areas : ndarray of shape (q,)
        Area of each set on the grid.
    crossing : tuple of ndarray of shape (k, 2)
        Rings around all regions where any two of the sets cross.
    crossing_area : float
        Area of these regions.
    crossing_points : ndarray of bool of shape (n_points,)
        Which of the points lie in such a region.
    worst : WorstPair or None
        The two sets that cross most; None where no two sets cross.
    coverage : CoverageRatio or None
        Mass of the held-out points in each set; None without such points.
    """

    name: str
    sets: Sweep
    areas: FloatArray
    crossing: Rings
    crossing_area: float
    crossing_points: BoolArray
    worst: WorstPair | None
    coverage: CoverageRatio | None

    @property
    def quantiles(self) -> FloatArray:
        """Return the quantiles, ascending."""
        return self.sets.levels


def quantile_sets(
    families: Mapping[str, SetFamily],
    grid: Grid,
    points: ArrayLike,
    quantiles: ArrayLike,
    held_out: ArrayLike | None = None,
) -> tuple[QuantileSets, ...]:
    """Compute outlines, crossing regions and coverage of several methods at the same quantiles.

    Parameters
    ----------
    families : mapping of str to SetFamily
        Families over the quantile, from the quantile estimators or `at_masses`.
    grid : Grid
        Pixels for outlines and areas.
    points : array-like of shape (n_points, n_features)
        The training points.
    quantiles : array-like of shape (q,)
        Quantiles within the range of every family, ascending.
    held_out : array-like of shape (m, n_features), optional
        Held-out points, for the coverage.

    Returns
    -------
    tuple of QuantileSets
        One per family, in their order.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz import Grid, IndependentOneClassSVM
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> family = IndependentOneClassSVM(sigma=0.5, quantiles=4).fit(X).family_
    >>> (sets,) = quantile_sets({"independent": family}, Grid.around(X), X, family.levels)
    >>> sets.crossing_area > 0, sets.worst.small < sets.worst.large
    (True, True)
    """
    wanted = checked_quantiles(quantiles)
    return tuple(
        _of_family(name, family, grid, points, wanted, held_out)
        for name, family in families.items()
    )


def _of_family(
    name: str,
    family: SetFamily,
    grid: Grid,
    points: ArrayLike,
    quantiles: FloatArray,
    held_out: ArrayLike | None,
) -> QuantileSets:
    """Compute the sets of one method."""
    inside = family.values(grid, quantiles) >= 0
    rings, crossed = _crossing(family, grid, quantiles)
    return QuantileSets(
        name=name,
        sets=sweep(family, grid, points, quantiles),
        areas=inside.sum(axis=1) * grid.cell_area,
        crossing=rings,
        crossing_area=crossed * grid.cell_area,
        crossing_points=_crosses(family, np.asarray(points, dtype=np.float64), quantiles),
        worst=None if family.is_nested else _worst(inside, quantiles, grid.cell_area),
        coverage=None if held_out is None else coverage_ratio(family, held_out, quantiles),
    )


def _crossing_depth(family: SetFamily, X: ArrayLike | Grid, quantiles: FloatArray) -> FloatArray:
    """Return how clearly some set contains a location and a larger one does not, per location.

    For sets at j < k both g_j ≥ 0 and g_k < 0 have to hold, so the smaller of g_j and −g_k measures
    how clearly; the best pair counts. Not negative where sets cross.
    """
    g = family.values(X, quantiles)
    if family.is_nested or len(g) < 2:
        return np.full(g.shape[1], -1.0)
    earlier = np.maximum.accumulate(g, axis=0)[:-1]
    return np.minimum(earlier, -g[1:]).max(axis=0)


def _crossing(family: SetFamily, grid: Grid, quantiles: FloatArray) -> tuple[Rings, int]:
    """Return rings around all crossing regions, and the number of pixels in them."""
    depth = _crossing_depth(family, grid, quantiles)
    return outline(depth.reshape(grid.shape), grid), int(_crosses(family, grid, quantiles).sum())


def _crosses(family: SetFamily, X: ArrayLike | Grid, quantiles: FloatArray) -> BoolArray:
    """Return whether some set contains a location and a larger one does not."""
    inside = family.values(X, quantiles) >= 0
    if family.is_nested:
        return np.zeros(inside.shape[1], dtype=np.bool_)
    earlier = np.logical_or.accumulate(inside, axis=0)
    return np.asarray((earlier & ~inside).any(axis=0))


def _worst(inside: BoolArray, quantiles: FloatArray, cell: float) -> WorstPair | None:
    """Return the pair with most pixels in the smaller set that the larger one leaves out."""
    counts = inside.astype(np.float64) @ (~inside).astype(np.float64).T
    counts = np.triu(counts, 1)
    small, large = np.unravel_index(int(counts.argmax()), counts.shape)
    if not counts[small, large] > 0:
        return None
    area = float(counts[small, large]) * cell
    return WorstPair(float(quantiles[small]), float(quantiles[large]), area)
