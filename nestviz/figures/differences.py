"""Two sets with their symmetric difference, and how large it is along the family."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from nestviz.analysis.set_differences import SetDifference
from nestviz.arrays import FloatArray
from nestviz.figures.theme import ALARM, BLUE, NEUTRAL, SINGLE, VERMILION, plane_axes, quiet_axes
from nestviz.figures.traces import marks, numbered_line, outline
from nestviz.palette import rgba


def difference_figure(
    found: SetDifference, points: FloatArray, box: tuple[float, float, float, float],
    names: tuple[str, str],
) -> go.Figure:  # fmt: skip
    """Draw two sets over the points, and fill the region that is in exactly one of them.

    Parameters
    ----------
    found : SetDifference
        From `set_difference`.
    points : ndarray of shape (n_points, 2)
        Plane coordinates of the data.
    box : tuple of float
        ``(xmin, xmax, ymin, ymax)``, the part of the plane that is shown.
    names : tuple of str
        What the first and the second set are called.

    Returns
    -------
    Figure
    """
    filled = {"fill": "toself", "fillcolor": rgba(ALARM, 0.35), "width": 0}
    small = {"opacity": 0.55 if len(points) <= 200 else 0.3}
    figure = go.Figure(
        [
            outline(found.difference, "in exactly one of the two", ALARM, **filled),
            marks(points, "points", SINGLE, "circle", 4, kind=go.Scattergl, marker=small),
            outline(found.first, names[0], SINGLE, dash="dash", width=2.6),
            outline(found.second, names[1], BLUE, width=2.4),
        ]
    )
    plane_axes(figure, "x1", "x2")
    figure.update_xaxes(range=box[:2])
    figure.update_yaxes(range=box[2:])
    return figure.update_layout(margin={"l": 40, "r": 10, "t": 10, "b": 40})


def difference_curve_figure(
    x: FloatArray, curves: Mapping[str, FloatArray], at: float, axis: str, *, chosen: str = ""
) -> go.Figure:
    """Draw symmetric differences along the family, and mark one position.

    Parameters
    ----------
    x : ndarray of shape (k,)
        Positions along the family.
    curves : mapping of str to ndarray of shape (k,)
        Difference at each position, as a share of the picture, by name.
    at : float
        The position that is shown.
    axis : str
        Name of the positions.
    chosen : str
        Name of the curve that gets the mark; by default the first.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    for number, (name, values) in enumerate(curves.items()):
        hover = "%{x:.2f}: %{y:.2%} of the picture"
        figure.add_trace(numbered_line(x, values, name, number, hover))
    marked = curves[chosen or next(iter(curves))]
    order = np.argsort(x)
    here = np.array([[at, float(np.interp(at, x[order], marked[order]))]])
    figure.add_vline(x=at, line={"color": NEUTRAL, "dash": "dot", "width": 2})
    ring = {"line": {"width": 3}}
    figure.add_trace(marks(here, "shown", VERMILION, "circle-open", 14, marker=ring))
    quiet_axes(figure, axis, "symmetric difference, share of the picture")
    return figure.update_yaxes(tickformat=".1%", rangemode="tozero")
