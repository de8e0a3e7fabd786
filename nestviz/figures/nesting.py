"""Where and how much the sets of a family cross."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from nestviz.analysis.nesting import NestingReport
from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, quiet_axes
from nestviz.grids import Grid
from nestviz.palette import rgba


def violation_figure(report: NestingReport, level_name: str) -> go.Figure:
    """The violated area as a function of the level, with the two levels that cross most."""
    levels = report.levels
    heights = np.append(report.violation, report.violation[-1:])
    finite = np.isfinite(levels)
    figure = go.Figure(
        go.Scatter(
            x=levels[finite],
            y=heights[: levels.size][finite],
            mode="lines",
            line={"shape": "hv", "color": BLUE, "width": 2},
            hovertemplate="level %{x:.4g}<br>area %{y:.4g}<extra></extra>",
            showlegend=False,
        )
    )
    if report.worst is not None:
        for level, other, text, dash in (
            (report.worst.small, report.worst.large, "smaller set", "dash"),
            (report.worst.large, report.worst.small, "larger set", "dot"),
        ):
            figure.add_vline(
                level,
                line={"color": VERMILION, "dash": dash, "width": 2},
                annotation_text=text,
                annotation_position="top left" if level < other else "top right",
            )
    quiet_axes(figure, level_name, "area in a smaller set but not in this one")
    figure.update_layout(margin_t=30)
    return figure


def violation_map_figure(
    report: NestingReport, grid: Grid, points: FloatArray, names: tuple[str, str]
) -> go.Figure:
    """Pixels whose membership is not monotone in the level, and the points of the data."""
    figure = go.Figure(
        go.Heatmap(
            x=grid.u,
            y=grid.v,
            z=report.violated.reshape(grid.shape).astype(np.uint8),
            zmin=0,
            zmax=1,
            colorscale=[[0, rgba(VERMILION, 0)], [1, rgba(VERMILION, 0.5)]],
            showscale=False,
            hoverinfo="skip",
        )
    )
    figure.add_trace(
        go.Scattergl(
            x=points[:, 0],
            y=points[:, 1],
            mode="markers",
            name="points",
            marker={"color": NEUTRAL, "size": 4},
            hoverinfo="skip",
        )
    )
    figure.update_layout(showlegend=False)
    return quiet_axes(figure, *names)


def intervals_figure(report: NestingReport) -> go.Figure:
    """How many locations have 0, 1, 2, … intervals of levels; nested sets give no more than one."""
    counts = report.interval_counts
    figure = go.Figure(
        go.Bar(
            x=np.arange(counts.size),
            y=counts,
            text=counts,
            textposition="outside",
            cliponaxis=False,
            marker={"color": [BLUE if k < 2 else VERMILION for k in range(counts.size)]},
            hovertemplate="%{y} locations with %{x} intervals<extra></extra>",
        )
    )
    quiet_axes(figure, "intervals of levels", "locations")
    figure.update_xaxes(dtick=1)
    figure.update_yaxes(type="log")
    figure.update_layout(margin_t=30)
    return figure
