"""The effect of ν: fractions over ν, and the row from one-class SVM to Parzen windows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from nestviz.analysis.nu.fractions import NuCurve
from nestviz.analysis.nu.offsets import BetweenSet
from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, CLEAR, NEUTRAL, VERMILION, plane_axes, quiet_axes
from nestviz.figures.traces import add_row, frame_points, line, marks, outline
from nestviz.palette import rgba

POINT_KINDS = {
    0: ("outlier, α at its bound", VERMILION, "x"),
    1: ("on the boundary, has a coefficient", BLUE, "diamond"),
    2: ("inside, no coefficient", NEUTRAL, "circle-open"),
}
"""Set code of a path to (meaning, colour, symbol)."""


def nu_property_figure(curve: NuCurve, nu: float | None = None) -> go.Figure:
    """Draw fractions of support vectors and outliers over ν, and ν itself between them.

    Parameters
    ----------
    curve : NuCurve
        From `nu_curve`.
    nu : float, optional
        A ν to mark.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    for name, values, colour, width, dash in (
        ("support vectors", curve.support_vectors, BLUE, 2, None),
        ("ν", curve.nu, NEUTRAL, 1, "dot"),
        ("outliers", curve.outliers, VERMILION, 2, "dash"),
    ):
        hover = f"ν = %{{x:.3f}}<br>{name} %{{y:.1%}}<extra></extra>"
        figure.add_trace(line(curve.nu, values, name, colour, width=width, dash=dash, hover=hover))
    if nu is not None:
        figure.add_vline(x=nu, line={"color": NEUTRAL, "width": 1})
    quiet_axes(figure, "ν", f"fraction of the {curve.n:,} points")
    figure.update_yaxes(tickformat=".0%", range=[-0.02, 1.02])
    return figure.update_xaxes(range=[0, 1])


def between_figure(row: Sequence[BetweenSet], points: FloatArray) -> go.Figure:
    """Draw sets of several ν side by side; support vectors are filled.

    Parameters
    ----------
    row : sequence of BetweenSet
        From `between_sets`.
    points : ndarray of shape (n_points, 2)
        The training points.

    Returns
    -------
    Figure
    """
    titles = [
        f"{'ν = 1: Parzen windows' if entry.nu == 1 else f'ν = {entry.nu:g}'}<br>"
        f"{len(entry.support) / len(points):.0%} of the kernels, {entry.outside:.0%} outside"
        for entry in row
    ]
    figure = make_subplots(cols=len(row), subplot_titles=titles, shared_yaxes=True)
    for column, entry in enumerate(row, start=1):
        first = column == 1
        add_row(figure, column, *_marks(entry, points, first), *_outlines(entry, first))
    frame_points(figure, points, 0.2)
    figure.update_annotations(font_size=12)
    return figure.update_layout(
        paper_bgcolor=CLEAR,
        margin={"l": 40, "r": 10, "t": 55, "b": 60},
        legend={"orientation": "h", "y": -0.12, "yanchor": "top", "x": 0},
    )


def _marks(entry: BetweenSet, points: FloatArray, legend: bool) -> list[go.Scatter]:
    """Return support vectors filled, the others open: distinct without colour."""
    carries = np.zeros(len(points), dtype=bool)
    carries[entry.support] = True
    kinds = (("no kernel", ~carries, "circle-open", NEUTRAL), ("kernel", carries, "circle", BLUE))
    hover, style = "point %{customdata}<extra></extra>", {"opacity": 0.7}
    return [
        marks(
            points[mine], name, colour, symbol, 5, hover=hover, marker=style, legendgroup=name,
            showlegend=legend, customdata=np.flatnonzero(mine),
        )
        for name, mine, symbol, colour in kinds
    ]  # fmt: skip


def _outlines(entry: BetweenSet, legend: bool) -> list[go.Scatter]:
    """Return the set in use as a full line, the one at ρ dotted."""
    styles = [("offset moved", VERMILION, "solid")]
    if len(entry.sets.outlines) > 1:
        styles = [("offset ρ", NEUTRAL, "dot"), *styles]
    return [
        outline(rings, name, colour, dash=dash, legendgroup=name, showlegend=legend)
        for (name, colour, dash), rings in zip(styles, entry.sets.outlines, strict=True)
    ]


def nu_set_figure(
    points: FloatArray,
    codes: NDArray[np.int8],
    rings: Sequence[FloatArray],
    *,
    before: Sequence[FloatArray] | None = None,
    ringed: int | None = None,
) -> go.Figure:
    """Draw the set of the ν one-class SVM, and points by their role in it.

    Parameters
    ----------
    points : ndarray of shape (n_points, 2)
        The training points.
    codes : ndarray of shape (n_points,)
        From `OneClassPath.sets`: 0 outlier, 1 on the boundary, 2 inside.
    rings : sequence of ndarray of shape (k, 2)
        Outline of the set.
    before : sequence of ndarray of shape (k, 2), optional
        Outline of another set, drawn wide and pale below it.
    ringed : int, optional
        A point to circle.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    if before is not None:
        # Wide and pale, so that it is visible where the two are the same.
        figure.add_trace(outline(before, "before the move", rgba(VERMILION, 0.45), width=6))
    figure.add_trace(outline(rings, "the set" if before is None else "after the move", BLUE))
    for code, (meaning, colour, symbol) in POINT_KINDS.items():
        mine = np.flatnonzero(codes == code)
        hover = "point %{customdata}<extra>" + meaning + "</extra>"
        # Two figures side by side share one legend.
        more = {"showlegend": before is None, "customdata": mine}
        figure.add_trace(marks(points[mine], meaning, colour, symbol, hover=hover, **more))
    if ringed is not None:
        look = ("the one that moves", VERMILION, "circle-open", 18)
        figure.add_trace(marks(points[[ringed]], *look, marker={"line": {"width": 3}}))
    return plane_axes(figure, "x1", "x2")


def resistance_figure(shares: FloatArray, angles: FloatArray, share: float) -> go.Figure:
    """Draw the angle by which the hyperplane turns over the move of an outlier.

    Parameters
    ----------
    shares : ndarray of shape (k,)
        Moves, as shares of the point's slack.
    angles : ndarray of shape (k,)
        In radians, from `move_outlier`.
    share : float
        A move to mark.

    Returns
    -------
    Figure
    """
    degrees = np.degrees(angles)
    hover = "moved by %{x:.0%} of its slack<br>turned by %{y:.2f}°<extra></extra>"
    figure = go.Figure(line(shares, degrees, hover=hover, showlegend=False))
    here = np.array([[share, float(np.interp(share, shares, degrees))]])
    figure.add_trace(marks(here, "this move", VERMILION, "diamond", 11, hoverinfo=None))
    dotted = {"color": NEUTRAL, "width": 1, "dash": "dot"}
    label = {"annotation_text": "reaches the boundary", "annotation_position": "top left"}
    figure.add_vline(x=1.0, line=dotted, **label)
    quiet_axes(figure, "move towards the set, in slacks of the point", "hyperplane turned by")
    figure.update_xaxes(tickformat=".0%")
    return figure.update_yaxes(ticksuffix="°", rangemode="tozero")
