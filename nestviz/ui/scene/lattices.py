"""Fields that the player gets as values on a lattice of plane coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nestviz.analysis.level_sweep import Rings, outline
from nestviz.arrays import FloatArray
from nestviz.grids import Grid, Plane
from nestviz.ui.scene.arrays import ArrayTable

STEPS = 32_000
"""Steps from zero to the largest value of a field that is sent in two bytes a value."""


@dataclass(frozen=True, eq=False)
class Truth:
    """A known density on a lattice of plane coordinates, and the factor from λ to its threshold."""

    across: FloatArray
    along: FloatArray
    values: FloatArray  # (along, across)
    factor: float


@dataclass(frozen=True, eq=False)
class Band:
    """The band in which the boundaries of resamples differ, on a lattice, level by level.

    ``inner`` and ``outer`` are not negative inside the two sides of the band; between levels they
    are interpolated.
    """

    across: FloatArray
    along: FloatArray
    levels: FloatArray  # Ascending
    inner: FloatArray  # (levels, along × across)
    outer: FloatArray
    share: float  # Part of the resamples that the band holds
    resamples: int

    @property
    def name(self) -> str:
        """What the legend calls the band."""
        return f"boundary in {self.share:.0%} of {self.resamples} resamples"

    def at(self, level: float) -> tuple[FloatArray, FloatArray]:
        """Return the two fields at a level, of shape (along, across); the nearest beyond all."""
        known = self.levels
        after = int(np.clip(np.searchsorted(known, level), 1, known.size - 1))
        gap = known[after] - known[after - 1]
        part = float(np.clip((level - known[after - 1]) / gap, 0.0, 1.0))
        shape = self.along.size, self.across.size
        inner, outer = (
            ((1.0 - part) * rows[after - 1] + part * rows[after]).reshape(shape)
            for rows in (self.inner, self.outer)
        )
        return inner, outer

    def area(self, level: float) -> float:
        """Return the share of the lattice in the band, without the rim beyond the picture."""
        inner, outer = self.at(level)
        return float(((outer >= 0) & (inner < 0))[1:-1, 1:-1].mean())

    def rings(self, level: float) -> Rings:
        """Return the rings of both sides: an odd number of them surrounds what is in between."""
        inner, outer = self.at(level)
        grid = Grid(self.across, self.along, Plane.of_two_features())
        return (*outline(outer, grid), *outline(inner, grid))


def truth_form(truth: Truth, table: ArrayTable) -> dict[str, Any]:
    """Return a known density as the header of a message has it."""
    values = table.add(truth.values, "float32")
    return _lattice(truth.across, truth.along) | {"values": values, "factor": truth.factor}


def band_form(band: Band, table: ArrayTable) -> dict[str, Any]:
    """Return a band as the header of a message has it: two bytes a value, a unit for each row."""
    header = _lattice(band.across, band.along) | {"name": band.name, "share": band.share}
    header["levels"] = table.add(band.levels, "float64")
    for side, rows in (("inner", band.inner), ("outer", band.outer)):
        largest = np.abs(rows).max(axis=1, keepdims=True)
        unit = np.where(largest > 0, largest, 1.0) / STEPS
        # What is just below zero must not be rounded to the boundary.
        steps = np.where(rows < 0, np.minimum(np.round(rows / unit), -1), np.round(rows / unit))
        header[side] = {
            "steps": table.add(steps, "int16"),
            "units": table.add(unit[:, 0], "float64"),
        }
    return header


def _lattice(across: FloatArray, along: FloatArray) -> dict[str, Any]:
    return {
        "u0": float(across[0]),
        "v0": float(along[0]),
        "du": float(across[1] - across[0]),
        "dv": float(along[1] - along[0]),
        "columns": across.size,
        "rows": along.size,
    }
