"""Figures of the Theory page: constraints, rankings, decomposition and certificates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from nestviz import escaping
from nestviz.analysis.decomposition import Step
from nestviz.analysis.ranking import RankingScores
from nestviz.arrays import FloatArray
from nestviz.figures.theme import (
    BLUE,
    GRID_LINES,
    NEUTRAL,
    SINGLE,
    VERMILION,
    plane_axes,
    quiet_axes,
)
from nestviz.figures.traces import add_row, line, marks
from nestviz.palette import rgba


def chain_figure(panels: Sequence[tuple[str, FloatArray, FloatArray]]) -> go.Figure:
    """Draw α_i/λ of every point against λ, one panel per method, with falling pieces marked.

    Parameters
    ----------
    panels : sequence of (str, ndarray of shape (n_levels,), ndarray of shape (n_levels, n_points))
        Title, descending levels and coefficients of each method.

    Returns
    -------
    Figure
        λ falls from left to right, so that every line should rise.
    """
    titles = [escaping.plotly(title) for title, _, _ in panels]
    figure = make_subplots(cols=len(panels), subplot_titles=titles, shared_yaxes=True)
    for column, (_, levels, alpha) in enumerate(panels, start=1):
        ratios = alpha / levels[:, None]
        down = falling(levels, alpha)
        for name, which, colour, width, opacity in (
            ("rises or rests", ~down, BLUE, 1.0, 0.55),
            ("falls: breaks the chain", down, VERMILION, 3.0, 1.0),
        ):
            more = {"legendgroup": name, "showlegend": column == 1, "opacity": opacity}
            x, y = _pieces(levels, ratios, which)
            add_row(figure, column, line(x, y, name, colour, width=width, **more))
    quiet_axes(figure, "", "")
    figure.update_xaxes(autorange="reversed", title_text="level λ", gridcolor=GRID_LINES)
    figure.update_yaxes(title_text="α / λ", row=1, col=1)
    # Below the panels: their titles are above them.
    return figure.update_layout(legend={"y": -0.22, "yanchor": "top"}, margin={"t": 34, "b": 30})


def falling(levels: FloatArray, alpha: FloatArray) -> NDArray[np.bool_]:
    """Return where α/λ falls from one level to the next lower one, (M − 1, N), rounding aside."""
    ratios = alpha / levels[:, None]
    return np.diff(ratios, axis=0) < -1e-9 * max(float(ratios.max()), 1e-300)


def _pieces(
    levels: FloatArray, ratios: FloatArray, which: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray]:
    """Return some pieces of all lines as one line with gaps."""
    m, i = np.nonzero(which)
    gap = np.full(m.size, np.nan)
    x = np.column_stack([levels[m], levels[m + 1], gap]).ravel()
    y = np.column_stack([ratios[m, i], ratios[m + 1, i], gap]).ravel()
    return x, y


def certificate_figure(
    steps: NDArray[np.integer], gaps: FloatArray, errors: FloatArray, step: int
) -> go.Figure:
    """Draw the duality gap and the true error of a solver over its steps.

    Parameters
    ----------
    steps : ndarray of shape (k,)
        Numbers of the steps.
    gaps, errors : ndarray of shape (k,)
        Duality gap, and distance of the objective from its optimum.
    step : int
        A step to mark.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    for name, values, colour, dash in (
        ("duality gap: what the certificate says", gaps, BLUE, "solid"),
        ("true error: what it cannot know", errors, VERMILION, "dash"),
    ):
        hover = "step %{x}: %{y:.2e}<extra></extra>"
        figure.add_trace(line(steps, values, name, colour, dash=dash, hover=hover))
    figure.add_vline(x=step, line={"color": NEUTRAL, "dash": "dot", "width": 2})
    figure.update_yaxes(type="log", exponentformat="power", dtick=1)
    return quiet_axes(figure, "step", "relative to the objective")


