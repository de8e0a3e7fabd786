"""ROC curves of families."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from nestviz.analysis.roc import RocCurve
from nestviz.figures.theme import NEUTRAL, quiet_axes
from nestviz.palette import CYCLE

DASHES = ("solid", "dash", "dashdot", "longdash")


def roc_figure(curves: Mapping[str, RocCurve]) -> go.Figure:
    """Detection against false alarms, every curve in the order in which its sets grow.

    A curve that runs backwards shows sets that lose points on the way.
    """
    chance = go.Scatter(
        x=[0, 1], y=[0, 1], mode="lines", name="chance",
        line={"color": NEUTRAL, "dash": "dot", "width": 1}, hoverinfo="skip",
    )  # fmt: skip
    figure = go.Figure(chance)
    for k, (name, curve) in enumerate(curves.items()):
        figure.add_trace(
            go.Scatter(
                x=curve.false_alarm,
                y=curve.detection,
                mode="lines",
                name=f"{name} (AUC {curve.area:.4f})",
                customdata=curve.levels,
                line={"color": CYCLE[k % 4], "dash": DASHES[k % 4], "width": 2},
                hovertemplate=(
                    "levels %{customdata[0]:.4g} to %{customdata[1]:.4g}<br>"
                    "false alarms %{x:.3f}<br>detections %{y:.3f}<extra></extra>"
                ),
            )
        )
    quiet_axes(figure, "false alarms: share of the others inside", "detections: share inside")
    figure.update_xaxes(range=[-0.01, 1.01])
    figure.update_yaxes(range=[-0.01, 1.01])
    return figure


def mark_operating_points(figure: go.Figure, curves: Sequence[RocCurve], level: float) -> go.Figure:
    """Mark where each curve is at one level."""
    for k, curve in enumerate(curves):
        here = (curve.levels[:, 0] <= level) & (level <= curve.levels[:, 1])
        place = here.argmax() if here.any() else -1
        figure.add_trace(
            go.Scatter(
                x=[curve.false_alarm[place]],
                y=[curve.detection[place]],
                mode="markers",
                showlegend=False,
                marker={"color": CYCLE[k % 4], "symbol": "x", "size": 12},
                hovertemplate="now: false alarms %{x:.3f}, detections %{y:.3f}<extra></extra>",
            )
        )
    return figure
