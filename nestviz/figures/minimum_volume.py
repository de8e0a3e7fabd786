"""A minimum volume set with the data and the reference points it was learned from."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, NEUTRAL, SINGLE, plane_axes
from nestviz.figures.traces import marks, outline, selection_rings
from nestviz.palette import rgba


def minimum_volume_figure(
    rings: Sequence[FloatArray],
    points: FloatArray,
    reference: FloatArray | None,
    box: tuple[float, float, float, float],
    names: tuple[str, str],
    *,
    selected: Sequence[int] = (),
) -> go.Figure:
    """Draw one set in the plane.

    Parameters
    ----------
    rings : sequence of ndarray of shape (k, 2)
        Outline of the set.
    points : ndarray of shape (n_points, 2)
        The data.
    reference : ndarray of shape (m, 2), optional
        Points of the reference measure.
    box : tuple of float
        (xmin, xmax, ymin, ymax) of the axes.
    names : tuple of str
        Names of the axes.
    selected : sequence of int
        Rows of ``points`` to circle.

    Returns
    -------
    Figure
    """
    pale = {"fill": "toself", "fillcolor": rgba(BLUE, 0.15)}
    figure = go.Figure(outline(rings, "the set", BLUE, **pale))
    for name, some, colour, symbol in (
        ("reference", reference, NEUTRAL, "cross-thin-open"),
        ("data", points, SINGLE, "circle"),
    ):
        if some is None:
            continue
        more = {"kind": go.Scattergl, "marker": {"opacity": 0.8}}
        figure.add_trace(marks(some.astype(np.float32), name, colour, symbol, 5, **more))
    if len(selected):
        figure.add_trace(selection_rings(points[list(selected)]))
    plane_axes(figure, *names)
    figure.update_xaxes(range=box[:2])
    return figure.update_yaxes(range=box[2:])
