"""Coverage of quantile sets by several methods, and the sets side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from nestviz import escaping
from nestviz.analysis.coverage import CoverageRatio
from nestviz.analysis.quantiles import QuantileSets
from nestviz.arrays import FloatArray
from nestviz.figures.families import outlines_figure
from nestviz.figures.theme import ALARM, NEUTRAL, quiet_axes
from nestviz.figures.traces import add_row, line, outline
from nestviz.palette import LINE_STYLES, rgba


def coverage_ratio_figure(
    coverages: Mapping[str, CoverageRatio], *, intervals: bool = False
) -> go.Figure:
    """Draw the coverage ratio α'/α over the quantile α; 1 is the nominal value.

    Parameters
    ----------
    coverages : mapping of str to CoverageRatio
        One line per name.
    intervals : bool
        Whether each ratio has a bar of its 95 % sampling error.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    figure.add_hline(1.0, line={"color": NEUTRAL, "dash": "dot", "width": 1.5})
    for number, (name, coverage) in enumerate(coverages.items()):
        more: dict[str, Any] = {"customdata": coverage.masses}
        if intervals:
            low, high = coverage.intervals.T
            ends = {"array": high - coverage.ratios, "arrayminus": coverage.ratios - low}
            more["error_y"] = {**ends, "thickness": 1, "width": 2}
        hover = "quantile %{x:.2f}<br>mass %{customdata:.3f}<br>ratio %{y:.3f}"
        figure.add_trace(_line(coverage, coverage.ratios, name, number, hover, **more))
    highest = [c.intervals.max() if intervals else c.ratios.max() for c in coverages.values()]
    # The line at 1 stays visible where all sets are too small.
    figure.update_yaxes(range=[0, 1.08 * max(1.0, *highest)] if highest else [0, 1.08])
    figure.update_xaxes(range=[0, 1])
    return quiet_axes(figure, "quantile α", "coverage ratio α′/α")


def coverage_figure(coverages: Mapping[str, CoverageRatio]) -> go.Figure:
    """Draw the mass α' of each set over its quantile α; the diagonal is nominal.

    Parameters
    ----------
    coverages : mapping of str to CoverageRatio
        One line per name.

    Returns
    -------
    Figure
    """
    figure = go.Figure(line([0, 1], [0, 1], "nominal", NEUTRAL, dash="dot", width=1.5))
    for number, (name, coverage) in enumerate(coverages.items()):
        hover = "quantile %{x:.2f}<br>mass %{y:.3f}"
        figure.add_trace(_line(coverage, coverage.masses, name, number, hover))
    figure.update_xaxes(range=[0, 1])
    figure.update_yaxes(range=[0, 1])
    return quiet_axes(figure, "quantile α", "mass α′ of the set")


def quantile_sets_figure(methods: Sequence[QuantileSets], points: FloatArray) -> go.Figure:
    """Draw outlines of the sets of each method side by side; crossing regions are filled.

    Parameters
    ----------
    methods : sequence of QuantileSets
        From `quantile_sets`.
    points : ndarray of shape (n_points, 2)
        Plane coordinates of the data.

    Returns
    -------
    Figure
    """
    panels = [(method.name, method.sets) for method in methods]
    figure = outlines_figure(panels, points, None, "quantile")
    filled = {"fill": "toself", "fillcolor": rgba(ALARM, 0.45), "legendgroup": "crossing"}
    named = False
    for column, method in enumerate(methods, start=1):
        if method.crossing:
            more = {**filled, "showlegend": not named, "hoverinfo": "name", "width": 1}
            add_row(figure, column, outline(method.crossing, "sets cross", ALARM, **more))
            named = True
    return figure


def _line(
    coverage: CoverageRatio, y: FloatArray, name: str, number: int, hover: str, **more: Any
) -> go.Scatter:
    """Return a line with markers; the number sets colour, dash and symbol."""
    colour, dash, symbol = LINE_STYLES[number % len(LINE_STYLES)]
    more |= {"mode": "lines+markers", "marker": {"symbol": symbol, "size": 7}}
    hover += f"<extra>{escaping.plotly(name)}</extra>"
    return line(coverage.quantiles, y, name, colour, dash=dash, hover=hover, **more)
