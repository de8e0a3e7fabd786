"""Small pictures without axes, for cards: transparent, in mid tones for light and dark pages."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.drawing import canvas
from nestviz.palette import MID

WIDTH, HEIGHT = 220, 130


def small_axes(view: canvas.Box) -> Axes:
    """Return axes to scale that fill a small figure; they show (xmin, xmax, ymin, ymax) or more."""
    xmin, xmax, ymin, ymax = view
    unit = min(WIDTH / (xmax - xmin), HEIGHT / (ymax - ymin))
    wide, high = (WIDTH / unit - (xmax - xmin)) / 2, (HEIGHT / unit - (ymax - ymin)) / 2
    shown = (xmin - wide, xmax + wide, ymin - high, ymax + high)
    return canvas.add_axes(canvas.new_figure(WIDTH, HEIGHT, MID), (0, 0, WIDTH, HEIGHT), shown)


def draw_points(axes: Axes, points: FloatArray, y: ArrayLike | None = None) -> None:
    """Draw points: circles, and triangles for class −1."""
    canvas.class_markers(axes, points, y, MID, 2.1)


def draw_set(axes: Axes, rings: Sequence[FloatArray], opacity: float = MID.fill_opacity) -> None:
    """Draw a set, filled and outlined."""
    path = canvas.ring_path(rings)
    canvas.area(axes, path, MID.accent, opacity)
    canvas.outline(axes, path, MID.accent, MID)


def draw_violation(axes: Axes, rings: Sequence[FloatArray]) -> None:
    """Draw a violated area, hatched and outlined."""
    path = canvas.ring_path(rings)
    canvas.hatched(axes, path, MID.alarm)
    canvas.outline(axes, path, MID.alarm, MID)


def svg(axes: Axes, title: str) -> str:
    """Return the text of an SVG file."""
    assert isinstance(axes.figure, Figure)
    return canvas.svg(axes.figure, title)
