"""Outlines of the parts of a set, labelled by cluster."""

from __future__ import annotations

from typing import cast

import numpy as np
from contourpy import FillType, contour_generator

from nestviz.analysis.level_sweep import Polygons, Rings
from nestviz.arrays import FloatArray, IntArray
from nestviz.grids import Grid


def entry_field(entry: FloatArray, level: float, orientation: int = -1) -> FloatArray:
    """Return a function of the entry levels that is positive exactly inside the set at ``level``.

    Entry levels may be infinite, and near peaks far from ``level``; both would move the outline
    between two pixels, so the function is clipped to the same range on both sides.
    """
    reach = abs(level) or 1.0
    return np.asarray(np.clip(orientation * (level - entry), -reach, reach))


def labelled_outlines(
    field: FloatArray, pixels: IntArray, grid: Grid
) -> tuple[tuple[int, Rings], ...]:
    """Return the connected parts of ``{field > 0}`` as pairs (label, rings).

    ``pixels`` are labels from `label_parts`. The first ring of a part surrounds it, the others its
    holes.
    """
    generator = contour_generator(grid.u, grid.v, field, fill_type=FillType.OuterOffset)
    polygons, offsets = cast(Polygons, generator.filled(0.0, np.inf))
    parts = []
    for polygon, starts in zip(polygons, offsets, strict=True):
        rings = tuple(np.split(polygon, starts[1:-1]))
        parts.append((_label_beside(polygon[0], field, pixels, grid), rings))
    return tuple(parts)


def _label_beside(vertex: FloatArray, field: FloatArray, pixels: IntArray, grid: Grid) -> int:
    """Return the label of the pixel inside that a vertex of the outline lies beside."""
    column, row = (
        int(np.clip(np.searchsorted(axis, at) - 1, 0, axis.size - 2))
        for axis, at in zip((grid.u, grid.v), vertex, strict=True)
    )
    around = field[row : row + 2, column : column + 2]
    down, right = np.unravel_index(int(around.argmax()), around.shape)
    return int(pixels[row + down, column + right])
