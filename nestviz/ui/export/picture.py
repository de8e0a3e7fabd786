"""Frames of a sweep as PNG, SVG and pixels: the player's picture without a browser."""

from __future__ import annotations

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from PIL import Image

from nestviz.arrays import IntArray
from nestviz.drawing import canvas
from nestviz.palette import LIGHT, SHAPES, Theme, marker_radius
from nestviz.ui.player.data import Panel, SweepData

PANEL = (560, 460)
FOOT = 64
"""Pixels for the legend and the level below the panels."""
HOLE = 0.55
"""Radius of a flagged point's hole, as a share of its marker's."""


def png(sweep: SweepData, theme: Theme = LIGHT) -> bytes:
    """Return the frame ``sweep.start`` as a PNG file, at twice the size on the page."""
    return canvas.png(_still(sweep, theme))


def svg(sweep: SweepData, theme: Theme = LIGHT) -> str:
    """Return the frame ``sweep.start`` as the text of an SVG file."""
    return canvas.svg(_still(sweep, theme), sweep.alt)


def _still(sweep: SweepData, theme: Theme) -> Figure:
    with canvas.settings():
        drawn = SweepPicture(sweep, theme, PANEL)
        drawn.show(sweep.start)
        return drawn.figure


def frames(sweep: SweepData, panel: tuple[float, float], theme: Theme = LIGHT) -> list[Image.Image]:
    """Return the pixels of all frames; ``panel`` is the size of one panel."""
    with canvas.settings():
        drawn = SweepPicture(sweep, theme, panel)
        screen, moving = FigureCanvasAgg(drawn.figure), drawn.moving
        for artist in moving:
            artist.set_animated(True)
        screen.draw()
        backdrop = screen.copy_from_bbox(drawn.figure.bbox)
        images = []
        for frame in range(len(sweep.levels)):
            screen.restore_region(backdrop)
            drawn.show(frame)
            for artist in moving:
                drawn.figure.draw_artist(artist)
            images.append(Image.fromarray(np.asarray(screen.buffer_rgba())).convert("RGB"))
        return images


class SweepPicture:
    """The figure of a sweep, in which one frame can replace another."""

    def __init__(self, sweep: SweepData, theme: Theme, panel: tuple[float, float]) -> None:
        self.sweep = sweep
        self.figure, boxes = canvas.panel_figure(len(sweep.panels), panel, FOOT, theme)
        self.panels = [
            PanelPicture(self.figure, box, sweep, part, theme)
            for box, part in zip(boxes, sweep.panels, strict=True)
        ]
        canvas.legend(self.figure, _samples(sweep, theme), theme, FOOT - 26)
        self.width, height = self.figure.get_size_inches() * canvas.DPI
        x, y = canvas.MARGIN_LEFT / self.width, 14 / height
        self.level = self.figure.text(x, y, "", fontsize=12, weight="bold", color=theme.text)
        self.caption = self.figure.text(x, y, "", fontsize=11.5, color=to_rgba(theme.text, 0.8))
        for text in (self.level, self.caption):
            text.set_parse_math(False)

    @property
    def moving(self) -> list[Artist]:
        """What differs from frame to frame or is drawn above that, from below to above."""
        artists = [artist for panel in self.panels for artist in panel.moving]
        return [*artists, self.level, self.caption]

    def show(self, frame: int) -> None:
        """Draw another frame."""
        for panel in self.panels:
            panel.show(frame)
        self.level.set_text(f"{self.sweep.level_name} = {self.sweep.labels[frame]}")
        start = self.level.get_window_extent().x1 + 16
        self.caption.set(x=start / self.width, text=self.sweep.captions[frame])
        canvas.shorten(self.caption, self.width - start - 8)


