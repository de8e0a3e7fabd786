"""A solution path: coefficients along the level, and the groups of points at one level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.figures.families import closed_path, coefficients_figure
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, quiet_axes

SETS = {
    0: ("inside the margin, α at its bound", NEUTRAL, "circle-open"),
    1: ("on the margin", VERMILION, "diamond"),
    2: ("beyond the margin, α zero", BLUE, "circle"),
}
"""Set code to (meaning, colour, mark), for two classes."""
ONE_CLASS = (
    "inside the margin: outside the set, α at its bound",
    "on the margin: on the boundary of the set",
    "beyond the margin: inside the set, α zero",
)
"""The same meanings where there is one class, in the order of the codes."""
MOST_TICKS = 2_000
MOST_LINES = 40
"""Lines that are drawn thick at the most; more would hide the others."""
HANDLES = 24
"""Positions along the level at which a line can be clicked."""


def path_figure(
    panels: Sequence[tuple[str, FloatArray, FloatArray]],
    level_name: str,
    level: float,
    breakpoints: FloatArray,
    selected: Sequence[int] = (),
    clickable: bool = False,
) -> go.Figure:
    """Coefficients of all points along the level, events as ticks, the current level as a line.

    The lines of ``selected`` points are drawn thick. Where lines are ``clickable`` they have a
    few points whose ``customdata`` is the row of the point.
    """
    figure = coefficients_figure(panels, level_name)
    for row, (_, levels, alpha) in enumerate(panels, start=1):
        if clickable:
            figure.add_trace(_handles(levels, alpha), row=row, col=1)
        for order, point in enumerate(selected[:MOST_LINES]):
            figure.add_trace(_line(levels, alpha[:, point], point, order), row=row, col=1)
    step = max(1, breakpoints.size // MOST_TICKS)
    figure.add_trace(
        go.Scatter(
            x=breakpoints[::step],
            y=np.zeros(breakpoints[::step].size),
            mode="markers",
            name="events",
            marker={"symbol": "line-ns-open", "size": 9, "color": VERMILION},
            hovertemplate="event at %{x:.4g}<extra></extra>",
        ),
        row=1,
        col=1,
    )
    figure.add_vline(x=level, line={"color": VERMILION, "width": 2, "dash": "dash"})
    figure.update_layout(
        paper_bgcolor="rgba(0,0,0,0)",
        showlegend=False,
    )
    return figure


def _handles(levels: FloatArray, alpha: FloatArray) -> go.Scattergl:
    """Unseen marks on the lines: lines alone cannot be clicked.

    They lie where a coefficient is neither zero nor at the bound, since there lines can be told
    apart; a point without such a position gets one at the middle of the picture.
    """
    step = max(1, len(levels) // HANDLES)
    rows = np.arange(0, len(levels), step)
    part = alpha[rows]
    free = (part > 1e-9) & (part < part.max() * (1.0 - 1e-9))
    free[len(rows) // 2, ~free.any(axis=0)] = True
    at, point = np.nonzero(free)
    return go.Scattergl(
        x=levels[rows][at].astype(np.float32),
        y=part[at, point].astype(np.float32),
        mode="markers",
        name="points",
        customdata=point,
        marker={"size": 9, "opacity": 0, "color": VERMILION},
        hovertemplate="point %{customdata}<br>α = %{y:.4g} at %{x:.4g}<extra></extra>",
    )


def _line(levels: FloatArray, alpha: FloatArray, point: int, order: int) -> go.Scatter:
    return go.Scatter(
        x=levels,
        y=alpha,
        mode="lines",
        name=f"point {point}",
        line={"color": VERMILION, "width": 3.5 if order == 0 else 1.5},
        hovertemplate="point " + str(point) + "<br>α = %{y:.4g} at %{x:.4g}<extra></extra>",
    )


def _rings(points: FloatArray, colour: str, width: float) -> go.Scatter:
    return go.Scatter(
        x=points[:, 0],
        y=points[:, 1],
        mode="markers",
        name="selected",
        showlegend=colour == "black",
        hoverinfo="skip",
        marker={
            "symbol": "circle-open",
            "size": [20] + [13] * (len(points) - 1),
            "line": {"width": width},
            "color": colour,
        },
    )


def sets_figure(
    points: FloatArray,
    codes: NDArray[np.int8],
    rings: Sequence[FloatArray],
    names: tuple[str, str],
    selected: Sequence[int] = (),
    *,
    one_class: bool = True,
) -> go.Figure:
    """Points by the set they are in at one level, the boundary, and rings around selected ones."""
    figure = go.Figure()
    figure.add_trace(
        go.Scatter(
            **closed_path(rings),
            mode="lines",
            name="boundary",
            line={"color": BLUE, "width": 2},
            hoverinfo="skip",
        )
    )
    rows = np.arange(len(points))
    for code, (two_classes, colour, symbol) in SETS.items():
        meaning = ONE_CLASS[code] if one_class else two_classes
        mine = codes == code
        figure.add_trace(
            go.Scatter(
                x=points[mine, 0],
                y=points[mine, 1],
                mode="markers",
                name=meaning,
                customdata=rows[mine],
                marker={"color": colour, "symbol": symbol, "size": 7},
                hovertemplate="point %{customdata}<extra>" + meaning + "</extra>",
            )
        )
    if selected:
        # White below black: a ring that is seen on light and on dark.
        for colour, width in (("white", 6), ("black", 2.5)):
            figure.add_trace(_rings(points[list(selected)], colour, width))
    return quiet_axes(figure, *names)