def wedge_figure(
    levels: tuple[float, float], bound: float, plain: FloatArray, nested: FloatArray
) -> go.Figure:
    """Draw the coefficients of all points at two levels, and the wedge that (14) allows.

    Parameters
    ----------
    levels : tuple of float
        λ₁ > λ₂.
    bound : float
        The largest coefficient, 1/N.
    plain, nested : ndarray of shape (2, n_points)
        Coefficients at λ₁ and at λ₂, solved one by one and together.

    Returns
    -------
    Figure
    """
    # On the edge of the wedge α₂ = α₁ λ₂/λ₁.
    corners = np.array([[0, 0], [bound, bound * levels[1] / levels[0]], [bound, bound], [0, bound]])
    closed = np.vstack([corners, corners[:1]])
    allowed = {"fill": "toself", "fillcolor": rgba(BLUE, 0.13), "width": 1}
    figure = go.Figure(line(closed[:, 0], closed[:, 1], "allowed: α₁/λ₁ ≤ α₂/λ₂", BLUE, **allowed))
    moves = np.stack([plain.T, nested.T, np.full_like(plain.T, np.nan)], axis=1).reshape(-1, 2)
    figure.add_trace(line(moves[:, 0], moves[:, 1], "from one to the other", NEUTRAL, width=1))
    outside = plain[0] / levels[0] > plain[1] / levels[1] * (1.0 + 1e-9)
    for values, name, colour, symbol in (
        (plain[:, ~outside], "one by one, allowed", NEUTRAL, "circle"),
        (plain[:, outside], "one by one, outside the wedge", VERMILION, "x"),
        (nested, "solved together", BLUE, "diamond-open"),
    ):
        hover = f"α₁ = %{{x:.4f}}, α₂ = %{{y:.4f}}<extra>{name}</extra>"
        figure.add_trace(marks(values.T, name, colour, symbol, 9, hover=hover))
    plane_axes(figure, "α₁, at the higher level λ₁", "α₂, at the lower level λ₂")
    pad = 0.05 * bound
    figure.update_xaxes(range=[-pad, bound + pad])
    return figure.update_yaxes(range=[-pad, bound + pad])


def slopes_figure(scores: RankingScores, chosen: int) -> go.Figure:
    """Draw the rank of each point by either score; lines that cross are ranked ambiguously.

    Parameters
    ----------
    scores : RankingScores
        The two scores of each point.
    chosen : int
        The point whose line is thick.

    Returns
    -------
    Figure
    """
    first, second = ranks(scores.s_plus), ranks(scores.s_minus)
    figure = go.Figure()
    leaves = scores.s_plus != scores.s_minus
    for name, mine, colour, width in (
        ("crosses no other line", ~scores.ambiguous, NEUTRAL, 1.0),
        ("is crossed by another", scores.ambiguous & ~leaves, BLUE, 1.0),
        ("leaves the sets and returns", scores.ambiguous & leaves, VERMILION, 2.0),
    ):
        count = int(mine.sum())
        y = np.column_stack([first[mine], second[mine], np.full(count, np.nan)]).ravel()
        figure.add_trace(line(np.tile([0.0, 1.0, np.nan], count), y, name, colour, width=width))
    ends = np.array([first[chosen], second[chosen]])
    look = {"mode": "lines+markers", "marker": {"size": 10, "symbol": "diamond"}, "width": 4}
    figure.add_trace(line([0.0, 1.0], ends, f"point {chosen}", SINGLE, **look))
    quiet_axes(figure, "", "rank: the most typical on top")
    names = ["by s₊", "by s₋"]
    figure.update_xaxes(tickmode="array", tickvals=[0, 1], ticktext=names, range=[-0.12, 1.12])
    # Ranks begin with 1; there is no point of rank 0.
    last = len(first)
    ticks = [1, *range(10, last + 1, 10)]
    return figure.update_yaxes(
        range=[last + 0.5, 0.5], tickmode="array", tickvals=ticks, showgrid=False
    )


def ranks(scores: FloatArray) -> FloatArray:
    """Return ranks from 1, the highest score; points with equal scores share their mean rank."""
    _, place, counts = np.unique(-scores, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((ends - (counts - 1) / 2.0)[place])


def step_figure(levels: FloatArray, bounds: FloatArray, step: Step) -> go.Figure:
    """Draw one step of the decomposition: α/λ before it, the targets, and the pooled answer.

    Parameters
    ----------
    levels, bounds : ndarray of shape (n_levels,)
        λ_1 > … > λ_M, and the largest α/λ at each.
    step : Step
        The step.

    Returns
    -------
    Figure
    """
    places = np.arange(1, len(levels) + 1)
    figure = go.Figure()
    for name, values, colour, symbol, dash in (
        ("before", step.before, NEUTRAL, "circle-open", "dot"),
        ("targets, without constraints", step.targets, VERMILION, "x", None),
        ("after: the nearest that never falls", step.after, BLUE, "diamond", "solid"),
    ):
        more = {"mode": "lines+markers" if dash else "markers", "dash": dash}
        marker = {"size": 11, "symbol": symbol, "color": colour, "line": {"width": 2}}
        figure.add_trace(line(places, values, name, colour, marker=marker, **more))
    figure.add_trace(line(places, bounds, "bound 1/(Nλ)", NEUTRAL, dash="dash", width=1))
    quiet_axes(figure, "level, from the highest to the lowest", "α / λ of the chosen point")
    figure.update_xaxes(
        tickmode="array", tickvals=places, ticktext=[f"λ<sub>{k}</sub>" for k in places]
    )
    return figure
