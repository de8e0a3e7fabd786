"""Classifiers as points of the ROC, and rate maps whose cells can be clicked."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from nestviz.analysis.rate_scores import Score
from nestviz.analysis.roc import RocCurve
from nestviz.arrays import FloatArray
from nestviz.estimators.error_control.search import Search
from nestviz.figures.error_control import rate_maps_figure
from nestviz.figures.roc import roc_figure
from nestviz.figures.theme import NEUTRAL, VERMILION, quiet_axes
from nestviz.figures.traces import line, marks
from nestviz.palette import GREEN

HOVER = "false alarms %{x:.3f}<br>1 − misses %{y:.3f}<extra>"


def rate_panels(
    search: Search, i_sigma: int, *, alpha: float | None = None, smoothed: bool = True
) -> dict[str, go.Figure]:
    """Draw the maps of `rate_maps_figure`, one figure each, with cells that can be clicked.

    Heat maps cannot be selected, markers can: over every cell lies one that is invisible until it
    is clicked. Its ``customdata`` are the indices (σ, ν₊, ν₋), then the value.

    Parameters
    ----------
    search, i_sigma, alpha, smoothed
        As in `rate_maps_figure`.

    Returns
    -------
    dict of str to Figure
        By title.
    """
    whole = rate_maps_figure(search, i_sigma, alpha=alpha, smoothed=smoothed)
    titles = [note.text for note in whole.layout.annotations]
    panels = {}
    for column, title in enumerate(titles, start=1):
        axis = "x" if column == 1 else f"x{column}"
        traces = [trace for trace in whole.data if trace.xaxis == axis]
        figure = go.Figure([trace.update(xaxis="x", yaxis="y") for trace in traces])
        name = title.split(", dashed")[0]
        hover = f"ν₊ = %{{x:.3g}}<br>ν₋ = %{{y:.3g}}<br>{name} = "
        template = hover + "%{z:.3f}<extra></extra>"
        figure.update_traces(
            showscale=True, name=name, hovertemplate=template, selector={"type": "heatmap"}
        )
        # The choice stays as it is when a cell is clicked.
        figure.update_traces(unselected={"marker": {"opacity": 1}}, selector={"type": "scatter"})
        figure.add_trace(_cells(search, i_sigma, np.asarray(traces[0].z).T, hover))
        quiet_axes(figure, "ν₊", "ν₋")
        figure.update_xaxes(fixedrange=True, range=_edges(search.table.nu_plus))
        figure.update_yaxes(fixedrange=True, range=_edges(search.table.nu_minus))
        panels[title] = figure.update_layout(
            clickmode="event+select", dragmode=False, showlegend=False, margin={"t": 5, "b": 40}
        )
    return panels


def _edges(values: FloatArray) -> list[float]:
    """Return half a cell beyond the first and the last value."""
    half = 0.5 * float(np.diff(values).mean()) if len(values) > 1 else 0.5
    return [float(values[0]) - half, float(values[-1]) + half]


def _cells(search: Search, i_sigma: int, values: FloatArray, hover: str) -> go.Scatter:
    a, b = np.nonzero(np.isfinite(values))
    points = np.column_stack([search.table.nu_plus[a], search.table.nu_minus[b]])
    return marks(
        points, "cells", "white", "square", 14, marker={"opacity": 0.0},
        # As lists: rows of a typed array come back from a click as mappings, not as rows.
        customdata=np.column_stack([np.full(a.size, i_sigma), a, b, values[a, b]]).tolist(),
        selected={"marker": {"opacity": 0.9, "size": 10, "color": "white"}},
        unselected={"marker": {"opacity": 0.0}},
        # With "skip" a click would have no effect either.
        hover=hover + "%{customdata[3]:.3f}<extra></extra>",
    )  # fmt: skip


def operating_figure(
    curve: RocCurve,
    name: str,
    search: Search,
    shown: tuple[float, float],
    *,
    alpha: float | None = None,
    test: Score | None = None,
) -> go.Figure:
    """Draw the ROC of one classifier whose offset moves, among all classifiers of a search.

    Parameters
    ----------
    curve : RocCurve
        Of the classifier shown.
    name : str
        Name of the points the curve is computed from.
    search : Search
        Every cell with rates is a small marker.
    shown : tuple of float
        False alarm and miss rate of the classifier by cross-validation.
    alpha : float, optional
        Largest false alarm rate allowed, as a line; without it the line of equal rates of minimax.
    test : Score, optional
        Rates on held-out points, with bars for their intervals.

    Returns
    -------
    Figure
    """
    figure = roc_figure({name: curve})
    known = np.isfinite(search.false_alarm)
    cells = np.column_stack([search.false_alarm[known], 1.0 - search.miss[known]])
    hover = HOVER + "cross-validated</extra>"
    look = {"marker": {"opacity": 0.45}, "hover": hover}
    figure.add_trace(marks(cells, "settings of the search", NEUTRAL, None, 5, **look))
    x, y, label = [0.0, 1.0], [1.0, 0.0], "equal rates"
    if alpha is not None:
        x, y, label = [alpha, alpha], [0.0, 1.0], f"limit {alpha:g}"
    figure.add_trace(line(x, y, label, VERMILION, width=1.5, dash="dash"))
    here = np.array([[shown[0], 1.0 - shown[1]]])
    figure.add_trace(marks(here, "this one, cross-validated", VERMILION, "star", 14, hover=hover))
    if test is not None:
        figure.add_trace(_tested(test))
    return figure


def _tested(test: Score) -> go.Scatter:
    """Return false alarms and 1 − misses on held-out points; the intervals are not symmetric."""
    alarm, miss = test.false_alarm, test.miss
    up, down = alarm.interval[1] - alarm.value, alarm.value - alarm.interval[0]
    more, less = miss.value - miss.interval[0], miss.interval[1] - miss.value
    return marks(
        np.array([[alarm.value, 1.0 - miss.value]]),
        f"this one, held out, {test.confidence:.0%} intervals",
        GREEN,
        "diamond",
        11,
        error_x={"array": [up], "arrayminus": [down], "color": GREEN},
        error_y={"array": [more], "arrayminus": [less], "color": GREEN},
        hover=HOVER + "held out</extra>",
    )
