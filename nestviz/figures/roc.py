"""ROC curves of families."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from nestviz.analysis.roc import RocCurve
from nestviz.figures.theme import NEUTRAL, quiet_axes
from nestviz.figures.traces import line, marks
from nestviz.palette import CYCLE

DASHES = ("solid", "dash", "dashdot", "longdash")


def roc_figure(curves: Mapping[str, RocCurve]) -> go.Figure:
    """Draw detection rate against false alarm rate, in the order in which the sets grow.

    A curve that runs backwards shows sets that lose points on the way.

    Parameters
    ----------
    curves : mapping of str to RocCurve
        One line per name.

    Returns
    -------
    Figure
    """
    figure = go.Figure(line([0, 1], [0, 1], "chance", NEUTRAL, dash="dot", width=1))
    hover = (
        "levels %{customdata[0]:.4g} to %{customdata[1]:.4g}<br>"
        "false alarms %{x:.3f}<br>detections %{y:.3f}<extra></extra>"
    )
    for k, (name, curve) in enumerate(curves.items()):
        look = {"dash": DASHES[k % 4], "hover": hover, "customdata": curve.levels}
        name = f"{name} (AUC {curve.area:.4f})"
        figure.add_trace(line(curve.false_alarm, curve.detection, name, CYCLE[k % 4], **look))
    quiet_axes(figure, "false alarms: share of the others inside", "detections: share inside")
    figure.update_xaxes(range=[-0.01, 1.01])
    return figure.update_yaxes(range=[-0.01, 1.01])


def mark_operating_points(figure: go.Figure, curves: Sequence[RocCurve], level: float) -> go.Figure:
    """Mark the point of each curve at one level.

    Parameters
    ----------
    figure : Figure
        From `roc_figure`.
    curves : sequence of RocCurve
        Its curves, in the same order.
    level : float
        The level.

    Returns
    -------
    Figure
        The same figure.
    """
    hover = "now: false alarms %{x:.3f}, detections %{y:.3f}<extra></extra>"
    for k, curve in enumerate(curves):
        point = np.array([curve.rates_at(level)])
        look = {"hover": hover, "showlegend": False}
        figure.add_trace(marks(point, None, CYCLE[k % 4], "x", 12, **look))
    return figure
