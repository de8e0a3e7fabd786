"""A scene as PNG, SVG and pixels: the player's picture without a browser."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from PIL import Image

from nestviz.arrays import FloatArray, IntArray
from nestviz.drawing import canvas, legends
from nestviz.palette import LIGHT, SHAPES, Theme, marker_radius
from nestviz.ui.scene.drawn import DrawnPanel, DrawnScene, draw_scene, draw_still
from nestviz.ui.scene.scene import Scene

PANEL = (560, 460)
FOOT = 64
"""Pixels for the legend and the level below the panels."""
TRUTH_WIDTH = 1.6
HOLE = 0.55
"""Radius of a flagged point's hole, as a share of its marker's."""
SMALLEST, LARGEST, OF_MEAN = 0.7, 14.0, 0.62
"""Radii of markers whose area follows their weight, and the factor at the mean; as in layout.js."""


def png(scene: Scene, theme: Theme = LIGHT) -> bytes:
    """Return the scene at its first level as a PNG file, at twice the size on the page."""
    return canvas.png(_still(scene, theme))


def svg(
    scene: Scene,
    theme: Theme = LIGHT,
    *,
    panel: tuple[float, float] = PANEL,
    cut: FloatArray | None = None,
) -> str:
    """Return the scene at its first level as the text of an SVG file.

    ``panel`` is the size of one panel; ``cut`` are the ends of a dashed line, of shape (2, 2).
    """
    return canvas.svg(_still(scene, theme, panel, cut), scene.alt)


def _still(
    scene: Scene,
    theme: Theme,
    panel: tuple[float, float] = PANEL,
    cut: FloatArray | None = None,
) -> Figure:
    content, frame = draw_still(scene)
    with canvas.settings():
        drawn = ScenePicture(content, theme, panel)
        drawn.show(frame)
        if cut is not None:
            for part in drawn.panels:
                part.axes.plot(*cut.T, color=theme.text, linewidth=1.4, linestyle=(0, (5, 3)))
        return drawn.figure


def frames(scene: Scene, panel: tuple[float, float], theme: Theme = LIGHT) -> list[Image.Image]:
    """Return the pixels at all stops; ``panel`` is the size of one panel."""
    content = draw_scene(scene)
    with canvas.settings():
        drawn = ScenePicture(content, theme, panel)
        screen, moving = FigureCanvasAgg(drawn.figure), drawn.moving
        for artist in moving:
            artist.set_animated(True)
        screen.draw()
        backdrop = screen.copy_from_bbox(drawn.figure.bbox)
        images = []
        for frame in range(len(content.positions)):
            screen.restore_region(backdrop)
            drawn.show(frame)
            for artist in moving:
                drawn.figure.draw_artist(artist)
            images.append(Image.fromarray(np.asarray(screen.buffer_rgba())).convert("RGB"))
        return images


class ScenePicture:
    """The figure of a scene, in which one frame can replace another."""

    def __init__(self, drawn: DrawnScene, theme: Theme, panel: tuple[float, float]) -> None:
        self.drawn, scene = drawn, drawn.scene
        count, samples = len(scene.panels), _samples(scene, theme)
        wide = panel[0] * canvas.panel_columns(count)
        columns = legends.legend_columns([name for name, _ in samples], wide)
        foot = FOOT + legends.LINE * (-(-len(samples) // columns) - 1)
        self.figure, boxes = canvas.panel_figure(count, panel, foot, theme, scene.view)
        self.panels = [
            PanelPicture(self.figure, box, drawn, part, theme)
            for box, part in zip(boxes, drawn.panels, strict=True)
        ]
        legends.write_legend(self.figure, samples, theme, FOOT - 26, columns)
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
        self.level.set_text(self.drawn.label(frame))
        start = self.level.get_window_extent().x1 + 16
        self.caption.set(x=start / self.width, text=self.drawn.caption(frame))
        canvas.shorten(self.caption, self.width - start - 8)


class PanelPicture:
    """One panel: points, and sets that change from frame to frame."""

    def __init__(
        self, figure: Figure, box: canvas.Box, drawn: DrawnScene, part: DrawnPanel, theme: Theme
    ) -> None:
        self.part, self.panel, scene = part, part.panel, drawn.scene
        self.radius = marker_radius(len(self.panel.points))
        self.sizes = part.sizes if "sizes" in scene.shown else None
        self.axes = canvas.add_panel(
            figure, box, scene.view, theme, self.panel.title, scene.axis_names
        )
        if "levels" in scene.shown and scene.ghosts:
            self._draw_all_levels(scene.ghosts, theme)
        nothing, accent = canvas.ring_path(()), theme.accent
        self.sets: list[PathPatch] = []
        if "fill" in scene.shown:
            self.sets.append(canvas.area(self.axes, nothing, accent, theme.fill_opacity))
        if "outline" in scene.shown:
            self.sets.append(canvas.outline(self.axes, nothing, accent, theme))
        self.scale, self.positions = scene.scale, drawn.positions
        self.band = (
            canvas.band(self.axes, nothing, theme.text)
            if self.panel.band is not None and "band" in scene.shown
            else None
        )
        self.overlays: list[PathPatch] = []
        if "overlay" in scene.shown:
            self.overlays.append(canvas.hatched(self.axes, nothing, theme.alarm))
            self.overlays.append(canvas.outline(self.axes, nothing, theme.alarm, theme))
        self.markers = self._draw_points(scene, theme)
        if self.panel.weights is not None and self.sizes is None:
            self._resize(weighted_radii(self.radius, self.panel.weights))
        self.drawn = drawn if "truth" in scene.shown else None
        self.true_set = LineCollection([], colors=theme.text, zorder=canvas.OUTLINE)
        self.true_set.set(linewidths=TRUTH_WIDTH, linestyles=[(0, (4, 2.5))])
        self.axes.add_collection(self.true_set, autolim=False)
        if scene.probe is not None:
            canvas.pin(self.axes, scene.probe, theme)

    @property
    def moving(self) -> list[Artist]:
        """What differs from frame to frame or is drawn above that, from below to above."""
        marks = [collection for collection, _, _ in self.markers]
        artists: list[Artist] = [*self.sets, *self.overlays, *marks, self.true_set]
        if self.band is not None:
            artists.append(self.band)
        return sorted(artists, key=lambda artist: artist.get_zorder())

    def show(self, frame: int) -> None:
        """Draw another frame."""
        for patches, sets in ((self.sets, self.part.sets), (self.overlays, self.part.broken)):
            path = canvas.ring_path(sets[frame])
            for patch in patches:
                patch.set_path(path)
        if self.band is not None and self.panel.band is not None:
            level = self.scale.level(float(self.positions[frame]))
            self.band.set_path(canvas.ring_path(self.panel.band.rings(level)))
        if self.drawn is not None:
            self.true_set.set_segments(self.drawn.true_set(frame))
        if self.sizes is not None:
            self._resize(self.radius * (0.55 + 1.75 * np.sqrt(self.sizes[frame])))

    def _resize(self, radii: FloatArray) -> None:
        """Give each point a marker of its own radius."""
        for collection, rows, factor in self.markers:
            collection.set_sizes(np.square(factor * radii[rows]))

    def _draw_all_levels(self, count: int, theme: Theme) -> None:
        """Draw thin outlines of several levels, stronger towards the largest set."""
        sets = self.part.sets
        for frame in np.linspace(0, len(sets) - 1, count).round().astype(int):
            strength = 0.3 + 0.45 * frame / max(1, len(sets) - 1)
            canvas.thin_outline(self.axes, canvas.ring_path(sets[frame]), theme.accent, strength)

    def _draw_points(
        self, scene: Scene, theme: Theme
    ) -> list[tuple[PathCollection, IntArray, float]]:
        """Draw the points; return artists, their rows and the factors of their radii."""
        kinds = range(len(drawn_kinds(scene)))
        own = np.zeros_like(self.panel.classes) if scene.neutral else self.panel.classes
        classes = [np.flatnonzero(own == k) for k in kinds]
        paper = theme.background
        looks = [
            (rows, 1.0, SHAPES[k], class_colour(scene, k, theme), paper)
            for k, rows in enumerate(classes)
        ]
        if self.panel.hollow is not None:
            looks.append((np.flatnonzero(self.panel.hollow), HOLE, "circle", paper, "none"))
        return [
            (collection, rows, factor)
            for rows, factor, shape, colour, rim in looks
            for collection in canvas.markers(
                self.axes, self.panel.points[rows], shape, colour, factor * self.radius, rim
            )
        ]


def weighted_radii(base: float, weights: FloatArray) -> FloatArray:
    """Return radii of markers whose area follows their weight, as the player draws them."""
    return np.clip(OF_MEAN * base * np.sqrt(weights), SMALLEST, LARGEST)


def drawn_kinds(scene: Scene) -> Sequence[str]:
    """Return the names of points that are drawn differently."""
    return ("points",) if scene.neutral else scene.class_names


def class_colour(scene: Scene, index: int, theme: Theme) -> str:
    """Return the colour of a class; one class alone is neutral."""
    return theme.single if len(drawn_kinds(scene)) == 1 else theme.classes[index]


def _samples(scene: Scene, theme: Theme) -> list[tuple[str, Artist]]:
    """Return names and samples of the legend."""
    samples: list[tuple[str, Artist]] = [(scene.set_name, canvas.set_sample(theme.accent))]
    if "overlay" in scene.shown and not all(panel.family.is_nested for panel in scene.panels):
        samples.append((scene.overlay_name, canvas.hatched_sample(theme.alarm)))
    for k, name in enumerate(drawn_kinds(scene)):
        samples.append((name, canvas.marker_sample(SHAPES[k], class_colour(scene, k, theme))))
    if "sizes" not in scene.shown and any(panel.weights is not None for panel in scene.panels):
        samples.append(("centres: area by number of rows", Line2D([], [], linestyle="none")))
    if any(panel.hollow is not None and panel.hollow.any() for panel in scene.panels):
        ring = canvas.marker_sample("circle", class_colour(scene, 0, theme), theme.background)
        samples.append((scene.flag_name, ring))
    if scene.truth is not None and "truth" in scene.shown:
        dashed = Line2D([], [], color=theme.text, linewidth=TRUTH_WIDTH, linestyle=(0, (4, 2.5)))
        samples.append(("true level set", dashed))
    bands = [panel.band for panel in scene.panels if panel.band is not None]
    if bands and "band" in scene.shown:
        samples.append((bands[0].name, canvas.band_sample(theme.text)))
    return samples
