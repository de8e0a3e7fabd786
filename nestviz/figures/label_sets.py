"""Regions of the plane by the set of labels: one class, the other, both, or none of these."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.figures.theme import CLASS_COLOURS, CLASS_SYMBOLS, NEUTRAL, plane_axes
from nestviz.figures.traces import Rings, marks, outline
from nestviz.palette import rgba

HATCHES = {1: "/", -1: "\\"}
"""Plotly's hatching of the region of each class; where both are, the lines cross."""


def label_sets_figure(
    regions: tuple[Rings, Rings],
    points: FloatArray,
    y: NDArray[np.int8],
    names: tuple[str, str],
    view: Sequence[float],
) -> go.Figure:
    """Draw the regions of two labels, hatched each in its own direction.

    Parameters
    ----------
    regions : tuple of rings
        Around the locations whose set of labels has class −1, and class +1.
    points : ndarray of shape (n_points, 2)
        Plane coordinates of points.
    y : ndarray of shape (n_points,)
        Their classes in {−1, +1}.
    names : tuple of str
        Names of the axes.
    view : sequence of float
        The shown box, ``(xmin, xmax, ymin, ymax)``.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    words = {1: "may be +1", -1: "may be −1"}
    for sign, rings in ((1, regions[1]), (-1, regions[0])):
        colour = CLASS_COLOURS[sign]
        figure.add_trace(
            outline(
                rings,
                words[sign],
                colour,
                width=1.5,
                fill="toself",
                fillcolor=rgba(colour, 0.06),
                fillpattern={
                    "shape": HATCHES[sign],
                    "fgcolor": colour,
                    "fgopacity": 0.55,
                    "fillmode": "overlay",
                    "size": 9,
                    "solidity": 0.16,
                },
            )
        )
    for sign, name in ((1, "class +1"), (-1, "class −1")):
        mine = points[y == sign]
        hover = "%{x:.4g}, %{y:.4g}<extra>" + name + "</extra>"
        figure.add_trace(
            marks(mine, name, CLASS_COLOURS[sign], CLASS_SYMBOLS[sign], 6, hover=hover)
        )
    blank = marks(np.full((1, 2), np.nan), "blank: none of these", NEUTRAL, "square-open", 9)
    figure.add_trace(blank)
    xmin, xmax, ymin, ymax = view
    figure.update_xaxes(range=[xmin, xmax])
    figure.update_yaxes(range=[ymin, ymax])
    return plane_axes(figure, *names)
