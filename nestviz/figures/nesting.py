"""Where and how much the sets of a family cross."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from nestviz.analysis.nesting import NestingReport
from nestviz.arrays import FloatArray
from nestviz.figures.theme import ALARM, BLUE, SINGLE, plane_axes, quiet_axes
from nestviz.figures.traces import line, marks
from nestviz.grids import Grid
from nestviz.palette import rgba


def violation_figure(report: NestingReport, level_name: str) -> go.Figure:
    """Draw the violated area over the level, with the two levels that cross most.

    Parameters
    ----------
    report : NestingReport
        From `nesting_report`.
    level_name : str
        Name of the level.

    Returns
    -------
    Figure
    """
    levels = report.levels
    heights = np.append(report.violation, report.violation[-1:])
    finite = np.isfinite(levels)
    steps = {"shape": "hv", "color": BLUE, "width": 2}
    hover = "level %{x:.4g}<br>area %{y:.4g}<extra></extra>"
    y = heights[: levels.size][finite]
    figure = go.Figure(line(levels[finite], y, line=steps, hover=hover, showlegend=False))
    if report.worst is not None:
        for level, other, text, dash in (
            (report.worst.small, report.worst.large, "smaller set", "dash"),
            (report.worst.large, report.worst.small, "larger set", "dot"),
        ):
            figure.add_vline(
                level,
                line={"color": ALARM, "dash": dash, "width": 2},
                annotation_text=text,
                annotation_position="top left" if level < other else "top right",
            )
    quiet_axes(figure, level_name, "area in a smaller set but not in this one")
    return figure.update_layout(margin_t=30)


def violation_map_figure(
    report: NestingReport, grid: Grid, points: FloatArray, names: tuple[str, str]
) -> go.Figure:
    """Draw the pixels whose membership is not monotone in the level, and the data.

    Parameters
    ----------
    report : NestingReport
        Over the pixels of ``grid``.
    grid : Grid
        The pixels.
    points : ndarray of shape (n_points, 2)
        Plane coordinates of the data.
    names : tuple of str
        Names of the axes.

    Returns
    -------
    Figure
    """
    figure = go.Figure(
        go.Heatmap(
            x=grid.u,
            y=grid.v,
            z=report.violated.reshape(grid.shape).astype(np.uint8),
            zmin=0,
            zmax=1,
            colorscale=[[0, rgba(ALARM, 0)], [1, rgba(ALARM, 0.5)]],
            showscale=False,
            hoverinfo="skip",
        )
    )
    figure.add_trace(marks(points, "points", SINGLE, None, 4, kind=go.Scattergl))
    return plane_axes(figure.update_layout(showlegend=False), *names)


def intervals_figure(report: NestingReport) -> go.Figure:
    """Draw how many locations have 0, 1, 2, … intervals; nested sets give at most one.

    Parameters
    ----------
    report : NestingReport
        From `nesting_report`.

    Returns
    -------
    Figure
    """
    counts = report.interval_counts
    figure = go.Figure(
        go.Bar(
            x=np.arange(counts.size),
            y=counts,
            text=counts,
            textposition="outside",
            cliponaxis=False,
            marker={"color": [BLUE if k < 2 else ALARM for k in range(counts.size)]},
            hovertemplate="%{y} locations with %{x} intervals<extra></extra>",
        )
    )
    quiet_axes(figure, "intervals of levels", "locations")
    figure.update_xaxes(dtick=1)
    figure.update_yaxes(type="log")
    return figure.update_layout(margin_t=30)
