"""Outlines of the sets of a family at successive levels."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

import numpy as np
from contourpy import FillType, LineType, SerialContourGenerator, ZInterp
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray
from nestviz.families import SetFamily, UnionFamily
from nestviz.grids import Grid
from nestviz.intersections import IntersectionFamily

Rings = tuple[FloatArray, ...]
# What contourpy gives for FillType.OuterOffset: vertices, and where each ring of them starts.
Polygons = tuple[list[FloatArray], list[NDArray[np.uint32]]]


@dataclass(frozen=True, eq=False)
class Sweep:
    """Sets of a family from the smallest to the largest.

    Attributes
    ----------
    levels : ndarray of shape (n_frames,)
        One level per frame.
    outlines : tuple of tuple of ndarray of shape (k, 2)
        For each frame the closed rings that bound the set in plane coordinates; a point is inside
        where an odd number of rings surrounds it. Exact up to linear interpolation between pixels.
    broken : tuple of tuple of ndarray of shape (k, 2)
        For each frame the rings around the locations that were inside at an earlier frame and are
        outside now: where nesting breaks. Empty for nested families.
    broken_share : ndarray of shape (n_frames,)
        Share of the pixels in those locations.
    inside : ndarray of shape (n_frames,)
        Share of the given points inside at each frame, the boundary included. Exact.
    """

    levels: FloatArray
    outlines: tuple[Rings, ...]
    broken: tuple[Rings, ...]
    broken_share: FloatArray
    inside: FloatArray


def sweep(
    family: SetFamily, grid: Grid, points: ArrayLike, levels: ArrayLike | None = None
) -> Sweep:
    """Compute outlines of the sets at each level.

    Parameters
    ----------
    family : SetFamily
        Any family.
    grid : Grid
        Pixels on which outlines are computed.
    points : array-like of shape (n_points, n_features)
        Points that are counted inside the sets.
    levels : array-like, optional
        Levels from small sets to large ones; by default those of `sweep_levels`.

    Returns
    -------
    Sweep
    """
    if levels is None:
        levels = sweep_levels(family, grid, points)
    chosen = np.atleast_1d(np.asarray(levels, dtype=np.float64))
    fields = fields_at(family, grid, chosen).reshape(-1, *grid.shape)
    inside = points_inside(family, points, chosen).mean(axis=1)
    mesh = np.meshgrid(grid.u, grid.v)
    outlines = tuple(_rings(field, *mesh) for field in fields)
    if family.is_nested:
        return Sweep(chosen, outlines, ((),) * chosen.size, np.zeros(chosen.size), inside)
    left_behind = _left_behind(fields)
    share = (left_behind > 0).mean(axis=(1, 2))
    broken = tuple(
        _rings(field, *mesh) if part > 0 else ()
        for field, part in zip(left_behind, share, strict=True)
    )
    return Sweep(chosen, outlines, broken, share, inside)


def fields_at(family: SetFamily, X: ArrayLike | Grid, levels: FloatArray) -> FloatArray:
    """Return a function for each level that is positive inside its set.

    A union has a field at every breakpoint of its path; how far a level lies beyond the entry level
    of a location has the same sign and takes one pass for all levels.
    """
    if not isinstance(family, UnionFamily):
        many = len(family.levels) > 2 * len(levels)
        if isinstance(X, Grid) and many and not isinstance(family, IntersectionFamily):
            # A pixel is not on a margin by construction, so nothing has to be snapped to zero at
            # the breakpoints on either side of a level: half the fields, and no blending.
            c, r = family.coefficients_at(levels)
            return family.kernel.grid_field(c, family.centres, X) - r[:, None]
        return family.values(X, levels)
    entry = family.first_level(X)
    span = float(np.ptp(np.append(levels, entry[np.isfinite(entry)]))) or 1.0
    never = levels.max() + span if family.orientation == 1 else levels.min() - span
    return family.orientation * (levels[:, None] - np.where(np.isfinite(entry), entry, never))


def points_inside(family: SetFamily, points: ArrayLike, levels: FloatArray) -> NDArray[np.bool_]:
    """Return which points are inside at each level, of shape (n_levels, n_points)."""
    return fields_at(family, points, levels) >= 0


def _left_behind(fields: FloatArray) -> FloatArray:
    """Return a field that is positive where an earlier one was and the present one is negative."""
    earlier = np.maximum.accumulate(fields, axis=0)
    return np.minimum(earlier, -fields)


def sweep_levels(family: SetFamily, grid: Grid, points: ArrayLike, frames: int = 60) -> FloatArray:
    """Choose evenly spaced levels from the first visible set to the one that contains all points.

    They start where the first pixel enters and end slightly after the last point has. A family in
    which nothing enters is swept over its own breakpoints.

    Parameters
    ----------
    family : SetFamily
        Any family.
    grid : Grid
        Pixels that are visible.
    points : array-like of shape (n_points, n_features)
        Points to include.
    frames : int
        Number of levels.

    Returns
    -------
    ndarray of shape (frames,)
    """
    seen = family.first_level(grid)
    held = family.last_level(points)
    seen, held = seen[np.isfinite(seen)], held[np.isfinite(held)]
    if not seen.size:
        return np.linspace(family.levels[0], family.levels[-1], frames)
    towards_large = family.orientation
    start = float((towards_large * seen).min() * towards_large)
    last_in = held if held.size else seen
    end = float((towards_large * last_in).max() * towards_large)
    low, high = family.domain or (-np.inf, np.inf)
    end = float(np.clip(end + 0.05 * (end - start), low, high))
    if family.open_below and end <= low:
        end = low + (start - low) / frames
    # Neither end itself is a good frame: the set is empty at the one, and may be all at the other.
    return np.linspace(start, end, frames + 1)[1:]


def outline(field: FloatArray, grid: Grid) -> Rings:
    """Trace closed rings around the pixels where a field is positive.

    Parameters
    ----------
    field : ndarray of shape (n_rows, n_columns)
        Values on the pixels.
    grid : Grid
        The pixels.

    Returns
    -------
    tuple of ndarray of shape (k, 2)
        Rings in plane coordinates.
    """
    return _rings(field, *np.meshgrid(grid.u, grid.v))


def _rings(field: FloatArray, across: FloatArray, along: FloatArray) -> Rings:
    # The class itself: contour_generator would look for masked values, which takes longer than
    # finding the rings.
    generator = SerialContourGenerator(
        across,
        along,
        field,
        cast(Any, None),  # no mask; the annotation does not allow for it
        line_type=LineType.Separate,
        fill_type=FillType.OuterOffset,
        quad_as_tri=False,
        z_interp=ZInterp.Linear,
        corner_mask=False,
        x_chunk_size=0,
        y_chunk_size=0,
    )
    polygons, offsets = cast(Polygons, generator.filled(0.0, np.inf))
    rings: list[FloatArray] = []
    for polygon, starts in zip(polygons, offsets, strict=True):
        bounds = starts.tolist()
        rings += [polygon[a:b] for a, b in pairwise(bounds)]
    return tuple(rings)
