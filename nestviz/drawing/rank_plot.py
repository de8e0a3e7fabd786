"""Average ranks of methods on a line, with the critical difference (Demšar 2006)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from nestviz.drawing import canvas
from nestviz.drawing.study_series import averaged, number_of, rows_of, text_of
from nestviz.palette import Theme
from nestviz.studies.findings import Findings, Plot, Row

RULER, STEP, BAR = 0.9, 0.55, 0.24
"""Heights: the axis is at 0, the ruler above it, bars and names below."""
UNIT = 46.0
"""Pixels of a unit of height."""
SIDE = 0.3
"""Share of the width on either side, for names."""


def rank_figure(plot: Plot, findings: Findings, width: float, theme: Theme) -> Figure | None:
    """Draw average ranks, best to the left; bars join methods that do not differ."""
    rows, column = rows_of(plot, findings), plot.group or plot.x
    ranks, count = averaged(
        rows, lambda row: text_of(row.get(column, "")), lambda row: number_of(row.get(plot.y))
    )
    if not ranks:
        return None
    apart = _critical_difference(plot, rows, len(ranks), count)
    order = sorted(ranks, key=lambda name: ranks[name])
    groups = _groups([ranks[name] for name in order], apart)
    below = BAR * (len(groups) + 1)
    lowest = -below - STEP * ((len(order) + 1) // 2)
    high = UNIT * (RULER + 0.9 - lowest)
    last = max(len(order), math.ceil(max(ranks.values())), 2)
    space = SIDE / (1 - 2 * SIDE) * (last - 1)
    figure = canvas.new_figure(width, high + 14, theme)
    view = (1 - space, last + space, lowest - 0.2, RULER + 0.7)
    axes = canvas.add_axes(figure, (0, 7, width, high), view)
    _axis(axes, last, theme)
    if math.isfinite(apart):
        _ruler(axes, apart, theme)
    for number, (first, end) in enumerate(groups):
        y, ends = -BAR * (number + 1), (ranks[order[first]] - 0.03, ranks[order[end]] + 0.03)
        axes.plot(ends, (y, y), color=theme.classes[1], linewidth=4.5, solid_capstyle="round")
    _names(axes, [(name, ranks[name]) for name in order], below, last, SIDE * width - 20, theme)
    return figure


def _critical_difference(plot: Plot, rows: Sequence[Row], methods: int, count: int) -> float:
    """Return what the table says or, from single ranks, what Nemenyi's test does."""
    if plot.low and plot.high:
        ends = [number_of(row.get(plot.high)) - number_of(row.get(plot.low)) for row in rows]
        return next((end for end in ends if math.isfinite(end)), math.nan)
    given = [number_of(row.get("critical_difference")) for row in rows]
    if any(map(math.isfinite, given)):
        return next(filter(math.isfinite, given))
    if methods > 1 and count > 1:
        from nestviz.analysis.method_comparison import critical_difference

        return critical_difference(methods, count)
    return math.nan


def _groups(ranks: Sequence[float], apart: float) -> list[tuple[int, int]]:
    """Return first and last of each longest run of methods that differ by less."""
    found: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        end = max((k for k, other in enumerate(ranks) if 0 <= other - rank < apart), default=first)
        if end > first and (not found or end > found[-1][1]):
            found.append((first, end))
    return found


def _axis(axes: Axes, last: int, theme: Theme) -> None:
    faint = to_rgba(theme.text, 0.6)
    axes.plot((1, last), (0, 0), color=faint, linewidth=1.4)
    for rank in range(1, last + 1):
        axes.plot((rank, rank), (0, 0.12), color=faint, linewidth=1.4)
        _write(axes, rank, 0.16, str(rank), theme, ha="center", va="bottom")


def _ruler(axes: Axes, apart: float, theme: Theme) -> None:
    axes.plot((1, 1 + apart), (RULER, RULER), color=theme.text, linewidth=1.6)
    for x in (1.0, 1.0 + apart):
        axes.plot((x, x), (RULER - 0.09, RULER + 0.09), color=theme.text, linewidth=1.6)
    words = f"critical difference {apart:.2f}"
    _write(axes, 1 + apart / 2, RULER + 0.14, words, theme, ha="center", va="bottom")


def _names(
    axes: Axes,
    order: Sequence[tuple[str, float]],
    below: float,
    last: int,
    pixels: float,
    theme: Theme,
) -> None:
    """Name the better half on the left, the others on the right, so that no lines cross."""
    for position, (name, rank) in enumerate(order):
        on_left = position < (len(order) + 1) // 2
        row = position if on_left else len(order) - 1 - position
        y, edge = -below - STEP * (row + 0.5), 0.95 if on_left else last + 0.05
        axes.plot((rank, rank, edge), (0, y, y), color=theme.accent, linewidth=1.4)
        axes.plot((rank,), (0,), "o", color=theme.accent, markersize=7)
        end = f" ({rank:.2f})"
        text = _write(axes, edge, y, name, theme, ha="right" if on_left else "left", va="center")
        canvas.shorten(text, pixels - 7 * len(end))
        text.set_text(
            (" " if not on_left else "") + text.get_text() + end + (" " if on_left else "")
        )


def _write(axes: Axes, x: float, y: float, words: str, theme: Theme, **more: Any) -> Any:
    return axes.text(x, y, words, color=theme.text, fontsize=11.5, parse_math=False, **more)
