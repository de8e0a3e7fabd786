"""Figures of the Theory page: the chain of constraints, and the accuracy of a certificate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from nestviz import escaping
from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, GRID_LINES, NEUTRAL, VERMILION, quiet_axes
from nestviz.figures.traces import add_row, line


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
    shares: FloatArray, gaps: FloatArray, errors: FloatArray, share: float
) -> go.Figure:
    """Draw the duality gap and the true error of perturbed coefficients.

    Parameters
    ----------
    shares : ndarray of shape (k,)
        Size of the perturbation.
    gaps, errors : ndarray of shape (k,)
        Duality gap, and distance of the objective from its optimum.
    share : float
        A perturbation to mark.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    for name, values, colour, dash in (
        ("duality gap: what the certificate says", gaps, BLUE, "solid"),
        ("true error: what it cannot know", errors, VERMILION, "dash"),
    ):
        hover = "%{x:.2f}: %{y:.2e}<extra></extra>"
        figure.add_trace(line(shares, values, name, colour, dash=dash, hover=hover))
    figure.add_vline(x=share, line={"color": NEUTRAL, "dash": "dot", "width": 2})
    figure.update_yaxes(type="log", exponentformat="power", dtick=1)
    return quiet_axes(figure, "how much was spoiled", "relative to the objective")
