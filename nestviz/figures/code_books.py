"""Code books: their size over the radius, and their discs in the plane."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from nestviz.arrays import FloatArray, IntArray
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, log_axis, plane_axes, quiet_axes
from nestviz.figures.traces import line, marks
from nestviz.palette import rgba

VERTICES = 49


def code_book_sizes_figure(
    radii: FloatArray, sizes: IntArray, bounds: IntArray, radius: float | None = None
) -> go.Figure:
    """Draw the number of code vectors over the radius, and its lower bound.

    Parameters
    ----------
    radii : ndarray of shape (k,)
        Radii, ascending.
    sizes : ndarray of shape (k,)
        Number of code vectors at each radius.
    bounds : ndarray of shape (k,)
        No code book has fewer.
    radius : float, optional
        A radius to mark.

    Returns
    -------
    Figure
    """
    hover = "R = %{x:.3g}<br>%{y} code vectors<extra></extra>"
    below = "R = %{x:.3g}<br>at least %{y}<extra></extra>"
    figure = go.Figure(
        [
            line(radii, sizes, "code vectors", BLUE, hover=hover, mode="lines+markers"),
            line(radii, bounds, "lower bound", VERMILION, dash="dash", hover=below),
        ]
    )
    if radius is not None:
        figure.add_vline(x=radius, line={"color": NEUTRAL, "width": 2, "dash": "dot"})
    quiet_axes(figure, "radius R", "number")
    figure.update_xaxes(**log_axis(radii))
    return figure.update_yaxes(**log_axis([1, sizes.max()]))


def code_book_figure(points: FloatArray, rows: IntArray, radius: float) -> go.Figure:
    """Draw points, the code vectors among them, and a disc of the radius around each, to scale.

    Parameters
    ----------
    points : ndarray of shape (n_points, 2)
        The points.
    rows : ndarray of shape (n_code_vectors,)
        Rows of the code vectors.
    radius : float
        The radius.

    Returns
    -------
    Figure
    """
    turn = np.linspace(0.0, 2.0 * np.pi, VERTICES)
    circle = radius * np.column_stack([np.cos(turn), np.sin(turn)])
    figure = go.Figure()
    for k, row in enumerate(rows):
        x, y = (points[row] + circle).T
        look = {"fill": "toself", "fillcolor": rgba(BLUE, 0.08), "legendgroup": "discs"}
        name = "within R of a code vector"
        figure.add_trace(line(x, y, name, BLUE, width=1, showlegend=k == 0, **look))
    others = np.delete(points, rows, axis=0)
    figure.add_trace(marks(others, "point", NEUTRAL, "circle", 5))
    figure.add_trace(marks(points[rows], "code vector", VERMILION, "diamond", 9))
    return plane_axes(figure, "x1", "x2")
