"""Reduced hulls of two classes, and the region of (ν₊, ν₋)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from nestviz.analysis.reduced_hulls import HullPair
from nestviz.arrays import FloatArray
from nestviz.figures.theme import (
    ALARM,
    CLASS_COLOURS,
    CLASS_SYMBOLS,
    NEUTRAL,
    SINGLE,
    VERMILION,
    plane_axes,
    quiet_axes,
)
from nestviz.figures.traces import line, marks
from nestviz.palette import rgba

MOST = 1.2
"""The region is drawn up to here, beyond the largest feasible value."""


def hulls_figure(found: HullPair, plus: FloatArray, minus: FloatArray) -> go.Figure:
    """Draw both classes, their reduced hulls, the line between them and its margins.

    Parameters
    ----------
    found : HullPair
        From `hull_pair`.
    plus, minus : ndarray of shape (n_points, 2)
        The points of each class.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    for sign, hull in ((1, found.plus), (-1, found.minus)):
        closed, colour = np.vstack([hull, hull[:1]]), CLASS_COLOURS[sign]
        name = f"reduced hull of class {'+1' if sign > 0 else '−1'}"
        area = {"fill": "toself", "fillcolor": rgba(colour, 0.2)}
        figure.add_trace(line(closed[:, 0], closed[:, 1], name, colour, **area))
    for sign, points in ((1, plus), (-1, minus)):
        name = "class +1" if sign > 0 else "class −1"
        figure.add_trace(marks(points, name, CLASS_COLOURS[sign], CLASS_SYMBOLS[sign], 7))
    points = np.vstack([plus, minus])
    if not found.meet:
        for value, name, width, dash in (
            (found.offset, "decision boundary", 3, "solid"),
            (found.margins[0], "margins", 1.5, "dash"),
            (found.margins[1], "margins", 1.5, "dash"),
        ):
            ends = _across(found.normal, value, points)
            more = {"dash": dash, "showlegend": value != found.margins[1]}
            figure.add_trace(line(ends[:, 0], ends[:, 1], name, SINGLE, width=width, **more))
    plane_axes(figure, "x1", "x2")
    low, high = points.min(axis=0), points.max(axis=0)
    pad = 0.08 * (high - low)
    figure.update_xaxes(range=[low[0] - pad[0], high[0] + pad[0]])
    return figure.update_yaxes(range=[low[1] - pad[1], high[1] + pad[1]])


def _across(normal: FloatArray, value: float, points: FloatArray) -> FloatArray:
    """Return two far points of the line ``normal @ x = value``."""
    centre, reach = points.mean(axis=0), 2.0 * float(np.ptp(points, axis=0).max())
    foot = centre + (value - centre @ normal) * normal
    along = np.array([-normal[1], normal[0]])
    return foot + np.outer([-reach, reach], along)


def region_figure(nus: FloatArray, distances: FloatArray, chosen: tuple[float, float]) -> go.Figure:
    """Draw where the 2ν-SVM is infeasible, trivial, or gives a line, over (ν₊, ν₋).

    Parameters
    ----------
    nus : ndarray of shape (k,)
        Values in (0, 1] on both axes.
    distances : ndarray of shape (k, k)
        From `hull_distances`.
    chosen : tuple of float
        The pair (ν₊, ν₋) that is marked.

    Returns
    -------
    Figure
    """
    meets = (distances <= 0).T.astype(float)
    figure = go.Figure(
        go.Heatmap(
            x=nus, y=nus, z=meets, zmin=0, zmax=1, showscale=False, hoverinfo="skip",
            colorscale=[[0, rgba(CLASS_COLOURS[1], 0.12)], [1, rgba(ALARM, 0.45)]],
        )
    )  # fmt: skip
    beyond = np.array(
        [[1, 0], [MOST, 0], [MOST, MOST], [0, MOST], [0, 1], [1, 1], [1, 0]], dtype=float
    )
    pale = {"fill": "toself", "fillcolor": rgba(NEUTRAL, 0.35), "width": 0}
    figure.add_trace(
        line(beyond[:, 0], beyond[:, 1], "infeasible: ν₊ or ν₋ above 1", NEUTRAL, **pale)
    )
    for name, colour in (
        ("hulls meet: trivial", rgba(ALARM, 0.45)),
        ("a line separates the hulls", rgba(CLASS_COLOURS[1], 0.3)),
    ):
        nothing = np.full((1, 2), np.nan)
        figure.add_trace(marks(nothing, name, colour, "square", 12))
    ring = {"line": {"width": 3}}
    here = np.array([chosen])
    hover = "ν₊ = %{x:.2f}, ν₋ = %{y:.2f}<extra></extra>"
    figure.add_trace(marks(here, "shown", VERMILION, "circle-open", 16, marker=ring, hover=hover))
    plane_axes(quiet_axes(figure, "ν₊", "ν₋"), "ν₊", "ν₋")
    figure.update_xaxes(range=[0, MOST], dtick=0.2)
    return figure.update_yaxes(range=[0, MOST], dtick=0.2)
