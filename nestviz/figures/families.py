"""Outlines of families at several levels, and coefficients along the level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.colors import sample_colorscale
from plotly.subplots import make_subplots

from nestviz import escaping
from nestviz.analysis.level_sweep import Sweep
from nestviz.arrays import FloatArray
from nestviz.figures.theme import CLASS_COLOURS, CLASS_SYMBOLS, CLEAR, GRID_LINES, SINGLE
from nestviz.figures.traces import add_row, frame_points, line, marks, outline

DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


def outlines_figure(
    panels: Sequence[tuple[str, Sweep]],
    points: FloatArray,
    y: NDArray[np.int8] | None,
    level_name: str,
) -> go.Figure:
    """Draw outlines of all levels of each sweep, side by side.

    Parameters
    ----------
    panels : sequence of (str, Sweep)
        Title and sets of each panel.
    points : ndarray of shape (n_points, 2)
        Plane coordinates of the data.
    y : ndarray of shape (n_points,) or None
        Classes of the points.
    level_name : str
        Name of the level.

    Returns
    -------
    Figure
    """
    titles = [escaping.plotly(title) for title, _ in panels]
    figure = make_subplots(cols=len(panels), subplot_titles=titles, shared_yaxes=True)
    for column, (_, sweep) in enumerate(panels, start=1):
        add_row(figure, column, *_points(points, y))
        colours = sample_colorscale("Viridis", np.linspace(0.85, 0.1, len(sweep.levels)))
        for k, (level, rings) in enumerate(zip(sweep.levels, sweep.outlines, strict=True)):
            name, dash = f"{level_name} = {level:.3g}", DASHES[k % len(DASHES)]
            more = {"dash": dash, "showlegend": column == 1, "hoverinfo": "name"}
            add_row(figure, column, outline(rings, name, colours[k], **more))
    # Inside the grid, so that outlines along its edge are hidden.
    frame_points(figure, points, 0.12)
    return figure.update_layout(margin={"l": 40, "r": 10, "t": 40, "b": 30})


def coefficients_figure(
    panels: Sequence[tuple[str, FloatArray, FloatArray]], level_name: str
) -> go.Figure:
    """Draw coefficients along the level, one panel below the other.

    Parameters
    ----------
    panels : sequence of (str, ndarray of shape (n_levels,), ndarray of shape (n_levels, n_points))
        Title, levels and coefficients of each panel.
    level_name : str
        Name of the level.

    Returns
    -------
    Figure
    """
    titles = [escaping.plotly(title) for title, _, _ in panels]
    figure = make_subplots(rows=len(panels), subplot_titles=titles, shared_xaxes=True)
    for row, (_, levels, alpha) in enumerate(panels, start=1):
        # One trace for all points: lines are joined by gaps.
        x = np.tile(np.append(levels, np.nan), alpha.shape[1])
        y = np.hstack([alpha.T, np.full((alpha.shape[1], 1), np.nan)]).ravel()
        figure.add_trace(line(x, y, width=1, opacity=0.5, showlegend=False), row=row, col=1)
    figure.update_xaxes(gridcolor=GRID_LINES, zeroline=False)
    figure.update_xaxes(title_text=escaping.plotly(level_name), row=len(panels), col=1)
    figure.update_yaxes(title_text="coefficient α", gridcolor=GRID_LINES, zeroline=False)
    return figure.update_layout(plot_bgcolor=CLEAR, margin={"l": 60, "r": 10, "t": 40, "b": 40})


def _points(points: FloatArray, y: NDArray[np.int8] | None) -> list[go.Scatter]:
    signs = np.zeros(len(points)) if y is None else y
    found = []
    for sign in map(int, np.unique(signs)):
        look = CLASS_COLOURS.get(sign, SINGLE), CLASS_SYMBOLS.get(sign, "circle"), 4
        more = {"marker": {"opacity": 0.5}, "showlegend": False}
        found.append(marks(points[signs == sign], None, *look, **more))
    return found
