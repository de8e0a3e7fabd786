"""A solution path: coefficients along the level, and the groups of points at one level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.figures.families import coefficients_figure
from nestviz.figures.theme import BLUE, CLEAR, NEUTRAL, SINGLE, VERMILION, plane_axes
from nestviz.figures.traces import line, marks, outline

SETS = {
    0: ("inside the margin, α at its bound", VERMILION, "x"),
    1: ("on the margin", BLUE, "diamond"),
    2: ("beyond the margin, α zero", NEUTRAL, "circle-open"),
}
"""Set code to (meaning, colour, symbol), for two classes; the looks are those of `figures.nu`."""
ONE_CLASS = (
    "inside the margin: outside the set, α at its bound",
    "on the margin: on the boundary of the set",
    "beyond the margin: inside the set, α zero",
)
"""The same meanings for one class, in the order of the codes."""
MOST_TICKS = 2_000
MOST_LINES = 40
"""Most lines that are drawn thick; more would hide the others."""
HOVER = "<br>α = %{y:.4g} at %{x:.4g}<extra></extra>"


def path_figure(
    panels: Sequence[tuple[str, FloatArray, FloatArray]],
    level_name: str,
    level: float,
    breakpoints: FloatArray,
    selected: Sequence[int] = (),
) -> go.Figure:
    """Draw coefficients of all points along the level, events as ticks, one level as a line.

    Parameters
    ----------
    panels : sequence of (str, ndarray of shape (n_levels,), ndarray of shape (n_levels, n_points))
        Title, levels and coefficients of each panel.
    level_name : str
        Name of the level.
    level : float
        The level that is marked.
    breakpoints : ndarray of shape (k,)
        Levels of the events.
    selected : sequence of int
        Points whose lines are thick.

    Returns
    -------
    Figure
    """
    figure = coefficients_figure(panels, level_name)
    for row, (_, levels, alpha) in enumerate(panels, start=1):
        for order, point in enumerate(selected[:MOST_LINES]):
            look = {"width": 3.5 if order == 0 else 1.5, "hover": f"point {point}{HOVER}"}
            trace = line(levels, alpha[:, point], f"point {point}", VERMILION, **look)
            figure.add_trace(trace, row=row, col=1)
    x = breakpoints[:: max(1, breakpoints.size // MOST_TICKS)]
    ticks = np.column_stack([x, np.zeros(x.size)])
    hover = "event at %{x:.4g}<extra></extra>"
    events = marks(ticks, "events", VERMILION, "line-ns-open", 9, hover=hover)
    figure.add_trace(events, row=1, col=1)
    figure.add_vline(x=level, line={"color": VERMILION, "width": 2, "dash": "dash"})
    return figure.update_layout(paper_bgcolor=CLEAR, showlegend=False)


def sets_figure(
    points: FloatArray,
    codes: NDArray[np.int8],
    rings: Sequence[FloatArray],
    names: tuple[str, str],
    selected: Sequence[int] = (),
    *,
    one_class: bool = True,
) -> go.Figure:
    """Draw points by the set they are in at one level, the boundary, and selected points.

    Parameters
    ----------
    points : ndarray of shape (n_points, 2)
        Plane coordinates.
    codes : ndarray of shape (n_points,)
        From the path's ``sets``.
    rings : sequence of ndarray of shape (k, 2)
        The boundary.
    names : tuple of str
        Names of the axes.
    selected : sequence of int
        Rows of points to circle.
    one_class : bool
        Whether the codes are of one class.

    Returns
    -------
    Figure
    """
    figure = go.Figure(outline(rings, "boundary", BLUE))
    for code, (two_classes, colour, symbol) in SETS.items():
        meaning = ONE_CLASS[code] if one_class else two_classes
        rows = np.flatnonzero(codes == code)
        hover = "point %{customdata}<extra>" + meaning + "</extra>"
        figure.add_trace(marks(points[rows], meaning, colour, symbol, hover=hover, customdata=rows))
    if selected:
        chosen, sizes = points[list(selected)], [20] + [13] * (len(selected) - 1)
        ring = {"line": {"width": 2}}
        figure.add_trace(marks(chosen, "selected", SINGLE, "circle-open", sizes, marker=ring))
    return plane_axes(figure, *names)
