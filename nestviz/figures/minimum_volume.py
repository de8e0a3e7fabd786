"""A set of least volume with the data it holds and the reference points it was learned against."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from nestviz.arrays import FloatArray
from nestviz.figures.families import closed_path
from nestviz.figures.points import selection_rings
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, quiet_axes
from nestviz.palette import rgba


def minimum_volume_figure(
    rings: Sequence[FloatArray],
    points: FloatArray,
    reference: FloatArray,
    box: tuple[float, float, float, float],
    names: tuple[str, str],
    *,
    selected: Sequence[int] = (),
) -> go.Figure:
    """One set in the plane.

    Parameters
    ----------
    rings : sequence of (k, 2) arrays
        Outline of the set.
    points, reference : (n, 2), (m, 2) array
        The data, and the points of the reference measure.
    box : (xmin, xmax, ymin, ymax)
        What is shown.
    names : pair of str
        Of the axes.
    selected : sequence of int
        Rows of ``points`` that wear a ring.
    """
    figure = go.Figure(
        go.Scatter(
            **closed_path(rings),
            mode="lines",
            name="the set",
            fill="toself",
            fillcolor=rgba(BLUE, 0.15),
            line={"color": BLUE, "width": 2},
            hoverinfo="skip",
        )
    )
    for name, some, colour, symbol, size in (
        ("reference", reference, VERMILION, "cross-thin-open", 5),
        ("data", points, NEUTRAL, "circle", 5),
    ):
        figure.add_trace(
            go.Scattergl(
                x=some[:, 0].astype(np.float32),
                y=some[:, 1].astype(np.float32),
                mode="markers",
                name=name,
                marker={"color": colour, "symbol": symbol, "size": size, "opacity": 0.8},
                hoverinfo="skip",
            )
        )
    if len(selected):
        figure.add_trace(selection_rings(points[list(selected)]))
    quiet_axes(figure, *names)
    figure.update_xaxes(range=box[:2])
    figure.update_yaxes(range=box[2:])
    return figure
