"""p-values: in order, with the line of a selection, and two of each point against each other."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from nestviz.arrays import BoolArray, FloatArray
from nestviz.figures.theme import ALARM, BLUE, NEUTRAL, VERMILION, quiet_axes
from nestviz.figures.traces import line, marks


def ordered_p_values_figure(
    p_values: FloatArray, selected: BoolArray, false_discovery_rate: float
) -> go.Figure:
    """Draw p-values in order, and the line of Benjamini and Hochberg's procedure.

    All points up to the last one on or below the line are selected.

    Parameters
    ----------
    p_values : ndarray of shape (n_points,)
        One of each judged point.
    selected : ndarray of bool of shape (n_points,)
        Which points are selected.
    false_discovery_rate : float
        The slope of the line, times the number of points.

    Returns
    -------
    Figure
    """
    order = np.argsort(p_values, kind="stable")
    share = np.arange(1, len(order) + 1) / len(order)
    figure = go.Figure(line([0, 1], [0, 1], "if all were ordinary", NEUTRAL, dash="dot", width=1.5))
    rate = false_discovery_rate
    figure.add_trace(line([0, 1], [0, rate], f"limit: {rate:.3g} × share", ALARM, dash="dash"))
    points, chosen = np.column_stack([share, p_values[order]]), selected[order]
    hover = "%{x:.1%} of the rows have at most<br>p = %{y:.4f}<extra></extra>"
    for which, name, colour, symbol in (
        (~chosen, "not selected", BLUE, "circle-open"),
        (chosen, "selected", VERMILION, "diamond"),
    ):
        figure.add_trace(marks(points[which], name, colour, symbol, 6, hover=hover))
    figure.update_xaxes(range=[0, 1.02], tickformat=".0%")
    figure.update_yaxes(range=[-0.02, 1.02])
    return quiet_axes(figure, "share of the judged rows, in order", "p-value")


def two_p_values_figure(first: FloatArray, last: FloatArray, conflict: BoolArray) -> go.Figure:
    """Draw the p-value of each point when it enters against that from which on it stays.

    Parameters
    ----------
    first, last : ndarray of shape (n_points,)
        p-values by the first set that contains a point, and by the set from which on it is always
        inside; equal where sets do not cross.
    conflict : ndarray of bool of shape (n_points,)
        Points that one of the two selects and the other does not.

    Returns
    -------
    Figure
    """
    figure = go.Figure(line([0, 1], [0, 1], "no conflict", NEUTRAL, dash="dot", width=1.5))
    points = np.column_stack([first, last])
    hover = "enters: p = %{x:.4f}<br>stays: p = %{y:.4f}<extra></extra>"
    for which, name, colour, symbol in (
        (~conflict, "same answer", BLUE, "circle-open"),
        (conflict, "one selects, the other does not", VERMILION, "diamond"),
    ):
        figure.add_trace(marks(points[which], name, colour, symbol, 7, hover=hover))
    figure.update_xaxes(range=[-0.02, 1.02])
    figure.update_yaxes(range=[-0.02, 1.02])
    return quiet_axes(figure, "p-value by the first set around it", "p-value by where it stays")
