"""Pictures of the Theory page: the chain of constraints, and how far a certificate can be off."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, GRID_LINES, NEUTRAL, VERMILION, quiet_axes


def chain_figure(panels: Sequence[tuple[str, FloatArray, FloatArray]]) -> go.Figure:
    """α_i/λ of every point against λ, one panel per method, with the falling pieces marked.

    Parameters
    ----------
    panels : sequence of (title, levels, coefficients)
        Levels descending, (M,), and coefficients, (M, N).

    Returns
    -------
    Figure
        λ falls from left to right, so that every line should rise.
    """
    titles = [title for title, _, _ in panels]
    figure = make_subplots(cols=len(panels), subplot_titles=titles, shared_yaxes=True)
    for column, (_, levels, alpha) in enumerate(panels, start=1):
        ratios = alpha / levels[:, None]
        down = falling(levels, alpha)
        first = column == 1
        for name, wanted, colour, width in (
            ("rises or rests", ~down, BLUE, 1.0),
            ("falls: breaks the chain", down, VERMILION, 3.0),
        ):
            x, y = _pieces(levels, ratios, wanted)
            figure.add_trace(
                go.Scatter(
                    x=x,
                    y=y,
                    mode="lines",
                    name=name,
                    legendgroup=name,
                    showlegend=first,
                    line={"color": colour, "width": width},
                    opacity=0.55 if width == 1.0 else 1.0,
                    hoverinfo="skip",
                ),
                row=1,
                col=column,
            )
    quiet_axes(figure, "", "")
    figure.update_xaxes(autorange="reversed", title_text="level λ", gridcolor=GRID_LINES)
    figure.update_yaxes(title_text="α / λ", row=1, col=1)
    # Below the panels: above them are their titles.
    figure.update_layout(legend={"y": -0.22, "yanchor": "top"}, margin={"t": 34, "b": 30})
    return figure


def falling(levels: FloatArray, alpha: FloatArray) -> NDArray[np.bool_]:
    """Where α/λ falls from one level to the next lower one, (M − 1, N), rounding aside."""
    ratios = alpha / levels[:, None]
    return np.diff(ratios, axis=0) < -1e-9 * max(float(ratios.max()), 1e-300)


def _pieces(
    levels: FloatArray, ratios: FloatArray, wanted: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray]:
    """The wanted pieces of all lines as one line with gaps."""
    m, i = np.nonzero(wanted)
    gap = np.full(m.size, np.nan)
    x = np.column_stack([levels[m], levels[m + 1], gap]).ravel()
    y = np.column_stack([ratios[m, i], ratios[m + 1, i], gap]).ravel()
    return x, y


def certificate_figure(
    shares: FloatArray, gaps: FloatArray, errors: FloatArray, share: float
) -> go.Figure:
    """The duality gap and the true error of coefficients that were spoiled on purpose.

    Parameters
    ----------
    shares : (k,) array
        How much they were spoiled.
    gaps, errors : (k,) arrays
        What the certificate says, and how far the objective really is from its least value.
    share : float
        The one in view.
    """
    figure = go.Figure()
    for name, values, colour, dash in (
        ("duality gap: what the certificate says", gaps, BLUE, "solid"),
        ("true error: what it cannot know", errors, VERMILION, "dash"),
    ):
        figure.add_trace(
            go.Scatter(
                x=shares,
                y=values,
                mode="lines",
                name=name,
                line={"color": colour, "dash": dash, "width": 2},
                hovertemplate="%{x:.2f}: %{y:.2e}<extra></extra>",
            )
        )
    figure.add_vline(x=share, line={"color": NEUTRAL, "dash": "dot", "width": 2})
    figure.update_yaxes(type="log", exponentformat="power", dtick=1)
    return quiet_axes(figure, "how much was spoiled", "relative to the objective")
