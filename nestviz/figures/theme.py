"""What all Plotly figures share."""

from __future__ import annotations

import plotly.graph_objects as go

from nestviz.palette import BLUE, CLASS_COLOURS, CLASS_SYMBOLS, NEUTRAL, VERMILION

__all__ = [
    "BLUE", "CLASS_COLOURS", "CLASS_SYMBOLS", "CLEAR", "GRID_LINES", "NEUTRAL", "VERMILION",
    "quiet_axes",
]  # fmt: skip

GRID_LINES = "rgba(128, 138, 148, 0.25)"
CLEAR = "rgba(0,0,0,0)"


def quiet_axes(figure: go.Figure, x: str, y: str) -> go.Figure:
    """Set names and a thin grid on both axes; background and text are those of the page."""
    axis = {"gridcolor": GRID_LINES, "zeroline": False, "showline": False}
    figure.update_xaxes(title_text=x, **axis)
    figure.update_yaxes(title_text=y, **axis)
    return figure.update_layout(
        margin={"l": 50, "r": 10, "t": 10, "b": 45},
        paper_bgcolor=CLEAR,
        plot_bgcolor=CLEAR,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        hoverlabel={"align": "left"},
    )
