"""What all Plotly figures share."""

from __future__ import annotations

import plotly.graph_objects as go

from nestviz.palette import BLUE, CLASS_COLOURS, CLASS_SYMBOLS, NEUTRAL, VERMILION

__all__ = [
    "BLUE", "CLASS_COLOURS", "CLASS_SYMBOLS", "GRID_LINES", "NEUTRAL", "VERMILION", "quiet_axes",
]  # fmt: skip

GRID_LINES = "rgba(128, 138, 148, 0.25)"


def quiet_axes(figure: go.Figure, x: str, y: str) -> go.Figure:
    """Set names and a thin grid on both axes; background and text are those of the page."""
    axis = {"gridcolor": GRID_LINES, "zeroline": False, "showline": False}
    figure.update_xaxes(title_text=x, **axis)
    figure.update_yaxes(title_text=y, **axis)
    figure.update_layout(
        margin={"l": 50, "r": 10, "t": 10, "b": 45},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        hoverlabel={"align": "left"},
    )
    return figure
