"""A solution path: coefficients along the level, and who is where at one level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nestviz.figures.families import closed_path, coefficients_figure
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, quiet_axes

FloatArray = NDArray[np.float64]
SETS = {
    0: ("inside the margin, coefficient at its bound", NEUTRAL, "circle-open"),
    1: ("on the margin", VERMILION, "diamond"),
    2: ("beyond the margin, coefficient zero", BLUE, "circle"),
}
"""Set code to (meaning, colour, mark)."""
MOST_TICKS = 2_000


def path_figure(
    panels: Sequence[tuple[str, FloatArray, FloatArray]],
    level_name: str,
    level: float,
    breakpoints: FloatArray,
) -> go.Figure:
    """Coefficients of all points along the level, events as ticks, the current level as a line."""
    figure = coefficients_figure(panels, level_name)
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


def sets_figure(
    points: FloatArray,
    codes: NDArray[np.int8],
    rings: Sequence[FloatArray],
    names: tuple[str, str],
) -> go.Figure:
    """Points by the set they are in at one level, and the boundary at that level."""
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
    for code, (meaning, colour, symbol) in SETS.items():
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
    return quiet_axes(figure, *names)
