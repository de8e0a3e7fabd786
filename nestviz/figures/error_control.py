"""Searches over two error rates: maps of the rates, ways of drawing reference points."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nestviz.analysis.rate_scores import score_table
from nestviz.arrays import FloatArray
from nestviz.estimators.error_control.search import Search
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, quiet_axes

#: Even steps of lightness, the same for all kinds of colour vision.
COLOURS = "Cividis"
GAP = 0.06
#: The scale of a map reaches at least this rate.
LEAST = 0.1


def error_maps_figure(
    search: Search,
    i_sigma: int | None = None,
    *,
    alpha: float | None = None,
    smoothed: bool = True,
) -> go.Figure:
    """P_F, P_M and the score over (ν₊, ν₋) at one σ, side by side.

    The way of a descent is a line with a mark at each end of a line search, the choice a ring; with
    α the Neyman–Pearson score is shown, and on the map of P_F a dashed line where it is α. All maps
    share one scale, up to the worst rate at this σ; a worse score is shown by its number only.
    ``customdata`` of a cell are its indices (σ, ν₊, ν₋) in the search.

    Parameters
    ----------
    search : Search
        The search.
    i_sigma : int, optional
        Index of σ; that of the choice unless given.
    alpha : float, optional
        α of a Neyman–Pearson search.
    smoothed : bool
        Rates the choice was made by, or those before smoothing.
    """
    place = search.cell[0] if i_sigma is None else i_sigma
    source = search if smoothed else search.table
    alarms, misses = source.false_alarm[place], source.miss[place]
    scores = score_table(search, alpha, smoothed=smoothed)[place]
    # Around gaps a line would end anywhere.
    lined = alpha is not None and bool(np.isfinite(alarms).all())
    last = "max(P_F, P_M)" if alpha is None else "score (4.1)"
    panels = {"P_F": alarms, "P_M": misses, last: scores}
    first = f"P_F, dashed: {alpha:g}" if lined else "P_F"
    worst = max(np.nan_to_num(rates).max(initial=LEAST) for rates in (alarms, misses))
    figure = make_subplots(
        rows=1,
        cols=3,
        subplot_titles=[first, "P_M", last],
        horizontal_spacing=GAP,
        shared_yaxes=True,
    )
    for column, (name, rates) in enumerate(panels.items(), start=1):
        cells = _map(search, place, name, rates, worst)
        cells.showscale = column == 3
        figure.add_trace(cells, row=1, col=column)
        for mark in _marks(search, place, named=column == 1):
            figure.add_trace(mark, row=1, col=column)
    if alpha is not None and lined:
        figure.add_trace(_contour(search, alarms, alpha), row=1, col=1)
    quiet_axes(figure, "ν₊", "")
    figure.update_yaxes(title_text="ν₋", row=1, col=1)
    figure.update_layout(margin={"t": 60}, legend={"y": 1.12})
    return figure


def _map(search: Search, place: int, name: str, rates: FloatArray, worst: float) -> go.Heatmap:
    a, b = rates.shape
    cells = np.stack(np.broadcast_arrays(place, *np.indices((a, b))), axis=-1)
    return go.Heatmap(
        x=search.table.nu_plus,
        y=search.table.nu_minus,
        z=rates.T,
        zmin=0.0,
        zmax=worst,
        customdata=cells.transpose(1, 0, 2),
        colorscale=COLOURS,
        colorbar={"thickness": 12},
        hoverongaps=False,
        hovertemplate=f"ν₊ = %{{x:.3g}}<br>ν₋ = %{{y:.3g}}<br>{name} = %{{z:.3f}}<extra></extra>",
        name=name,
    )


def _marks(search: Search, place: int, *, named: bool) -> list[go.Scatter]:
    """The part of each descent that lies at one σ, and the choice if it does."""
    table = search.table
    marks: list[go.Scatter] = []
    for path in search.paths:
        here = path[path[:, 0] == place]
        if len(here):
            marks.append(
                go.Scatter(
                    x=table.nu_plus[here[:, 1]],
                    y=table.nu_minus[here[:, 2]],
                    mode="lines+markers",
                    name="descent",
                    showlegend=named and not marks,
                    line={"color": "white", "width": 2},
                    marker={"size": 8, "color": VERMILION, "line": {"color": "white", "width": 1}},
                    hoverinfo="skip",
                )
            )
    if search.cell[0] == place:
        marks.append(
            go.Scatter(
                x=[search.nu_plus],
                y=[search.nu_minus],
                mode="markers",
                name="chosen",
                showlegend=named,
                marker={
                    "symbol": "circle-open",
                    "size": 18,
                    "color": VERMILION,
                    "line": {"width": 3},
                },
                hoverinfo="skip",
            )
        )
    return marks


def _contour(search: Search, rates: FloatArray, alpha: float) -> go.Contour:
    return go.Contour(
        x=search.table.nu_plus,
        y=search.table.nu_minus,
        z=rates.T,
        contours={"start": alpha, "end": alpha, "size": 1.0, "coloring": "none"},
        line={"color": "white", "dash": "dash", "width": 2},
        showscale=False,
        hoverinfo="skip",
        name=f"P_F = {alpha:g}",
        showlegend=False,
    )


def reference_points_figure(drawn: Mapping[str, FloatArray], X: FloatArray) -> go.Figure:
    """Ways to draw reference points around the same data in the plane, side by side."""
    figure = make_subplots(
        rows=1,
        cols=len(drawn),
        subplot_titles=list(drawn),
        horizontal_spacing=GAP / 2,
        shared_xaxes="all",
        shared_yaxes="all",
    )
    for column, points in enumerate(drawn.values(), start=1):
        first = column == 1
        for name, some, colour, symbol in (
            ("reference", points, VERMILION, "cross-thin-open"),
            ("data", X, BLUE, "circle"),
        ):
            marker = {"color": colour, "symbol": symbol, "size": 6, "opacity": 0.8}
            trace = go.Scatter(
                x=some[:, 0], y=some[:, 1], mode="markers", name=name, legendgroup=name,
                showlegend=first, marker=marker, hoverinfo="skip",
            )  # fmt: skip
            figure.add_trace(trace, row=1, col=column)
    quiet_axes(figure, "", "")
    figure.update_layout(margin={"t": 60}, legend={"y": 1.12}, hoverlabel={"bgcolor": NEUTRAL})
    return figure