class PanelPicture:
    """One panel: points, and sets that change from frame to frame."""

    def __init__(
        self, figure: Figure, box: canvas.Box, sweep: SweepData, panel: Panel, theme: Theme
    ) -> None:
        self.panel, self.radius = panel, marker_radius(len(panel.points))
        self.sizes = panel.marker_sizes if "sizes" in sweep.shown else None
        self.axes = canvas.add_panel(figure, box, sweep.view, theme, panel.title, sweep.axis_names)
        if sweep.keep_aspect:
            self.axes.set_aspect("equal")
        if "levels" in sweep.shown and sweep.ghost_every:
            self._draw_all_levels(sweep.ghost_every, theme)
        nothing, accent = canvas.ring_path(()), theme.accent
        self.sets: list[PathPatch] = []
        if "fill" in sweep.shown:
            self.sets.append(canvas.area(self.axes, nothing, accent, theme.fill_opacity))
        if "outline" in sweep.shown:
            self.sets.append(canvas.outline(self.axes, nothing, accent, theme))
        self.overlays: list[PathPatch] = []
        if "overlay" in sweep.shown:
            self.overlays.append(canvas.hatched(self.axes, nothing, theme.alarm))
            self.overlays.append(canvas.outline(self.axes, nothing, theme.alarm, theme))
        self.markers = self._draw_points(sweep, theme)

    @property
    def moving(self) -> list[Artist]:
        """What differs from frame to frame or is drawn above that, from below to above."""
        marks = [collection for collection, _, _ in self.markers]
        return sorted([*self.sets, *self.overlays, *marks], key=lambda artist: artist.get_zorder())

    def show(self, frame: int) -> None:
        """Draw another frame."""
        for patches, sets in ((self.sets, self.panel.sets), (self.overlays, self.panel.overlay)):
            path = canvas.ring_path(sets[frame] if sets else ())
            for patch in patches:
                patch.set_path(path)
        if self.sizes is not None:
            radii = self.radius * (0.55 + 1.75 * np.sqrt(self.sizes[frame]))
            for collection, rows, factor in self.markers:
                collection.set_sizes(np.square(factor * radii[rows]))

    def _draw_all_levels(self, step: int, theme: Theme) -> None:
        """Draw thin outlines of every few levels, stronger towards the end of the sweep."""
        sets = self.panel.sets
        for frame in range(0, len(sets), step):
            strength = 0.3 + 0.45 * frame / max(1, len(sets) - 1)
            canvas.thin_outline(self.axes, canvas.ring_path(sets[frame]), theme.accent, strength)

    def _draw_points(
        self, sweep: SweepData, theme: Theme
    ) -> list[tuple[PathCollection, IntArray, float]]:
        """Draw the points; return artists, their rows and the factors of their radii."""
        classes = [np.flatnonzero(self.panel.classes == k) for k in range(len(sweep.class_names))]
        paper = theme.background
        looks = [
            (rows, 1.0, SHAPES[k], class_colour(sweep, k, theme), paper)
            for k, rows in enumerate(classes)
        ]
        if self.panel.flags is not None:
            looks.append((np.flatnonzero(self.panel.flags), HOLE, "circle", paper, "none"))
        return [
            (collection, rows, factor)
            for rows, factor, shape, colour, rim in looks
            for collection in canvas.markers(
                self.axes, self.panel.points[rows], shape, colour, factor * self.radius, rim
            )
        ]


def class_colour(sweep: SweepData, index: int, theme: Theme) -> str:
    """Return the colour of a class; one class alone is neutral."""
    return theme.single if len(sweep.class_names) == 1 else theme.classes[index]


def _samples(sweep: SweepData, theme: Theme) -> list[tuple[str, Artist]]:
    """Return names and samples of the legend."""
    samples: list[tuple[str, Artist]] = [(sweep.set_name, canvas.set_sample(theme.accent))]
    if "overlay" in sweep.shown and any(panel.overlay is not None for panel in sweep.panels):
        samples.append((sweep.overlay_name, canvas.hatched_sample(theme.alarm)))
    for k, name in enumerate(sweep.class_names):
        samples.append((name, canvas.marker_sample(SHAPES[k], class_colour(sweep, k, theme))))
    if any(panel.flags is not None and panel.flags.any() for panel in sweep.panels):
        ring = canvas.marker_sample("circle", class_colour(sweep, 0, theme), theme.background)
        samples.append((sweep.flag_name, ring))
    return samples
