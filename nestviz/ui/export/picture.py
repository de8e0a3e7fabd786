"""What a frame of a sweep looks like on paper: the player's picture, part by part.

The parts are drawn with a pen, of which there are two: one writes SVG, one paints pixels. Lengths
are in pixels of the finished picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.palette import HATCH_OPACITY, LIGHT, SHAPES, marker_radius
from nestviz.ui.export.pens import (
    PAPER,
    Paths,
    Pen,
    Plot,
    Style,
    marker,
    nice_ticks,
    shorten,
)
from nestviz.ui.player.data import Panel, SweepData

PALETTE, SINGLE = LIGHT.classes, LIGHT.single
ACCENT, ALARM = LIGHT.accent, LIGHT.alarm
MARGIN_LEFT, MARGIN_RIGHT, MARGIN_TOP, MARGIN_BOTTOM = 56, 14, 34, 48
LEGEND, LABEL = 30, 34
MOST_BESIDE = 3
FILL, HATCH = LIGHT.fill_opacity, HATCH_OPACITY


@dataclass(frozen=True)
class Layout:
    """Where everything goes."""

    width: float
    height: float
    plots: tuple[Plot, ...]


def layout(sweep: SweepData, panel_width: float = 560, panel_height: float = 460) -> Layout:
    """Panels in rows of three at the most, the legend and the level below them."""
    count = len(sweep.panels)
    # Up to three in a row; four are two and two.
    columns = 2 if count == 4 else min(count, MOST_BESIDE)
    rows = -(-count // columns)
    plots = tuple(
        _plot(
            sweep, k % columns * panel_width, k // columns * panel_height, panel_width, panel_height
        )
        for k in range(count)
    )
    return Layout(columns * panel_width, rows * panel_height + LEGEND + LABEL, plots)


def _plot(sweep: SweepData, left: float, top: float, width: float, height: float) -> Plot:
    x, y = left + MARGIN_LEFT, top + MARGIN_TOP
    w, h = width - MARGIN_LEFT - MARGIN_RIGHT, height - MARGIN_TOP - MARGIN_BOTTOM
    if sweep.keep_aspect:
        xmin, xmax, ymin, ymax = sweep.view
        unit = min(w / (xmax - xmin), h / (ymax - ymin))
        wide, high = unit * (xmax - xmin), unit * (ymax - ymin)
        x, y, w, h = x + (w - wide) / 2, y + (h - high) / 2, wide, high
    return Plot(x, y, w, h, sweep.view)


def draw(pen: Pen, sweep: SweepData, place: Layout, frame: int) -> None:
    """A whole picture of one frame."""
    draw_backdrop(pen, sweep, place)
    draw_fills(pen, sweep, place, frame)
    draw_points(pen, sweep, place, frame)
    draw_outlines(pen, sweep, place, frame)
    draw_level(pen, sweep, place, frame)


def draw_backdrop(pen: Pen, sweep: SweepData, place: Layout) -> None:
    """Axes, titles, legend, outlines of all levels: what is the same in all frames."""
    for plot, panel in zip(place.plots, sweep.panels, strict=True):
        _axes(pen, plot, panel.title, sweep.axis_names)
        if "levels" in sweep.shown and sweep.ghost_every:
            _all_levels(pen, panel, plot, sweep.ghost_every)
    _legend(pen, sweep, place)


def _all_levels(pen: Pen, panel: Panel, plot: Plot, step: int) -> None:
    """Thin outlines of every few levels, stronger towards the end of the sweep."""
    frames = len(panel.sets)
    for frame in range(0, frames, step):
        strength = 0.3 + 0.45 * frame / max(1, frames - 1)
        pen.outline(_paths(panel.sets[frame], plot), ACCENT, 1.0, round(strength, 3), plot)


def draw_fills(pen: Pen, sweep: SweepData, place: Layout, frame: int) -> None:
    """The sets, below the points."""
    for plot, panel in zip(place.plots, sweep.panels, strict=True):
        if "fill" in sweep.shown:
            pen.area(_paths(panel.sets[frame], plot), ACCENT, FILL, plot)
        if panel.overlay is not None and "overlay" in sweep.shown:
            pen.hatch(_paths(panel.overlay[frame], plot), ALARM, HATCH, plot)


def draw_points(pen: Pen, sweep: SweepData, place: Layout, frame: int) -> None:
    """The points, each class with its own shape."""
    for plot, panel in zip(place.plots, sweep.panels, strict=True):
        centres, radii = plot.places(panel.points), _radii(sweep, panel, frame)
        for k in range(len(sweep.class_names)):
            mine = np.flatnonzero(panel.classes == k)
            shapes = [marker(SHAPES[k], centres[i], radii[i]) for i in mine]
            pen.marks(shapes, class_colour(sweep, k), 1.6, plot)
        if panel.flags is not None:
            hollow = np.flatnonzero(panel.flags)
            holes = [marker("circle", centres[i], 0.55 * radii[i]) for i in hollow]
            pen.marks(holes, PAPER, 0.0, plot)


def draw_outlines(pen: Pen, sweep: SweepData, place: Layout, frame: int) -> None:
    """The boundaries of the sets, above the points."""
    for plot, panel in zip(place.plots, sweep.panels, strict=True):
        if "outline" in sweep.shown:
            paths = _paths(panel.sets[frame], plot)
            pen.outline(paths, PAPER, 3.6, 0.5, plot)
            pen.outline(paths, ACCENT, 1.8, 1.0, plot)
        if panel.overlay is not None and "overlay" in sweep.shown:
            pen.outline(_paths(panel.overlay[frame], plot), ALARM, 1.8, 1.0, plot)


def draw_level(pen: Pen, sweep: SweepData, place: Layout, frame: int) -> None:
    """The level in words, and what is said of it."""
    y = place.height - 12
    words, bold = f"{sweep.level_name} = {sweep.labels[frame]}", Style(13, bold=True)
    pen.text((MARGIN_LEFT, y), words, bold, turned=False)
    start = MARGIN_LEFT + pen.width_of(words, bold) + 16
    style = Style(12.5, opacity=0.75)
    caption = shorten(pen, sweep.captions[frame], style, place.width - start - 8)
    pen.text((start, y), caption, style, turned=False)


def class_colour(sweep: SweepData, index: int) -> str:
    """One class alone is neutral; several have their own colours."""
    return SINGLE if len(sweep.class_names) == 1 else PALETTE[index]


def _paths(rings: Paths, plot: Plot) -> list[FloatArray]:
    return [plot.places(ring) for ring in rings]


def sized(sweep: SweepData) -> bool:
    """Whether marks change their size from frame to frame."""
    return "sizes" in sweep.shown and any(p.marker_sizes is not None for p in sweep.panels)


def _radii(sweep: SweepData, panel: Panel, frame: int) -> FloatArray:
    n = len(panel.points)
    base = marker_radius(n)
    if panel.marker_sizes is None or not sized(sweep):
        return np.full(n, base)
    return base * (0.55 + 1.75 * np.sqrt(panel.marker_sizes[frame]))


def _axes(pen: Pen, plot: Plot, title: str, names: tuple[str, str]) -> None:
    xmin, xmax, ymin, ymax = plot.view
    ticks = Style(11.5, anchor="middle", opacity=0.72)
    for value, words in nice_ticks(xmin, xmax, min(6.0, plot.w / 80)):
        x = float(plot.across(value))
        pen.rule((x, plot.y, x, plot.y + plot.h), 0.07)
        pen.text((x, plot.y + plot.h + 16), words, ticks, turned=False)
    for value, words in nice_ticks(ymin, ymax, min(6.0, plot.h / 60)):
        y = float(plot.down(value))
        pen.rule((plot.x, y, plot.x + plot.w, y), 0.07)
        pen.text((plot.x - 7, y + 4), words, Style(11.5, anchor="end", opacity=0.72), turned=False)
    right, bottom = plot.x + plot.w, plot.y + plot.h
    for ends in (
        (plot.x, plot.y, right, plot.y),
        (plot.x, bottom, right, bottom),
        (plot.x, plot.y, plot.x, bottom),
        (right, plot.y, right, bottom),
    ):
        pen.rule(ends, 0.22)
    name = Style(12, anchor="middle", opacity=0.8)
    x_name, y_name = (
        shorten(pen, words, name, room) for words, room in zip(names, (plot.w, plot.h), strict=True)
    )
    pen.text((plot.x + plot.w / 2, bottom + 35), x_name, name, turned=False)
    pen.text((plot.x - 40, plot.y + plot.h / 2), y_name, name, turned=True)
    bold = Style(14, bold=True)
    pen.text((plot.x, plot.y - 11), shorten(pen, title, bold, plot.w), bold, turned=False)


def _legend(pen: Pen, sweep: SweepData, place: Layout) -> None:
    x, y = float(MARGIN_LEFT), place.height - LABEL - 12
    everywhere = Plot(0, 0, place.width, place.height, (0, 1, 0, 1))
    style = Style(12, opacity=0.8)
    box = np.array([[0.0, -11.0], [17.0, -11.0], [17.0, 1.0], [0.0, 1.0]])
    for words, colour, kind in _entries(sweep):
        frame = [box + np.array([x, y])]
        if kind in ("set", "overlay"):
            paint = pen.area if kind == "set" else pen.hatch
            paint(frame, colour, 0.22 if kind == "set" else HATCH, everywhere)
            pen.outline(frame, colour, 1.4, 1.0, everywhere)
        else:
            shape = "circle" if kind == "hollow" else kind
            pen.marks([marker(shape, (x + 8, y - 4.5), 4.2)], colour, 0.0, everywhere)
            if kind == "hollow":
                pen.marks([marker(shape, (x + 8, y - 4.5), 2.3)], PAPER, 0.0, everywhere)
        pen.text((x + 23, y), words, style, turned=False)
        x += 23 + pen.width_of(words, style) + 20


def _entries(sweep: SweepData) -> list[tuple[str, str, str]]:
    """Legend: words, colour, and what they stand for."""
    hatched = "overlay" in sweep.shown and any(p.overlay is not None for p in sweep.panels)
    flagged = any(p.flags is not None and p.flags.any() for p in sweep.panels)
    entries = [(sweep.set_name, ACCENT, "set")]
    entries += [(sweep.overlay_name, ALARM, "overlay")] if hatched else []
    entries += [(n, class_colour(sweep, k), SHAPES[k]) for k, n in enumerate(sweep.class_names)]
    entries += [(sweep.flag_name, class_colour(sweep, 0), "hollow")] if flagged else []
    return entries
