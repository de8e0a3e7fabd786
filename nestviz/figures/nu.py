"""What ν does: fractions over ν, and the row from one-class SVM to Parzen windows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from nestviz.analysis.nu.fractions import NuCurve
from nestviz.analysis.nu.offsets import BetweenSet
from nestviz.arrays import FloatArray
from nestviz.figures.families import closed_path
from nestviz.figures.theme import BLUE, GRID_LINES, NEUTRAL, VERMILION, quiet_axes
from nestviz.palette import rgba


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
    """Points with a kernel filled, the others open: distinguished without colour."""
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


PLACES = {
    0: ("outlier, α at its bound", VERMILION, "x"),
    1: ("on the boundary, has a coefficient", BLUE, "diamond"),
    2: ("inside, no coefficient", NEUTRAL, "circle-open"),
}
"""Set code of a path to (meaning, colour, mark)."""


def nu_set_figure(
    points: FloatArray,
    codes: NDArray[np.int8],
    rings: Sequence[FloatArray],
    *,
    before: Sequence[FloatArray] | None = None,
    ringed: int | None = None,
) -> go.Figure:
    """Points by what they are to the ν one-class SVM, and its set.

    Parameters
    ----------
    points : array (N, 2)
        The training points.
    codes : array (N,)
        From `OneClassPath.sets`: 0 outlier, 1 on the boundary, 2 inside.
    rings : sequence of (k, 2) arrays
        Outline of the set.
    before : sequence of (k, 2) arrays, optional
        Outline of another set, drawn wide and pale below it.
    ringed : int, optional
        A point to put a ring around.
    """
    figure = go.Figure()
    if before is not None:
        # Wide and pale, so that it is seen under the other one where the two are the same.
        line = {"color": rgba(VERMILION, 0.45), "width": 6}
        figure.add_trace(_outline(before, "before the move", line))
    name = "the set" if before is None else "after the move"
    figure.add_trace(_outline(rings, name, {"color": BLUE, "width": 2}))
    for code, (meaning, colour, symbol) in PLACES.items():
        mine = np.flatnonzero(codes == code)
        figure.add_trace(
            go.Scatter(
                x=points[mine, 0],
                y=points[mine, 1],
                mode="markers",
                name=meaning,
                # Two pictures stand beside each other on a page: one legend of marks is enough.
                showlegend=before is None,
                customdata=mine,
                marker={"color": colour, "symbol": symbol, "size": 7},
                hovertemplate="point %{customdata}<extra>" + meaning + "</extra>",
            )
        )
    if ringed is not None:
        figure.add_trace(
            go.Scatter(
                x=points[[ringed], 0],
                y=points[[ringed], 1],
                mode="markers",
                name="the one that moves",
                hoverinfo="skip",
                marker={"color": VERMILION, "symbol": "circle-open", "size": 18, "line_width": 3},
            )
        )
    return quiet_axes(figure, "", "")


def resistance_figure(shares: FloatArray, angles: FloatArray, share: float) -> go.Figure:
    """The angle by which the hyperplane turns over how far an outlier has moved.

    Parameters
    ----------
    shares : array
        Moves, as shares of the point's slack.
    angles : array
        In radians, from `move_outlier`.
    share : float
        A move to mark.
    """
    degrees = np.degrees(angles)
    figure = go.Figure(
        go.Scatter(
            x=shares,
            y=degrees,
            mode="lines",
            line={"color": BLUE, "width": 2},
            showlegend=False,
            hovertemplate="moved by %{x:.0%} of its slack<br>turned by %{y:.2f}°<extra></extra>",
        )
    )
    here = float(np.interp(share, shares, degrees))
    marker = {"color": VERMILION, "symbol": "diamond", "size": 11}
    figure.add_trace(
        go.Scatter(x=[share], y=[here], mode="markers", marker=marker, name="this move")
    )
    line = {"color": NEUTRAL, "width": 1, "dash": "dot"}
    label = {"annotation_text": "reaches the boundary", "annotation_position": "top left"}
    figure.add_vline(x=1.0, line=line, **label)
    quiet_axes(figure, "move towards the set, in slacks of the point", "hyperplane turned by")
    figure.update_xaxes(tickformat=".0%")
    figure.update_yaxes(ticksuffix="°", rangemode="tozero")
    return figure


def _outline(rings: Sequence[FloatArray], name: str, line: dict[str, object]) -> go.Scatter:
    return go.Scatter(**closed_path(rings), mode="lines", name=name, line=line, hoverinfo="skip")
