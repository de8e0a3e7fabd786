"""The sets of a scene as outlines, for stills and movies; the browser draws its own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
from contourpy import LineType, contour_generator

from nestviz.analysis.level_sweep import Rings, sweep
from nestviz.arrays import BoolArray, FloatArray
from nestviz.grids import Grid
from nestviz.ui.scene.scene import Panel, Scale, Scene

PIXELS = 150


@dataclass(frozen=True, eq=False)
class DrawnPanel:
    """The sets of one panel at some positions."""

    panel: Panel
    sets: tuple[Rings, ...]
    broken: tuple[Rings, ...]
    broken_share: FloatArray
    sizes: FloatArray | None  # Of the markers, (positions, points), from 0 to 1


@dataclass(frozen=True, eq=False)
class DrawnScene:
    """A scene at some positions of its scale."""

    scene: Scene
    positions: FloatArray
    panels: tuple[DrawnPanel, ...]

    def label(self, frame: int) -> str:
        """Return the level of a frame in words."""
        scale = self.scene.scale
        return f"{scale.name} = {scale.label(self.positions[frame])}"

    def caption(self, frame: int) -> str:
        """Return the sentence of a frame, as the player writes it."""
        scene, position = self.scene, float(self.positions[frame])
        stop = nearest_stop(position)
        if scene.captions:
            return scene.captions[stop]
        parts = [_counts(drawn, scene, position, frame) for drawn in self.panels]
        note = scene.notes[stop] if scene.notes else ""
        return note + "; ".join(part for part in parts if part)

    def true_set(self, frame: int) -> list[FloatArray]:
        """Return the outline of the true level set at a frame, as lines; none if it is unknown."""
        truth = self.scene.truth
        if truth is None:
            return []
        threshold = self.scene.scale.level(float(self.positions[frame])) * truth.factor
        traced = contour_generator(
            truth.across, truth.along, truth.values, line_type=LineType.Separate
        )
        return [np.asarray(line) for line in traced.lines(threshold)]


def draw_scene(scene: Scene, positions: FloatArray | None = None) -> DrawnScene:
    """Return the sets of a scene at ascending positions; by default at its stops.

    Violations are counted from the first position on.
    """
    if positions is None:
        positions = np.arange(scene.scale.last + 1.0)
    levels = np.array([scene.scale.level(position) for position in positions])
    panels = tuple(_drawn(panel, scene, levels) for panel in scene.panels)
    return DrawnScene(scene, positions, panels)


def draw_still(scene: Scene) -> tuple[DrawnScene, int]:
    """Return a scene up to the level it starts at, and the number of that frame."""
    earlier = np.arange(np.ceil(scene.start))
    drawn = draw_scene(scene, np.append(earlier, scene.start))
    return drawn, len(earlier)


def _drawn(panel: Panel, scene: Scene, levels: FloatArray) -> DrawnPanel:
    found = sweep(panel.family, _grid(scene, panel), panel.family.centres, levels)
    return DrawnPanel(
        panel, found.outlines, found.broken, found.broken_share, _sizes(panel, levels)
    )


def _grid(scene: Scene, panel: Panel) -> Grid:
    """Return pixels that reach one beyond the view, so that its edge cuts the sets."""
    xmin, xmax, ymin, ymax = scene.view
    across, along = (xmax - xmin) / PIXELS, (ymax - ymin) / PIXELS
    u = np.linspace(xmin - across, xmax + across, PIXELS + 3)
    v = np.linspace(ymin - along, ymax + along, PIXELS + 3)
    return Grid(u, v, panel.plane)


def _sizes(panel: Panel, levels: FloatArray) -> FloatArray | None:
    if panel.size_scale is None:
        return None
    sizes = np.abs(panel.family.coefficients_at(levels)[0]) * panel.size_scale
    rows, weights = panel.size_rows, panel.weights
    if rows is not None:
        sizes = sizes[:, rows] / np.bincount(rows, weights)[rows]
    elif weights is not None:
        sizes = sizes / weights
    return np.minimum(sizes, 1.0)


def _counts(drawn: DrawnPanel, scene: Scene, position: float, frame: int) -> str:
    panel, parts = drawn.panel, []
    inside = points_inside_at(panel, scene.scale, position)
    if inside is not None and scene.by_class:
        for kind, name in enumerate(scene.class_names):
            mine = panel.classes == kind
            if mine.any():
                parts.append(f"{_percent(_mean(inside, panel, mine), 0)} of {name} points inside")
    elif inside is not None and inside.size:
        share = _mean(inside, panel, np.ones(len(inside), dtype=np.bool_))
        parts.append(f"{_percent(share, 0)} of the points inside")
    if drawn.broken_share[frame] > 0:
        parts.append(f"{_percent(drawn.broken_share[frame], 1)} of the picture violated")
    if panel.band is not None and "band" in scene.shown:
        area = _percent(panel.band.area(scene.scale.level(position)), 1)
        parts.append(f"{panel.band.name}: the shaded {area} of the picture")
    title = f"{panel.title}: " if panel.title else ""
    return title + ", ".join(parts) if parts else ""


def _mean(inside: FloatArray, panel: Panel, mine: BoolArray) -> float:
    """Return the share of some points that are inside, by their weights."""
    weights = None if panel.weights is None else panel.weights[mine]
    return float(np.average(inside[mine], weights=weights))


def _percent(share: float, digits: int) -> str:
    """Write a share as the browser does: halves are rounded up."""
    number = Decimal(100 * float(share)).quantize(Decimal(10) ** -digits, ROUND_HALF_UP)
    return f"{number}%"


def nearest_stop(position: float) -> int:
    """Return the stop nearest to a position; of two, the later one, as in the browser."""
    return math.floor(position + 0.5)


def points_inside_at(panel: Panel, scale: Scale, position: float) -> FloatArray | None:
    """Return whether each point is inside at a position: exactly, or at the nearest stop."""
    if panel.intervals is not None:
        level, found = scale.level(position), panel.intervals
        hit = (found.lower <= level) & (level <= found.upper)
        rows = np.repeat(np.arange(len(found)), found.counts)[hit]
        return np.isin(np.arange(len(found)), rows).astype(float)
    if panel.inside is None:
        return None
    return panel.inside[nearest_stop(position)].astype(float)
