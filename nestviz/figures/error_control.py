"""Searches over two error rates: maps of the rates, ways of drawing reference points."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nestviz import escaping
from nestviz.analysis.rate_scores import score_table
from nestviz.arrays import FloatArray
from nestviz.estimators.error_control.search import Search
from nestviz.figures.theme import NEUTRAL, SINGLE, VERMILION, quiet_axes
from nestviz.figures.traces import add_row, frame_points, line, marks

GAP = 0.06
#: The colour scale of a map reaches at least this rate.
LEAST = 0.1


def rate_maps_figure(
    search: Search, i_sigma: int | None = None, *, alpha: float | None = None, smoothed: bool = True
) -> go.Figure:
    """Draw false alarms, misses and the score over (ν₊, ν₋) at one σ, side by side.

    A descent is a line with a mark at each end of a line search, the choice a ring. All maps share
    one scale, up to the worst rate at this σ. ``customdata`` of a cell are its indices (σ, ν₊, ν₋).

    Parameters
    ----------
    search : Search
        The search.
    i_sigma : int, optional
        Index of σ; by default that of the choice.
    alpha : float, optional
        α of a Neyman–Pearson search: its score is shown, and a dashed line where
        the false alarm rate is α.
    smoothed : bool
        Use the rates the choice was made by, or those before smoothing.

    Returns
    -------
    Figure
    """
    at = search.cell[0] if i_sigma is None else i_sigma
    source = search if smoothed else search.table
    alarms, misses = source.false_alarm[at], source.miss[at]
    scores = score_table(search, alpha, smoothed=smoothed)[at]
    # A contour would end anywhere around missing cells.
    contour = alpha is not None and bool(np.isfinite(alarms).all())
    last = "larger of both rates" if alpha is None else "Neyman–Pearson score"
    first = f"false alarms{f', dashed: {alpha:.3g}' if contour else ''}"
    worst = max(np.nan_to_num(rates).max(initial=LEAST) for rates in (alarms, misses))
    figure = make_subplots(
        rows=1, cols=3, subplot_titles=[first, "misses", last], horizontal_spacing=GAP,
        shared_yaxes=True,
    )  # fmt: skip
    panels = {"false alarms": alarms, "misses": misses, last: scores}
    for column, (name, rates) in enumerate(panels.items(), start=1):
        cells = _map(search, at, name, rates, worst)
        cells.showscale = column == 3
        add_row(figure, column, cells, *_marks(search, at, named=column == 1))
    if alpha is not None and contour:
        add_row(figure, 1, _contour(search, alarms, alpha))
    quiet_axes(figure, "ν₊", "")
    figure.update_yaxes(title_text="ν₋", row=1, col=1)
    return figure.update_layout(margin={"t": 60}, legend={"y": 1.12})


def _map(search: Search, at: int, name: str, rates: FloatArray, worst: float) -> go.Heatmap:
    a, b = rates.shape
    cells = np.stack(np.broadcast_arrays(at, *np.indices((a, b))), axis=-1)
    return go.Heatmap(
        x=search.table.nu_plus,
        y=search.table.nu_minus,
        z=rates.T,
        zmin=0.0,
        zmax=worst,
        customdata=cells.transpose(1, 0, 2),
        colorscale="Cividis",
        colorbar={"thickness": 12},
        hoverongaps=False,
        hovertemplate=f"ν₊ = %{{x:.3g}}<br>ν₋ = %{{y:.3g}}<br>{name} = %{{z:.3f}}<extra></extra>",
        name=name,
    )


def _marks(search: Search, at: int, *, named: bool) -> list[go.Scatter]:
    """Return the part of each descent at one σ, and the choice if it is there."""
    table = search.table
    found: list[go.Scatter] = []
    dot = {"size": 8, "color": VERMILION, "line": {"color": "white", "width": 1}}
    for path in search.paths:
        here = path[path[:, 0] == at]
        if len(here):
            x, y = table.nu_plus[here[:, 1]], table.nu_minus[here[:, 2]]
            more = {"mode": "lines+markers", "marker": dot, "showlegend": named and not found}
            found.append(line(x, y, "descent", "white", **more))
    if search.cell[0] == at:
        choice, ring = np.array([[search.nu_plus, search.nu_minus]]), {"line": {"width": 3}}
        look = ("chosen", VERMILION, "circle-open", 18)
        found.append(marks(choice, *look, marker=ring, showlegend=named))
    return found


def _contour(search: Search, rates: FloatArray, alpha: float) -> go.Contour:
    return go.Contour(
        x=search.table.nu_plus,
        y=search.table.nu_minus,
        z=rates.T,
        contours={"start": alpha, "end": alpha, "size": 1.0, "coloring": "none"},
        line={"color": "white", "dash": "dash", "width": 2},
        showscale=False,
        hoverinfo="skip",
        name=f"false alarm rate {alpha:g}",
        showlegend=False,
    )


def reference_points_figure(drawn: Mapping[str, FloatArray], X: FloatArray) -> go.Figure:
    """Draw reference points of several kinds around the same data, side by side.

    Parameters
    ----------
    drawn : mapping of str to ndarray of shape (m, 2)
        Reference points of each kind.
    X : ndarray of shape (n_points, 2)
        The data.

    Returns
    -------
    Figure
    """
    figure = make_subplots(
        rows=1, cols=len(drawn), subplot_titles=list(map(escaping.plotly, drawn)),
        horizontal_spacing=GAP / 2, shared_xaxes="all", shared_yaxes="all",
    )  # fmt: skip
    for column, points in enumerate(drawn.values(), start=1):
        for name, some, colour, symbol in (
            ("reference", points, NEUTRAL, "cross-thin-open"),
            ("data", X, SINGLE, "circle"),
        ):
            more = {"marker": {"opacity": 0.8}, "legendgroup": name, "showlegend": column == 1}
            add_row(figure, column, marks(some, name, colour, symbol, 6, **more))
    quiet_axes(figure, "", "")
    frame_points(figure, np.concatenate([X, *drawn.values()]), 0.05)
    return figure.update_layout(
        margin={"t": 60}, legend={"y": 1.12}, hoverlabel={"bgcolor": NEUTRAL}
    )
