"""Points in the plane."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nestviz.figures.theme import CLASS_COLOURS, CLASS_SYMBOLS, NEUTRAL, quiet_axes


def points_figure(
    points: NDArray[np.float64], y: NDArray[np.int8] | None, names: tuple[str, str]
) -> go.Figure:
    """A scatter of points, by class where there are labels; ``customdata`` is the row."""
    figure = go.Figure()
    rows = np.arange(len(points))
    if y is None:
        figure.add_trace(_marks(points, rows, "points", NEUTRAL, "circle"))
    else:
        for sign, name in ((1, "class +1"), (-1, "class −1")):
            mine = y == sign
            marks = _marks(points[mine], rows[mine], name, CLASS_COLOURS[sign], CLASS_SYMBOLS[sign])
            figure.add_trace(marks)
    figure.update_layout(showlegend=y is not None)
    return quiet_axes(figure, *names)


def selection_rings(points: NDArray[np.float64]) -> go.Scattergl:
    """Rings around points that are selected."""
    return go.Scattergl(
        x=points[:, 0],
        y=points[:, 1],
        mode="markers",
        name="selected",
        marker={"symbol": "circle-open", "size": 14, "color": NEUTRAL, "line": {"width": 2}},
        hoverinfo="skip",
    )


def _marks(
    points: NDArray[np.float64], rows: NDArray[np.intp], name: str, colour: str, symbol: str
) -> go.Scattergl:
    return go.Scattergl(
        x=points[:, 0].astype(np.float32),
        y=points[:, 1].astype(np.float32),
        mode="markers",
        name=name,
        customdata=rows,
        marker={"color": colour, "symbol": symbol, "size": 7, "opacity": 0.8},
        hovertemplate="point %{customdata}<br>%{x:.4g}, %{y:.4g}<extra>" + name + "</extra>",
    )
