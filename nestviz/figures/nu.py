"""What ν does: fractions over ν, and the row from one-class SVM to Parzen windows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from nestviz.analysis.nu_fractions import NuCurve
from nestviz.analysis.nu_offsets import BetweenSet
from nestviz.figures.families import closed_path
from nestviz.figures.theme import BLUE, GRID_LINES, NEUTRAL, VERMILION, quiet_axes

FloatArray = NDArray[np.float64]


def nu_property_figure(curve: NuCurve, nu: float | None = None) -> go.Figure:
    """Fractions of support vectors and of outliers over ν, and ν itself between them.

    Parameters
    ----------
    curve : NuCurve
        From `nestviz.analysis.nu_curve`.
    nu : float, optional
        A ν to mark.
    """
    figure = go.Figure()
    lines = (
        ("support vectors", curve.support_vectors, {"color": BLUE, "width": 2}),
        ("ν", curve.nu, {"color": NEUTRAL, "width": 1, "dash": "dot"}),
        ("outliers", curve.outliers, {"color": VERMILION, "width": 2, "dash": "dash"}),
    )
    for name, values, line in lines:
        figure.add_trace(
            go.Scatter(
                x=curve.nu,
                y=values,
                mode="lines",
                name=name,
                line=line,
                hovertemplate=f"ν = %{{x:.3f}}<br>{name} %{{y:.1%}}<extra></extra>",
            )
        )
    if nu is not None:
        figure.add_vline(x=nu, line={"color": NEUTRAL, "width": 1})
    quiet_axes(figure, "ν", f"fraction of the {curve.n:,} points")
    figure.update_yaxes(tickformat=".0%", range=[-0.02, 1.02])
    figure.update_xaxes(range=[0, 1])
    return figure


def between_figure(row: Sequence[BetweenSet], points: FloatArray) -> go.Figure:
    """Sets of several ν side by side; the points that carry a kernel are filled.

    Parameters
    ----------
    row : sequence of BetweenSet
        From `nestviz.analysis.between_sets`.
    points : array (N, 2)
        The training points.
    """
    titles = [
        f"{_name(entry.nu)}<br>{len(entry.support) / len(points):.0%} of the kernels, "
        f"{entry.outside:.0%} outside"
        for entry in row
    ]
    figure = make_subplots(cols=len(row), subplot_titles=titles, shared_yaxes=True)
    for column, entry in enumerate(row, start=1):
        for trace in (*_marks(entry, points, column == 1), *_outlines(entry, column == 1)):
            figure.add_trace(trace, row=1, col=column)
    low, high = points.min(axis=0), points.max(axis=0)
    pad = 0.2 * (high - low)
    for update, k in ((figure.update_xaxes, 0), (figure.update_yaxes, 1)):
        update(gridcolor=GRID_LINES, zeroline=False, range=[low[k] - pad[k], high[k] + pad[k]])
    figure.update_annotations(font_size=12)
    figure.update_layout(
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 40, "r": 10, "t": 55, "b": 60},
        legend={"orientation": "h", "y": -0.12, "yanchor": "top", "x": 0},
    )
    return figure


def _name(nu: float) -> str:
    return "ν = 1: Parzen windows" if nu == 1 else f"ν = {nu:g}"


def _marks(entry: BetweenSet, points: FloatArray, legend: bool) -> list[go.Scatter]:
    """Points with a kernel filled, the others open: told apart without colour."""
    carries = np.zeros(len(points), dtype=bool)
    carries[entry.support] = True
    kinds = (("no kernel", ~carries, "circle-open", NEUTRAL), ("kernel", carries, "circle", BLUE))
    return [
        go.Scatter(
            x=points[mine, 0],
            y=points[mine, 1],
            mode="markers",
            name=name,
            legendgroup=name,
            showlegend=legend,
            customdata=np.flatnonzero(mine),
            hovertemplate="point %{customdata}<extra></extra>",
            marker={"symbol": symbol, "color": colour, "size": 5, "opacity": 0.7},
        )
        for name, mine, symbol, colour in kinds
    ]


def _outlines(entry: BetweenSet, legend: bool) -> list[go.Scatter]:
    """The set in use in full, the one at ρ itself dotted."""
    styles = [("offset moved", VERMILION, "solid")]
    if len(entry.sets.outlines) > 1:
        styles = [("offset ρ", NEUTRAL, "dot"), *styles]
    return [
        go.Scatter(
            **closed_path(rings),
            mode="lines",
            name=name,
            legendgroup=name,
            showlegend=legend,
            hoverinfo="skip",
            line={"color": colour, "dash": dash, "width": 2},
        )
        for (name, colour, dash), rings in zip(styles, entry.sets.outlines, strict=True)
    ]
