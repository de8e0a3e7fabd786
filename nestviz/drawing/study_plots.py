"""Pictures of what a study found: dots with intervals, lines, and average ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from nestviz.drawing import canvas
from nestviz.drawing.rank_plot import rank_figure
from nestviz.drawing.study_series import Panel, Series, panels_of
from nestviz.palette import LIGHT, SHAPES, Theme
from nestviz.studies.findings import Findings, Plot

WIDTH = 900.0
"""Of every picture, in pixels; pages may shrink it."""
MOST_COLUMNS = 3
GUTTER = 130.0
"""Left of the panels, for the names of rows."""
ROW, LEAST_ROWS = 24.0, 2
TITLE, AXIS, FOOT, GAP = 34.0, 36.0, 34.0, 24.0
"""Above and below the axes of a panel, below all panels, and between them."""
LINES_HEIGHT = 260.0
DASHES: tuple[canvas.Dash, ...] = ("solid", (0, (6, 2)), (0, (2, 2)), (0, (6, 2, 1.5, 2)))
RADIUS = 4.2
PUBLISHED = "published"
"""Series of this name are drawn as open diamonds in the colour of text."""


def study_figure(plot: Plot, findings: Findings, theme: Theme = LIGHT) -> Figure | None:
    """Draw a plot of a study; None where its table has no number.

    Parameters
    ----------
    plot : Plot
        What to draw. Of ``"ranks"``, ``group``, or else ``x``, is the column of the methods and
        ``y`` that of their ranks, which are averaged; ``high − low`` is the critical difference.
    findings : Findings
        Where its table is.
    theme : Theme
        The colours.

    Returns
    -------
    matplotlib.figure.Figure or None
    """
    with canvas.settings():
        if plot.kind == "ranks":
            return rank_figure(plot, findings, WIDTH, theme)
        panels = panels_of(plot, findings)
        if not panels:
            return None
        return (_lines if plot.kind == "lines" else _dots)(plot, panels, theme)


def study_svg(plot: Plot, findings: Findings, theme: Theme = LIGHT) -> str:
    """Return a plot of a study as SVG, the same text for the same findings; empty without numbers.

    Parameters
    ----------
    plot, findings, theme
        As in `study_figure`.

    Returns
    -------
    str
    """
    figure = study_figure(plot, findings, theme)
    return "" if figure is None else canvas.svg(figure, plot.title)


def _dots(plot: Plot, panels: Sequence[Panel], theme: Theme) -> Figure:
    """Draw one row for each name, series one below the other in it."""
    names = list(dict.fromkeys(name for panel in panels for s in panel.series for name in s.x))
    series = list(dict.fromkeys(s.name for panel in panels for s in panel.series))
    columns = min(len(panels), MOST_COLUMNS)
    row = ROW * max(1.0, len(series) / 2.5)
    high = row * max(len(names), LEAST_ROWS)
    wide = (WIDTH - GUTTER - columns * GAP) / columns
    figure = _figure(len(panels), columns, high, theme)
    step = 0.64 / max(len(series), 1)
    for k, panel in enumerate(panels):
        left = GUTTER + k % columns * (wide + GAP)
        box = (left, TITLE + k // columns * (TITLE + high + AXIS), wide, high)
        view = (*_range(panel), len(names) - 0.5, -0.5)
        axes = canvas.add_panel(figure, box, view, theme, panel.title)
        shown = names if k % columns == 0 else [""] * len(names)
        axes.set_yticks(range(len(names)))
        for label, name in zip(axes.set_yticklabels(shown, parse_math=False), shown, strict=True):
            if name:
                canvas.shorten(label, GUTTER - 12)
        for one in panel.series:
            at = series.index(one.name)
            below = (at - (len(series) - 1) / 2) * step
            _intervals(axes, one, [names.index(name) + below for name in one.x], at, theme)
    samples = [(name, _sample(k, name, theme)) for k, name in enumerate(series)]
    canvas.legend(figure, samples, theme, 10)
    return figure


def _figure(count: int, columns: int, high: float, theme: Theme) -> Figure:
    rows = -(-count // columns)
    return canvas.new_figure(WIDTH, rows * (TITLE + high + AXIS) + FOOT, theme)


def _range(panel: Panel) -> tuple[float, float]:
    """Return the range of the values with their intervals, and a margin."""
    ends = [end for s in panel.series for end in (*s.y, *s.low, *s.high) if math.isfinite(end)]
    low, high = min(ends), max(ends)
    margin = 0.06 * (high - low) or 0.05 * abs(high) or 1.0
    return low - margin, high + margin


def _look(number: int, name: str, theme: Theme) -> tuple[str, str]:
    """Return the marker and the colour of a series; what is published looks the same everywhere."""
    if name == PUBLISHED:
        return "diamond", theme.text
    shapes = [shape for shape in SHAPES if shape != "diamond"]
    # Ours is second after the published series.
    number = max(number - 1, 0)
    return shapes[number % len(shapes)], theme.classes[number % len(theme.classes)]


def _sample(number: int, name: str, theme: Theme) -> Any:
    shape, colour = _look(number, name, theme)
    return canvas.marker_sample(shape, colour, theme.background if name == PUBLISHED else None)


def _intervals(
    axes: Axes, series: Series, rows: Sequence[float], number: int, theme: Theme
) -> None:
    shape, colour = _look(number, series.name, theme)
    axes.hlines(rows, series.low, series.high, color=colour, linewidth=1.4, zorder=canvas.MARKERS)
    axes.plot(
        series.y, rows, linestyle="none", marker=canvas.marker(shape), markersize=2 * RADIUS,
        markerfacecolor=theme.background if series.name == PUBLISHED else colour,
        markeredgecolor=colour, markeredgewidth=1.4, zorder=canvas.OUTLINE,
    )  # fmt: skip


def _lines(plot: Plot, panels: Sequence[Panel], theme: Theme) -> Figure:
    """Draw curves, in panels side by side."""
    series = list(dict.fromkeys(s.name for panel in panels for s in panel.series))
    columns = min(len(panels), MOST_COLUMNS)
    left_of, wide = canvas.MARGIN_LEFT, WIDTH / columns - canvas.MARGIN_LEFT - GAP
    figure = _figure(len(panels), columns, LINES_HEIGHT, theme)
    for k, panel in enumerate(panels):
        corner = left_of + k % columns * (wide + canvas.MARGIN_LEFT + GAP)
        top = TITLE + k // columns * (TITLE + LINES_HEIGHT + AXIS)
        places, labels = _places(panel)
        xs = [x for at in places.values() for x in at]
        logarithmic = plot.log_x and not labels and min(xs) > 0
        view = (*_reach(min(xs), max(xs), logarithmic), *_range(panel))
        box = (corner, top, wide, LINES_HEIGHT)
        axes = canvas.add_panel(figure, box, view, theme, panel.title, (plot.x, plot.y))
        _across(axes, labels, logarithmic)
        for one in panel.series:
            _line(axes, one, places[one.name], series.index(one.name), theme)
    named = [(k, name) for k, name in enumerate(series) if name]
    if named:
        canvas.legend(
            figure, [(name, _line_sample(k, name, theme)) for k, name in named], theme, 10
        )
    return figure


def _places(panel: Panel) -> tuple[dict[str, list[float]], list[str]]:
    """Return the x of each series; of names their numbers, and the names."""
    texts = [x for s in panel.series for x in s.x]
    numbers = [_number(text) for text in texts]
    if all(number is not None for number in numbers):
        return {s.name: [float(x) for x in s.x] for s in panel.series}, []
    names = list(dict.fromkeys(texts))
    return {s.name: [float(names.index(x)) for x in s.x] for s in panel.series}, names


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
        axes.xaxis.set_major_locator(LogLocator(numticks=6))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))


def _line(axes: Axes, series: Series, x: Sequence[float], number: int, theme: Theme) -> None:
    shape, colour = _look(number + 1, series.name, theme)
    order = sorted(range(len(x)), key=lambda k: x[k])
    at = [x[k] for k in order]
    y, low, high = ([values[k] for k in order] for values in (series.y, series.low, series.high))
    if any(map(math.isfinite, low)):
        axes.fill_between(at, low, high, color=colour, alpha=0.15, linewidth=0, zorder=canvas.GHOST)
    marked = canvas.marker(shape) if len(at) <= 25 else "none"
    axes.plot(
        at, y, color=colour, linewidth=1.8, linestyle=DASHES[number % len(DASHES)], marker=marked,
        markersize=1.6 * RADIUS, markeredgewidth=0, zorder=canvas.OUTLINE,
    )  # fmt: skip


def _line_sample(number: int, name: str, theme: Theme) -> Any:
    shape, colour = _look(number + 1, name, theme)
    return Line2D(
        [], [], color=colour, linewidth=1.8, linestyle=DASHES[number % len(DASHES)],
        marker=canvas.marker(shape), markersize=1.6 * RADIUS, markeredgewidth=0,
    )  # fmt: skip
