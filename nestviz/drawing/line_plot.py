"""Curves with bands, in panels side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from nestviz.drawing import canvas
from nestviz.drawing.study_looks import (
    AXIS,
    GAP,
    MOST_COLUMNS,
    RADIUS,
    TITLE,
    WIDTH,
    legend_height,
    look,
    names_of_series,
    value_range,
    write_legend,
)
from nestviz.drawing.study_series import Panel, Series
from nestviz.palette import Theme
from nestviz.studies.findings import Plot

HEIGHT = 260.0
NAME = 14.0
"""Below the axes, for the name of x."""
DASHES: tuple[canvas.Dash, ...] = ("solid", (0, (6, 2)), (0, (2, 2)), (0, (6, 2, 1.5, 2)))
MOST_MARKED = 25
"""Points of a curve that are marked; more would hide it."""


def line_figure(plot: Plot, panels: Sequence[Panel], theme: Theme) -> Figure:
    """Draw all panels; curves follow the order of the table."""
    names = names_of_series(panels)
    columns = min(len(panels), MOST_COLUMNS)
    wide = WIDTH / columns - canvas.MARGIN_LEFT - GAP
    step = TITLE + HEIGHT + AXIS + NAME
    lines = -(-len(panels) // columns)
    figure = canvas.new_figure(WIDTH, lines * step + legend_height(names), theme)
    for k, panel in enumerate(panels):
        line, column = divmod(k, columns)
        left = canvas.MARGIN_LEFT + column * (wide + canvas.MARGIN_LEFT + GAP)
        at, labels = _places(panel)
        xs = [x for places in at for x in places]
        logarithmic = plot.log_x and not labels and min(xs) > 0
        view = (*_reach(min(xs), max(xs), logarithmic), *value_range(panel))
        box = (left, TITLE + line * step, wide, HEIGHT)
        axes = canvas.add_panel(figure, box, view, theme, panel.title, (plot.x, plot.y))
        _across(axes, labels, logarithmic)
        for one, places in zip(panel.series, at, strict=True):
            _curve(axes, one, places, names, theme)
    write_legend(figure, [(name, _line(name, names, theme)) for name in names], theme)
    return figure


def _places(panel: Panel) -> tuple[list[list[float]], list[str]]:
    """Return the x of each series; of names their numbers, and the names."""
    texts = [x for series in panel.series for x in series.x]
    if all(_number(text) is not None for text in texts):
        return [[float(x) for x in series.x] for series in panel.series], []
    names = list(dict.fromkeys(texts))
    return [[float(names.index(x)) for x in series.x] for series in panel.series], names


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _reach(low: float, high: float, logarithmic: bool) -> tuple[float, float]:
    """Return the range of x with a margin."""
    if logarithmic:
        factor = (high / low) ** 0.03 if high > low else 2.0
        return low / factor, high * factor
    margin = 0.03 * (high - low) or 0.5
    return low - margin, high + margin


def _across(axes: Axes, labels: Sequence[str], logarithmic: bool) -> None:
    """Set the ticks along x: names, powers of ten, or numbers."""
    if labels:
        axes.set_xticks(range(len(labels)), labels=list(labels), parse_math=False)
    elif logarithmic:
        axes.set_xscale("log")
        low, high = axes.get_xlim()
        # Less than two decades have too few powers of ten.
        steps = (1.0,) if high > 100 * low else (1.0, 2.0, 5.0)
        axes.xaxis.set_major_locator(LogLocator(subs=steps, numticks=9))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))


def _line(
    name: str,
    names: Sequence[str],
    theme: Theme,
    x: Sequence[float] = (),
    y: Sequence[float] = (),
) -> Artist:
    """Return a curve, or its sample for the legend."""
    shape, colour = look(name, names, theme)
    return Line2D(
        x, y, color=colour, linewidth=1.8, linestyle=DASHES[names.index(name) % len(DASHES)],
        marker=canvas.marker(shape) if len(x) <= MOST_MARKED else "none",
        markersize=1.6 * RADIUS, markeredgewidth=0, zorder=canvas.OUTLINE,
    )  # fmt: skip


def _curve(
    axes: Axes, series: Series, x: Sequence[float], names: Sequence[str], theme: Theme
) -> None:
    if any(map(math.isfinite, series.low)):
        colour = look(series.name, names, theme)[1]
        band = axes.fill_between(x, series.low, series.high, color=colour, alpha=0.15)
        band.set(linewidth=0, zorder=canvas.GHOST)
    axes.add_artist(_line(series.name, names, theme, x, series.y))
