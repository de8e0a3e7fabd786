"""Classifiers as points of the ROC, and cells of error maps that can be clicked."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from nestviz.analysis.rate_scores import Score
from nestviz.analysis.roc import RocCurve
from nestviz.arrays import FloatArray
from nestviz.estimators.error_control.search import Search
from nestviz.figures.error_control import error_maps_figure
from nestviz.figures.roc import roc_figure
from nestviz.figures.theme import NEUTRAL, VERMILION, quiet_axes
from nestviz.palette import GREEN


def error_panels(
    search: Search, i_sigma: int, *, alpha: float | None = None, smoothed: bool = True
) -> dict[str, go.Figure]:
    """The maps of `error_maps_figure`, a figure each, with cells that can be clicked.

    Heat maps cannot be selected, marks can: over every cell lies one that is unseen until it is
    clicked. Its ``customdata`` are the indices (σ, ν₊, ν₋), then the value.
    """
    whole = error_maps_figure(search, i_sigma, alpha=alpha, smoothed=smoothed)
    titles = [note.text for note in whole.layout.annotations]
    panels = {}
    for column, title in enumerate(titles, start=1):
        axis = "x" if column == 1 else f"x{column}"
        traces = [trace for trace in whole.data if trace.xaxis == axis]
        figure = go.Figure([trace.update(xaxis="x", yaxis="y") for trace in traces])
        name = title.split(", dashed")[0]
        hover = f"ν₊ = %{{x:.3g}}<br>ν₋ = %{{y:.3g}}<br>{name} = "
        figure.update_traces(
            showscale=True,
            name=name,
            hovertemplate=hover + "%{z:.3f}<extra></extra>",
            selector={"type": "heatmap"},
        )
        # The choice stays as it is when a cell is clicked.
        figure.update_traces(unselected={"marker": {"opacity": 1}}, selector={"type": "scatter"})
        figure.add_trace(_cells(search, i_sigma, np.asarray(traces[0].z).T, hover))
        quiet_axes(figure, "ν₊", "ν₋")
        figure.update_xaxes(fixedrange=True, range=_edges(search.table.nu_plus))
        figure.update_yaxes(fixedrange=True, range=_edges(search.table.nu_minus))
        figure.update_layout(
            clickmode="event+select", dragmode=False, showlegend=False, margin={"t": 5, "b": 40}
        )
        panels[title] = figure
    return panels


def _edges(values: FloatArray) -> list[float]:
    """Half a cell beyond the first and the last value."""
    half = 0.5 * float(np.diff(values).mean()) if len(values) > 1 else 0.5
    return [float(values[0]) - half, float(values[-1]) + half]


def _cells(search: Search, i_sigma: int, values: FloatArray, hover: str) -> go.Scatter:
    table = search.table
    a, b = np.nonzero(np.isfinite(values))
    return go.Scatter(
        x=table.nu_plus[a],
        y=table.nu_minus[b],
        mode="markers",
        name="cells",
        # As lists: rows of a typed array come back from a click as mappings, not as rows.
        customdata=np.column_stack([np.full(a.size, i_sigma), a, b, values[a, b]]).tolist(),
        marker={"symbol": "square", "size": 14, "color": "white", "opacity": 0.0},
        selected={"marker": {"opacity": 0.9, "size": 10, "color": "white"}},
        unselected={"marker": {"opacity": 0.0}},
        # With "skip" a click would pass by as well.
        hovertemplate=hover + "%{customdata[3]:.3f}<extra></extra>",
    )


def operating_figure(
    curve: RocCurve,
    name: str,
    search: Search,
    shown: tuple[float, float],
    *,
    alpha: float | None = None,
    test: Score | None = None,
) -> go.Figure:
    """The ROC of one classifier whose offset moves, among all classifiers of a search.

    Parameters
    ----------
    curve : RocCurve
        Of the classifier that is looked at.
    name : str
        What points the curve is of.
    search : Search
        Every cell with rates is a small mark.
    shown : (float, float)
        (P_F, P_M) of the classifier by cross-validation.
    alpha : float, optional
        A line at the largest false alarm rate allowed; without it the line P_F = P_M of minimax.
    test : Score, optional
        Rates on points held out, with bars for their intervals.
    """
    figure = roc_figure({name: curve})
    known = np.isfinite(search.false_alarm)
    figure.add_trace(
        go.Scatter(
            x=search.false_alarm[known],
            y=1.0 - search.miss[known],
            mode="markers",
            name="settings of the search",
            marker={"color": NEUTRAL, "size": 5, "opacity": 0.45},
            hovertemplate="P_F %{x:.3f}<br>1 − P_M %{y:.3f}<extra>cross-validated</extra>",
        )
    )
    figure.add_trace(_line(alpha))
    figure.add_trace(
        go.Scatter(
            x=[shown[0]],
            y=[1.0 - shown[1]],
            mode="markers",
            name="this one, cross-validated",
            marker={"color": VERMILION, "symbol": "star", "size": 14},
            hovertemplate="P_F %{x:.3f}<br>1 − P_M %{y:.3f}<extra>cross-validated</extra>",
        )
    )
    if test is not None:
        figure.add_trace(_tested(test))
    return figure


def _line(alpha: float | None) -> go.Scatter:
    x, y, name = [0.0, 1.0], [1.0, 0.0], "P_F = P_M"
    if alpha is not None:
        x, y, name = [alpha, alpha], [0.0, 1.0], f"α = {alpha:g}"
    return go.Scatter(
        x=x, y=y, mode="lines", name=name, hoverinfo="skip",
        line={"color": VERMILION, "dash": "dash", "width": 1.5},
    )  # fmt: skip


def _tested(test: Score) -> go.Scatter:
    """P_F and 1 − P_M on points held out; the intervals are not symmetric."""
    alarm, miss = test.false_alarm, test.miss
    return go.Scatter(
        x=[alarm.value],
        y=[1.0 - miss.value],
        mode="markers",
        name=f"this one, held out, {test.confidence:.0%} intervals",
        marker={"color": GREEN, "symbol": "diamond", "size": 11},
        error_x={
            "array": [alarm.interval[1] - alarm.value],
            "arrayminus": [alarm.value - alarm.interval[0]],
            "color": GREEN,
        },
        error_y={
            "array": [miss.value - miss.interval[0]],
            "arrayminus": [miss.interval[1] - miss.value],
            "color": GREEN,
        },
        hovertemplate="P_F %{x:.3f}<br>1 − P_M %{y:.3f}<extra>held out</extra>",
    )
