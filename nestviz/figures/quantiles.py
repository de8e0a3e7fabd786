"""Quantiles of several methods: what their sets cover, and the sets side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from nestviz.analysis.coverage import CoverageRatio
from nestviz.analysis.quantile_sets import QuantileSets
from nestviz.arrays import FloatArray
from nestviz.figures.families import closed_path, outlines_figure
from nestviz.figures.theme import NEUTRAL, VERMILION, quiet_axes
from nestviz.palette import LINE_STYLES, rgba


def coverage_ratio_figure(
    coverages: Mapping[str, CoverageRatio], *, intervals: bool = False
) -> go.Figure:
    """α'/α over the quantile α, one line per named method; 1 is what every set should have.

    With ``intervals`` each ratio has a bar of its 95 % sampling error.
    """
    figure = go.Figure()
    figure.add_hline(1.0, line={"color": NEUTRAL, "dash": "dot", "width": 1.5})
    for number, (name, coverage) in enumerate(coverages.items()):
        trace = _line(coverage.quantiles, coverage.ratios, name, number)
        if intervals:
            low, high = coverage.intervals.T
            trace.error_y = {
                "array": high - coverage.ratios,
                "arrayminus": coverage.ratios - low,
                "thickness": 1,
                "width": 2,
            }
        trace.customdata = coverage.masses
        trace.hovertemplate = (
            "quantile %{x:.2f}<br>mass %{customdata:.3f}<br>ratio %{y:.3f}"
            f"<extra>{name}</extra>"
        )
        figure.add_trace(trace)
    highest = [c.intervals.max() if intervals else c.ratios.max() for c in coverages.values()]
    # The line at 1 stays in sight where all sets are too small.
    figure.update_yaxes(range=[0, 1.08 * max(1.0, *highest)] if highest else [0, 1.08])
    figure.update_xaxes(range=[0, 1])
    return quiet_axes(figure, "quantile α", "coverage ratio α′/α")


def coverage_figure(coverages: Mapping[str, CoverageRatio]) -> go.Figure:
    """The mass α' of each set over its quantile α; on the diagonal the two are equal."""
    figure = go.Figure(
        go.Scatter(
            x=[0, 1],
            y=[0, 1],
            mode="lines",
            line={"color": NEUTRAL, "dash": "dot", "width": 1.5},
            name="as asked for",
            hoverinfo="skip",
        )
    )
    for number, (name, coverage) in enumerate(coverages.items()):
        trace = _line(coverage.quantiles, coverage.masses, name, number)
        trace.hovertemplate = f"quantile %{{x:.2f}}<br>mass %{{y:.3f}}<extra>{name}</extra>"
        figure.add_trace(trace)
    figure.update_xaxes(range=[0, 1])
    figure.update_yaxes(range=[0, 1])
    return quiet_axes(figure, "quantile α", "mass α′ of the set")


def quantile_sets_figure(methods: Sequence[QuantileSets], points: FloatArray) -> go.Figure:
    """Outlines of the sets of each method side by side; regions where they cross are filled."""
    panels = [(method.name, method.sets) for method in methods]
    figure = outlines_figure(panels, points, None, "quantile")
    lit = False
    for column, method in enumerate(methods, start=1):
        if not method.crossing:
            continue
        figure.add_trace(
            go.Scatter(
                **closed_path(method.crossing),
                mode="lines",
                fill="toself",
                fillcolor=rgba(VERMILION, 0.45),
                line={"color": VERMILION, "width": 1},
                name="sets cross",
                legendgroup="crossing",
                showlegend=not lit,
                hoverinfo="name",
            ),
            row=1,
            col=column,
        )
        lit = True
    return figure


def _line(x: FloatArray, y: FloatArray, name: str, number: int) -> go.Scatter:
    """A line with marks, told from the others by colour, dash and mark."""
    colour, dash, symbol = LINE_STYLES[number % len(LINE_STYLES)]
    return go.Scatter(
        x=x,
        y=y,
        mode="lines+markers",
        name=name,
        line={"color": colour, "dash": dash, "width": 2},
        marker={"symbol": symbol, "size": 7},
    )
