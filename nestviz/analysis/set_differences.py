"""Two sets on the same pixels, where they differ, and by how much."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from nestviz.analysis.level_sweep import Rings, outline
from nestviz.arrays import FloatArray
from nestviz.grids import Grid


@dataclass(frozen=True, eq=False)
class SetDifference:
    """Outlines of two sets and of their symmetric difference.

    Attributes
    ----------
    first, second, difference : tuple of ndarray of shape (k, 2)
        Rings around each.
    share : float
        Share of the pixels that are in exactly one of the two sets.
    relative : float
        The area of the difference divided by that of the first set; infinite where that is empty.
    """

    first: Rings
    second: Rings
    difference: Rings
    share: float
    relative: float


def set_difference(first: FloatArray, second: FloatArray, grid: Grid) -> SetDifference:
    """Compare the sets where two fields are not negative.

    Parameters
    ----------
    first, second : ndarray of shape (n_pixels,)
        Fields on the pixels, not negative inside their set.
    grid : Grid
        The pixels.

    Returns
    -------
    SetDifference
    """
    a, b = (_scaled(field).reshape(grid.shape) for field in (first, second))
    # Positive in exactly one of the two sets.
    either = np.maximum(np.minimum(a, -b), np.minimum(-a, b))
    differs = (first >= 0) != (second >= 0)
    size = np.count_nonzero(first >= 0)
    return SetDifference(
        outline(a, grid),
        outline(b, grid),
        outline(either, grid),
        float(differs.mean()),
        float(np.count_nonzero(differs)) / size if size else np.inf,
    )


def density_thresholds(
    density: Callable[[FloatArray], FloatArray], grid: Grid, masses: FloatArray
) -> FloatArray:
    """Return the heights whose level sets hold given masses of a density.

    Parameters
    ----------
    density : callable
        From `nestviz.data.densities.sample_density`.
    grid : Grid
        Pixels that cover almost all of the mass.
    masses : ndarray of shape (k,)
        Masses in (0, 1), up to the mass that the grid covers.

    Returns
    -------
    ndarray of shape (k,)
    """
    heights = np.sort(density(grid.points()))[::-1]
    held = np.cumsum(heights) * grid.cell_area
    return np.asarray(np.interp(masses, held, heights))


def _scaled(field: FloatArray) -> FloatArray:
    """Return a field with values of about one, so that two of them can be compared."""
    return field / max(float(np.abs(field).max()), np.finfo(np.float64).tiny)
