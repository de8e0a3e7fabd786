"""A boundary between two classes with the ellipses of their covariances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from nestviz.arrays import FloatArray, IntArray
from nestviz.figures.theme import BLUE, SINGLE, plane_axes
from nestviz.figures.traces import line, marks, outline
from nestviz.palette import CLASS_COLOURS, CLASS_SYMBOLS, rgba

STEPS = 181


def covariance_ellipse(mean: FloatArray, covariance: FloatArray, radius: float) -> FloatArray:
    """Return the points ``radius`` standard deviations from a mean in the plane.

    Parameters
    ----------
    mean : ndarray of shape (2,)
        The centre.
    covariance : ndarray of shape (2, 2)
        Positive semidefinite.
    radius : float
        Number of standard deviations, finite.

    Returns
    -------
    ndarray of shape (181, 2)
        A closed line.
    """
    values, vectors = np.linalg.eigh(covariance)
    angle = np.linspace(0.0, 2.0 * np.pi, STEPS)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    ellipse: FloatArray = mean + radius * (circle * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    return ellipse


def machine_figure(
    rings: Sequence[FloatArray],
    points: FloatArray,
    y: IntArray | None,
    box: tuple[float, float, float, float],
    names: tuple[str, str],
    *,
    ellipses: Mapping[int, FloatArray] | None = None,
) -> go.Figure:
    """Draw the set called positive, the points, and an ellipse for each class.

    Parameters
    ----------
    rings : sequence of ndarray of shape (k, 2)
        Outline of the set.
    points : ndarray of shape (n_points, 2)
        The points.
    y : ndarray of shape (n_points,), optional
        Classes +1 and −1; without it all points are of one class.
    box : tuple of float
        (xmin, xmax, ymin, ymax) of the axes.
    names : tuple of str
        Names of the axes.
    ellipses : mapping of int to ndarray, optional
        By class, as of `covariance_ellipse`.

    Returns
    -------
    Figure
    """
    name = "the set" if y is None else "called +1"
    pale = {"fill": "toself", "fillcolor": rgba(BLUE, 0.12)}
    figure = go.Figure(outline(rings, name, BLUE, **pale))
    look = {"kind": go.Scattergl, "marker": {"opacity": 0.75}}
    if y is None:
        figure.add_trace(marks(points, "points", SINGLE, "circle", 5, **look))
    for sign in (1, -1) if y is not None else ():
        own = points[y == sign]
        word = "class +1" if sign > 0 else "class −1"
        figure.add_trace(marks(own, word, CLASS_COLOURS[sign], CLASS_SYMBOLS[sign], 6, **look))
    for sign, ellipse in (ellipses or {}).items():
        word = f"κ standard deviations, class {'+1' if sign > 0 else '−1'}"
        look = {"dash": "solid" if sign > 0 else "dash", "showlegend": False}
        figure.add_trace(line(ellipse[:, 0], ellipse[:, 1], word, CLASS_COLOURS[sign], **look))
    plane_axes(figure, *names)
    figure.update_xaxes(range=box[:2])
    return figure.update_yaxes(range=box[2:])
