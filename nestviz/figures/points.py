"""Points in the plane."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nestviz.figures.theme import CLASS_COLOURS, CLASS_SYMBOLS, SINGLE, plane_axes
from nestviz.figures.traces import marks


def points_figure(
    points: NDArray[np.float64], y: NDArray[np.int8] | None, names: tuple[str, str]
) -> go.Figure:
    """Draw points, by class where there are labels; ``customdata`` is the row.

    Parameters
    ----------
    points : ndarray of shape (n_points, 2)
        Plane coordinates.
    y : ndarray of shape (n_points,) or None
        Classes in {−1, +1}.
    names : tuple of str
        Names of the axes.

    Returns
    -------
    Figure
    """
    everything = np.ones(len(points), dtype=bool)
    parts = [(everything, "points", SINGLE, "circle")]
    if y is not None:
        parts = [
            (y == sign, name, CLASS_COLOURS[sign], CLASS_SYMBOLS[sign])
            for sign, name in ((1, "class +1"), (-1, "class −1"))
        ]
    figure = go.Figure()
    for mine, name, colour, symbol in parts:
        hover = "point %{customdata}<br>%{x:.4g}, %{y:.4g}<extra>" + name + "</extra>"
        more = {"kind": go.Scattergl, "marker": {"opacity": 0.8}, "hover": hover}
        rows, some = np.flatnonzero(mine), points[mine].astype(np.float32)
        figure.add_trace(marks(some, name, colour, symbol, customdata=rows, **more))
    return plane_axes(figure.update_layout(showlegend=y is not None), *names)
