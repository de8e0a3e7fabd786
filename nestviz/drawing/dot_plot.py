"""Values as dots with intervals: one row for each name, one panel for each quantity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from nestviz.drawing import canvas
from nestviz.drawing.study_looks import (
    AXIS,
    GAP,
    MOST_COLUMNS,
    PUBLISHED,
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

GUTTER = 130.0
"""Left of the panels, for the names of rows."""
ROW = 24.0
"""Height of a row with two series."""
LEAST_ROWS = 2
IN_ROW = 0.64
"""Share of a row's height that its series take up."""


@dataclass(frozen=True)
class Group:
    """Panels that have rows in common, and the names of all their rows."""

    panels: Sequence[Panel]
    names: Sequence[str]


def grouped(panels: Sequence[Panel]) -> list[Group]:
    """Put panels together that share rows; names of methods and of sets do not mix."""
    found: list[Group] = []
    for panel in panels:
        names = dict.fromkeys(name for series in panel.series for name in series.x)
        if found and not names.keys().isdisjoint(found[-1].names):
            last = found.pop()
            found.append(Group([*last.panels, panel], list(dict.fromkeys([*last.names, *names]))))
        else:
            found.append(Group([panel], list(names)))
    return found


def dot_figure(panels: Sequence[Panel], theme: Theme) -> Figure:
    """Draw all panels, group by group."""
    series = names_of_series(panels)
    row = ROW * max(1.0, len(series) / 2.5)
    groups = grouped(panels)
    heights = [row * max(len(group.names), LEAST_ROWS) for group in groups]
    lines = [-(-len(group.panels) // MOST_COLUMNS) for group in groups]
    total = sum(n * (TITLE + high + AXIS) for n, high in zip(lines, heights, strict=True))
    figure = canvas.new_figure(WIDTH, total + legend_height(series), theme)
    top = 0.0
    for group, high, n in zip(groups, heights, lines, strict=True):
        _group(figure, group, series, top, high, theme)
        top += n * (TITLE + high + AXIS)
    write_legend(figure, [(name, _sample(name, series, theme)) for name in series], theme)
    return figure


def _group(
    figure: Figure, group: Group, series: Sequence[str], top: float, high: float, theme: Theme
) -> None:
    columns = min(len(group.panels), MOST_COLUMNS)
    wide = (WIDTH - GUTTER - columns * GAP) / columns
    names = list(group.names)
    for k, panel in enumerate(group.panels):
        line, column = divmod(k, columns)
        above = top + TITLE + line * (TITLE + high + AXIS)
        box = (GUTTER + column * (wide + GAP), above, wide, high)
        view = (*value_range(panel), len(names) - 0.5, -0.5)
        axes = canvas.add_panel(figure, box, view, theme, panel.title)
        _name_rows(axes, names if column == 0 else [""] * len(names))
        for one in panel.series:
            below = (series.index(one.name) - (len(series) - 1) / 2) * IN_ROW / len(series)
            rows = [names.index(name) + below for name in one.x]
            _series(axes, one, rows, look(one.name, series, theme), theme)


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)))
    for label in axes.set_yticklabels(names, parse_math=False):
        if label.get_text():
            canvas.shorten(label, GUTTER - 12)


def _series(
    axes: Axes, series: Series, rows: Sequence[float], looks: tuple[str, str], theme: Theme
) -> None:
    shape, colour = looks
    axes.hlines(rows, series.low, series.high, color=colour, linewidth=1.4, zorder=canvas.MARKERS)
    axes.plot(
        series.y, rows, linestyle="none", marker=canvas.marker(shape), markersize=2 * RADIUS,
        markerfacecolor=theme.background if series.name == PUBLISHED else colour,
        markeredgecolor=colour, markeredgewidth=1.4, zorder=canvas.OUTLINE,
    )  # fmt: skip


def _sample(name: str, names: Sequence[str], theme: Theme) -> Artist:
    shape, colour = look(name, names, theme)
    return canvas.marker_sample(shape, colour, theme.background if name == PUBLISHED else None)
