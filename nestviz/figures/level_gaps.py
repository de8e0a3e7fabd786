"""The duality gap between levels, over the level."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from nestviz.analysis.level_insertion import Insertion, LevelGrid
from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, log_axis, quiet_axes
from nestviz.figures.traces import line, marks

LEAST = 1e-6
"""Smaller gaps are drawn here: at a level itself the gap is zero."""
ROWS = 4e-7, 2.5e-7
"""Heights of the rows of levels, below all curves."""


def level_gap_figure(step: Insertion, places: FloatArray, allowed: float) -> go.Figure:
    """Draw the gap of inserted levels and of as many even ones, with both rows of levels.

    Parameters
    ----------
    step : Insertion
        Both grids of levels.
    places : ndarray of shape (n_places,)
        Levels at which the gaps are known, as shares of the largest.
    allowed : float
        The gap to reach, drawn as a line.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    looks = (
        ("evenly spaced", step.even, VERMILION, "dash", "x-thin-open", ROWS[1]),
        ("inserted", step.inserted, BLUE, "solid", "line-ns-open", ROWS[0]),
    )
    for name, grid, colour, dash, symbol, height in looks:
        gaps = np.maximum(grid.curve, LEAST)
        hover = "%{x:.3g} λ₀: %{y:.1e}<extra></extra>"
        figure.add_trace(line(places, gaps, f"gap, {name}", colour, dash=dash, hover=hover))
        row = np.column_stack([_shares(grid, places), np.full(len(grid.levels), height)])
        style = {"line": {"width": 2, "color": colour}}
        hover = "level %{x:.3g} λ₀<extra></extra>"
        figure.add_trace(
            marks(row, f"levels, {name}", colour, symbol, 9, hover=hover, marker=style)
        )
    figure.add_hline(y=allowed, line={"color": NEUTRAL, "dash": "dot", "width": 2})
    quiet_axes(figure, "level, as a share of λ₀", "duality gap, relative")
    figure.update_xaxes(**log_axis(places), range=[np.log10(places.min()), 0.02])
    return figure.update_yaxes(type="log", exponentformat="power", dtick=1, range=[-6.8, 0.2])


def _shares(grid: LevelGrid, places: FloatArray) -> FloatArray:
    """Return levels as shares of the largest; those below the picture at its edge."""
    return np.maximum(grid.levels / grid.levels[0], places.min())
