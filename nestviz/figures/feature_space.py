"""The one-class SVM in a feature space of two dimensions: half-space and ball."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from nestviz.analysis.nu.arcs import ArcSolution, circle_points
from nestviz.arrays import FloatArray
from nestviz.figures.nu import POINT_KINDS
from nestviz.figures.theme import (
    BLUE,
    GRID_LINES,
    NEUTRAL,
    SINGLE,
    VERMILION,
    plane_axes,
    quiet_axes,
)
from nestviz.figures.traces import line, marks
from nestviz.palette import rgba


def feature_space_figure(found: ArcSolution, *, ball: bool = False) -> go.Figure:
    """Draw the mapped points, the hyperplane with its distance from the origin, and the slacks.

    Parameters
    ----------
    found : ArcSolution
        The solution.
    ball : bool
        Whether to draw the ball around w too.

    Returns
    -------
    Figure
    """
    normal, distance = found.w / np.linalg.norm(found.w), found.distance
    foot = distance * normal
    along = np.array([-normal[1], normal[0]])
    ends = foot + np.outer([-0.8, 0.8], along)
    turn = np.linspace(0.0, np.pi / 2, 91)
    figure = go.Figure(
        [
            line(np.cos(turn), np.sin(turn), "all Φ(x) lie here", NEUTRAL, width=1.5),
            line(ends[:, 0], ends[:, 1], "hyperplane ⟨w, z⟩ = ρ", BLUE, width=3),
            line([0, foot[0]], [0, foot[1]], "distance ρ/‖w‖", SINGLE, dash="dash"),
        ]
    )
    if ball:
        around = np.linspace(0.0, 2.0 * np.pi, 181)
        circle = found.w + found.radius * circle_points(around)
        area = {"fill": "toself", "fillcolor": rgba(VERMILION, 0.12), "dash": "dash"}
        figure.add_trace(line(circle[:, 0], circle[:, 1], "ball of radius R", VERMILION, **area))
        figure.add_trace(marks(found.w[None], "its centre, w", VERMILION, "cross", 10))
    figure.add_trace(_slacks(found, normal, distance))
    for code, (meaning, colour, symbol) in POINT_KINDS.items():
        mine = found.codes == code
        hover = "⟨w, Φ(x)⟩ = %{customdata:.3f}<extra>" + meaning + "</extra>"
        some = found.mapped[mine]
        figure.add_trace(
            marks(some, meaning, colour, symbol, 10, hover=hover, customdata=some @ found.w)
        )
    figure.add_trace(marks(np.zeros((1, 2)), "origin", SINGLE, "square", 9))
    plane_axes(figure, "first coordinate of Φ(x): cos x", "second: sin x")
    figure.update_xaxes(range=[-0.06, 1.12])
    figure.update_yaxes(range=[-0.06, 1.12])
    # Below the picture, which then has all of the width.
    legend = {"y": -0.2, "yanchor": "top"}
    return figure.update_layout(legend=legend, margin={"l": 45, "r": 10, "t": 10, "b": 10})


def _slacks(found: ArcSolution, normal: FloatArray, distance: float) -> go.Scatter:
    """Return the distances of the outliers from the hyperplane."""
    outside = found.mapped[found.codes == 0]
    feet = outside + (distance - outside @ normal)[:, None] * normal
    gap = np.full((len(outside), 1, 2), np.nan)
    parts = np.concatenate([outside[:, None], feet[:, None], gap], axis=1).reshape(-1, 2)
    return line(parts[:, 0], parts[:, 1], "slack, ξ/‖w‖", VERMILION, dash="dot", width=2)


def arc_profile_figure(found: ArcSolution) -> go.Figure:
    """Draw the sum of kernels over the input, ρ, and the set where the sum reaches it.

    Parameters
    ----------
    found : ArcSolution
        The solution.

    Returns
    -------
    Figure
    """
    turn = np.linspace(0.0, np.pi / 2, 361)
    sums = circle_points(turn) @ found.w
    degrees, inside = np.degrees(turn), sums >= found.rho
    low = float(sums.min()) - 0.06
    figure = go.Figure(
        [
            line(degrees, sums, "Σ αᵢ k(xᵢ, x) = ⟨w, Φ(x)⟩", BLUE, width=3),
            line([0, 90], [found.rho] * 2, "ρ", VERMILION, dash="dash", width=2.4),
            line(degrees, np.where(inside, low, np.nan), "the set", BLUE, width=8),
        ]
    )
    for code, (meaning, colour, symbol) in POINT_KINDS.items():
        mine = np.degrees(found.angles[found.codes == code])
        rug = np.column_stack([mine, np.full(len(mine), low)])
        figure.add_trace(marks(rug, meaning, colour, symbol, 8, showlegend=False))
    quiet_axes(figure, "input x, a direction in degrees", "⟨w, Φ(x)⟩")
    return figure.update_xaxes(range=[0, 90], dtick=15, gridcolor=GRID_LINES)
