"""Traces and axes that several figures share.

Styles are passed on to Plotly, which checks them; hence the open types.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nestviz import escaping
from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, CLEAR, GRID_LINES, SINGLE, to_scale
from nestviz.palette import LINE_STYLES, rgba

Rings = Sequence[FloatArray]


def line(
    x: Any,
    y: Any,
    name: str | None = None,
    colour: Any = BLUE,
    *,
    width: Any = 2,
    dash: Any = None,
    hover: Any = None,
    **more: Any,
) -> go.Scatter:
    """Return a line; without a hover template the mouse passes over it."""
    style = {"color": colour, "width": width, **({"dash": dash} if dash else {})}
    return go.Scatter({**_common(x, y, name, hover), "mode": "lines", "line": style, **more})


def marks(
    points: NDArray[np.floating[Any]],
    name: str | None,
    colour: Any,
    symbol: Any = "circle",
    size: Any = 7,
    *,
    kind: Any = go.Scatter,
    hover: Any = None,
    marker: Any = None,
    **more: Any,
) -> go.Scatter | go.Scattergl:
    """Return points of the plane as markers; ``marker`` adds to their style."""
    style = {"color": colour, "symbol": symbol, "size": size, **(marker or {})}
    given = _common(points[:, 0], points[:, 1], name, hover)
    return kind({**given, "mode": "markers", "marker": style, **more})


def _common(x: Any, y: Any, name: str | None, hover: str | None) -> dict[str, Any]:
    shown = {"hoverinfo": "skip"} if hover is None else {"hovertemplate": hover}
    return {"x": x, "y": y, "name": name and escaping.plotly(name), **shown}


def numbered_line(
    x: FloatArray, y: NDArray[np.generic], name: str, number: int, hover: str
) -> go.Scatter:
    """Return a line with markers; the number sets colour, dash and symbol."""
    colour, dash, symbol = LINE_STYLES[number % len(LINE_STYLES)]
    # Few markers: enough to distinguish lines.
    marker = {"symbol": symbol, "size": 8, "color": colour, "maxdisplayed": 12}
    hover += f"<extra>{escaping.plotly(name)}</extra>"
    return line(x, y, name, colour, dash=dash, hover=hover, mode="lines+markers", marker=marker)


def band(
    x: FloatArray, low: FloatArray, high: FloatArray, name: str, colour: str, **more: Any
) -> go.Scatter:
    """Return a pale area between two curves."""
    return go.Scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([high, low[::-1]]),
        mode="lines",
        fill="toself",
        fillcolor=rgba(colour, 0.2),
        # Its edges: on a dark page the area alone is hardly seen.
        line={"width": 1, "color": rgba(colour, 0.5)},
        name=escaping.plotly(name),
        hoverinfo="skip",
        **more,
    )


def outline(rings: Rings, name: str, colour: str, **more: Any) -> go.Scatter:
    """Return all rings as one line with gaps."""
    gap = np.full((1, 2), np.nan)
    joined = np.concatenate([part for ring in rings for part in (ring, gap)] or [gap])
    return line(joined[:, 0], joined[:, 1], name, colour, **more)


def selection_rings(points: FloatArray) -> go.Scattergl:
    """Return rings around selected points."""
    style = {"line": {"width": 1.6}}
    return marks(points, "selected", SINGLE, "circle-open", 14, kind=go.Scattergl, marker=style)


def add_row(figure: go.Figure, column: int, *traces: go.Scatter) -> None:
    """Add traces to one of several panels side by side."""
    for trace in traces:
        figure.add_trace(trace, row=1, col=column)


def frame_points(figure: go.Figure, points: FloatArray, margin: float) -> None:
    """Set the ranges of all panels to the box of the points and a margin, to scale."""
    low, high = points.min(axis=0), points.max(axis=0)
    pad = margin * (high - low)
    for update, k in ((figure.update_xaxes, 0), (figure.update_yaxes, 1)):
        update(gridcolor=GRID_LINES, zeroline=False, range=[low[k] - pad[k], high[k] + pad[k]])
    to_scale(figure).update_layout(plot_bgcolor=CLEAR)
