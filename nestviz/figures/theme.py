"""Colours and marks shared by all figures: distinct without colour too, in light and in dark."""

from __future__ import annotations

import plotly.graph_objects as go

# Okabe & Ito's palette, readable with any kind of colour vision.
BLUE, VERMILION = "#0072B2", "#D55E00"
NEUTRAL = "#7A8793"
CLASS_COLOURS = {1: BLUE, -1: VERMILION}
CLASS_SYMBOLS = {1: "circle", -1: "triangle-up"}
GRID_LINES = "rgba(128, 138, 148, 0.25)"


def quiet_axes(figure: go.Figure, x: str, y: str) -> go.Figure:
    """Thin grid, no background, names on both axes; the page's theme sets the text colour."""
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
