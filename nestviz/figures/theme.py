"""Colours and symbols of all figures: distinct without colour too, in light and dark themes."""

from __future__ import annotations

import plotly.graph_objects as go

# Okabe & Ito's palette, readable with any kind of colour vision.
BLUE, VERMILION, GREEN = "#0072B2", "#D55E00", "#009E73"
NEUTRAL = "#7A8793"
CLASS_COLOURS = {1: BLUE, -1: VERMILION}
CLASS_SYMBOLS = {1: "circle", -1: "triangle-up"}
GRID_LINES = "rgba(128, 138, 148, 0.25)"
CLEAR = "rgba(0,0,0,0)"
# Dash and symbol distinguish lines without colour.
LINES = (
    (BLUE, "solid", "circle"),
    (VERMILION, "dash", "square"),
    (GREEN, "dot", "diamond"),
    ("#CC79A7", "dashdot", "cross"),
    ("#E69F00", "longdash", "x"),
    ("#56B4E9", "longdashdot", "triangle-up"),
)


def quiet_axes(figure: go.Figure, x: str, y: str) -> go.Figure:
    """Set a thin grid, no background and names on both axes; the page sets the text colour."""
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
