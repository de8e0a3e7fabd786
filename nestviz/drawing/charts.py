"""Small charts of a family for handouts: lines over the level or along a cut, and two rankings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from nestviz.arrays import BoolArray, FloatArray
from nestviz.drawing import canvas
from nestviz.palette import LIGHT, Theme

WIDTH, HEIGHT = 420, 380
THICK, THIN = 2.4, 1.2


@dataclass(frozen=True, eq=False)
class LineChart:
    """Numbers over an axis: the thick line, thin ones for comparison, and a mark."""

    title: str
    name: str  # Of the horizontal axis
    x: FloatArray
    y: FloatArray
    thin: Sequence[FloatArray] = ()
    mark: tuple[float, float] | None = None
    boundary: float | None = None  # A horizontal line, such as the level
    ends: tuple[float, float] | None = None  # Of the horizontal axis; by default those of x


@dataclass(frozen=True, eq=False)
class RankChart:
    """The ranks of points in two rankings, joined by lines."""

    title: str
    names: tuple[str, str]
    left: FloatArray
    right: FloatArray
    strong: BoolArray = field(default_factory=lambda: np.zeros(0, dtype=bool))


Chart = LineChart | RankChart


def draw_chart(chart: Chart, theme: Theme = LIGHT) -> Figure:
    """Return a chart as a figure.

    Parameters
    ----------
    chart : LineChart or RankChart
        What to draw.
    theme : Theme
        The colours.

    Returns
    -------
    matplotlib.figure.Figure
    """
    with canvas.settings():
        figure = canvas.new_figure(WIDTH, HEIGHT, theme)
        wide = WIDTH - canvas.MARGIN_LEFT - canvas.MARGIN_RIGHT
        high = HEIGHT - canvas.MARGIN_TOP - canvas.MARGIN_BOTTOM
        box = (canvas.MARGIN_LEFT, canvas.MARGIN_TOP, wide, high)
        if isinstance(chart, LineChart):
            _draw_lines(
                canvas.add_panel(figure, box, _view(chart), theme, chart.title), chart, theme
            )
        else:
            n = len(chart.left)
            view = (0.0, 1.0, n + 0.5, 0.5)
            _draw_ranks(canvas.add_panel(figure, box, view, theme, chart.title), chart, theme)
        return figure


def chart_svg(chart: Chart, theme: Theme = LIGHT) -> str:
    """Return a chart as the text of an SVG file."""
    return canvas.svg(draw_chart(chart, theme), chart.title)


def _view(chart: LineChart) -> canvas.Box:
    values = np.concatenate([chart.y, *chart.thin])
    known = [] if chart.boundary is None else [chart.boundary]
    low, high = min(values.min(), *known, np.inf), max(values.max(), *known, -np.inf)
    pad = 0.06 * (high - low or 1.0)
    left, right = chart.ends or (float(chart.x[0]), float(chart.x[-1]))
    return left, right, float(low - pad), float(high + pad)


def _draw_lines(axes: Axes, chart: LineChart, theme: Theme) -> None:
    axes.set_xlabel(chart.name, fontsize=11.5, color=to_rgba(theme.text, 0.85))
    for line in chart.thin:
        axes.plot(chart.x, line, color=to_rgba(theme.text, 0.7), linewidth=THIN)
    if chart.boundary is not None:
        axes.axhline(chart.boundary, color=theme.text, linewidth=1.4)
    axes.plot(chart.x, chart.y, color=theme.accent, linewidth=THICK)
    if chart.mark is not None:
        axes.axvline(chart.mark[0], color=theme.text, linewidth=THIN, linestyle=(0, (4, 3)))
        axes.plot([chart.mark[0]], [chart.mark[1]], "o", color=theme.alarm, markersize=8)


def _draw_ranks(axes: Axes, chart: RankChart, theme: Theme) -> None:
    axes.set_xticks([0, 1], list(chart.names))
    left, right = axes.get_xticklabels()
    left.set_horizontalalignment("left")
    right.set_horizontalalignment("right")
    axes.grid(visible=False)
    ends = np.stack([chart.left, chart.right], axis=1)
    strong = chart.strong if chart.strong.size else np.zeros(len(ends), dtype=bool)
    for chosen, colour, width in (
        (~strong, to_rgba(theme.text, 0.18), 1.0),
        (strong, to_rgba(theme.alarm), 1.8),
    ):
        lines = [np.array([[0.0, a], [1.0, b]]) for a, b in ends[chosen]]
        axes.add_collection(LineCollection(lines, colors=[colour], linewidths=width))
