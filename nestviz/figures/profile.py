"""Why sets cross: the sum of kernels on a line against the level, and g at one location."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from nestviz.analysis.profiles import Profile
from nestviz.arrays import FloatArray
from nestviz.figures.animation import with_frames
from nestviz.figures.theme import ALARM, BLUE, NEUTRAL, SINGLE, VERMILION, quiet_axes
from nestviz.figures.traces import line, marks, numbered_line
from nestviz.palette import rgba

EVERY = 2
"""Of the levels, one in so many is a frame of the film."""
MOVING = 9
"""The first traces of the profile, which change with the level."""
NEAR = 0.08
"""How far above and below the level the sum is shown enlarged, as a share of it."""


def profile_figure(
    found: Profile,
    points: FloatArray,
    coefficients: FloatArray,
    shown: int,
    location: int,
    spots: Sequence[int],
) -> go.Figure:
    """Draw the sum of kernels on a line and the level; the same enlarged; and α/λ of each point.

    Parameters
    ----------
    found : Profile
        Along the line, at descending levels; the buttons play all of them.
    points : ndarray of shape (n_points,)
        Positions of the training points on the line.
    coefficients : ndarray of shape (n_levels, n_points)
        Coefficients α at these levels.
    shown : int
        The level at rest.
    location : int
        The location that is marked, as an index into ``found.at``.
    spots : sequence of int
        Locations that can be clicked: ``customdata`` is the index.

    Returns
    -------
    Figure
    """
    at = found.points[:, 0]
    figure = make_subplots(
        rows=3, row_heights=[0.45, 0.33, 0.22], shared_xaxes=True, vertical_spacing=0.05
    )
    ratios = coefficients / found.thresholds[:, None]
    most = 1.08 * max(float(found.sums.max()), float(found.thresholds.max()))
    heights = [_heights(found, coefficients, ratios, k, -0.05 * most) for k in range(len(ratios))]
    for trace, row in _moving(at, points, float(found.thresholds[shown]), heights[shown]):
        figure.add_trace(trace, row=row, col=1)
    places = np.column_stack([at[list(spots)], np.zeros(len(spots))])
    small = {"color": rgba(NEUTRAL, 0.6), "line": {"width": 1}}
    hover = "location %{x:.2f}<extra>click to choose</extra>"
    clickable = marks(
        places, "locations", NEUTRAL, "circle-open", 6, marker=small, hover=hover,
        customdata=np.asarray(spots), showlegend=False,
    )  # fmt: skip
    figure.add_trace(clickable, row=1, col=1)
    figure.add_vline(x=float(at[location]), line={"color": NEUTRAL, "dash": "dot", "width": 2})
    quiet_axes(figure, "", "")
    figure.update_yaxes(title_text="Σ αᵢ k(xᵢ, x) and λ", range=[-0.09 * most, most], row=1, col=1)
    near = {"tickformat": ".0%", "range": [-NEAR, NEAR], "zeroline": True, "zerolinewidth": 2}
    figure.update_yaxes(title_text="Σ / λ − 1", zerolinecolor=VERMILION, **near, row=2, col=1)
    figure.update_yaxes(title_text="αᵢ / λ", range=[0, 1.05 * float(ratios.max())], row=3, col=1)
    figure.update_xaxes(title_text="x", row=3, col=1)
    names = [f"level λ = {level:.3f}" for level in found.thresholds]
    frames = [
        [{"y": y, **({"name": name} if place == 1 else {})} for place, y in enumerate(frame)]
        for name, frame in list(zip(names, heights, strict=True))[::EVERY]
    ]
    return with_frames(figure, frames, range(MOVING))


def _heights(
    found: Profile, alpha: FloatArray, ratios: FloatArray, k: int, low: float
) -> list[NDArray[np.float32]]:
    """Return the heights of the traces that change with the level, in their order."""
    # Less than at some higher level: this coefficient fell faster than λ.
    fell = ratios[k] < ratios[: k + 1].max(axis=0) * (1.0 - 1e-9)
    return [
        heights.astype(np.float32)
        for heights in (
            found.sums[k],
            np.full(2, found.thresholds[k]),
            np.where(found.inside[k], low, np.nan),
            np.where(found.left[k], low, np.nan),
            _up(alpha[k]),
            found.sums[k] / found.thresholds[k] - 1.0,
            np.where(found.left[k], found.sums[k] / found.thresholds[k] - 1.0, np.nan),
            _up(np.where(fell, np.nan, ratios[k])),
            _up(np.where(fell, ratios[k], np.nan)),
        )
    ]


def _up(heights: FloatArray) -> FloatArray:
    """Return the heights of vertical lines from zero, as one line with gaps."""
    return np.column_stack([np.zeros_like(heights), heights, np.full_like(heights, np.nan)]).ravel()


def _moving(
    at: FloatArray, points: FloatArray, level: float, heights: Sequence[NDArray[np.float32]]
) -> list[tuple[go.Scatter, int]]:
    """Return the traces that change with the level, and the row of each."""
    stems = np.column_stack([points, points, np.full(len(points), np.nan)]).ravel()
    sums, levels, inside, left, alpha, near, lost, highest, fallen = heights
    name = f"level λ = {level:.3f}"
    return [
        (line(at, sums, "Σ αᵢ k(xᵢ, x)", BLUE, width=3), 1),
        (line(at[[0, -1]], levels, name, VERMILION, dash="dash", width=2.4), 1),
        (line(at, inside, "inside", BLUE, width=7), 1),
        (line(at, left, "was inside, now outside", ALARM, width=7, dash="4px"), 1),
        (line(stems, alpha, "αᵢ", SINGLE, width=1.5, showlegend=False), 1),
        (line(at, near, "close to the level", BLUE, width=2.5, showlegend=False), 2),
        (line(at, lost, "lost", ALARM, width=5, showlegend=False), 2),
        (line(stems, highest, "αᵢ/λ at its highest", SINGLE, width=5), 3),
        (line(stems, fallen, "αᵢ/λ has fallen", ALARM, width=5), 3),
    ]


def course_figure(
    levels: FloatArray, values: Mapping[str, FloatArray], level: float, changes: FloatArray
) -> go.Figure:
    """Draw g/λ at one location against the level, which falls from left to right.

    Parameters
    ----------
    levels : ndarray of shape (k,)
        Levels as shares of the largest.
    values : mapping of str to ndarray of shape (k,)
        g/λ of each method.
    level : float
        The level that is marked.
    changes : ndarray of shape (c,)
        Levels at which the first method changes its sign.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    for number, (name, g) in enumerate(values.items()):
        figure.add_trace(
            numbered_line(levels, g, name, 2 * number, "λ/λ₀ %{x:.2f}<br>g/λ %{y:.1%}")
        )
        figure.data[-1].update(mode="lines")
    signs = np.column_stack([changes, np.zeros(len(changes))])
    look = ("enters or leaves", VERMILION, "diamond", 10)
    figure.add_trace(marks(signs, *look, hover="λ/λ₀ = %{x:.3f}<extra></extra>"))
    figure.add_hline(y=0.0, line={"color": NEUTRAL, "width": 1.5})
    figure.add_vline(x=level, line={"color": VERMILION, "dash": "dash", "width": 2})
    quiet_axes(figure, "level, as a share of λ₀ (falling)", "g/λ = Σ αᵢ k(xᵢ, x)/λ − 1")
    figure.update_yaxes(range=[-1.5 * NEAR, 1.5 * NEAR], tickformat=".0%")
    return figure.update_xaxes(autorange="reversed")
