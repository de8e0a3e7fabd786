"""The critical-difference diagram of methods compared over data sets (Demšar 2006)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from nestviz.analysis.method_comparison import Comparison
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION

#: Heights: the axis is at 0, the ruler above it, names and bars below.
RULER, STEP, BAR = 0.8, 0.55, 0.22


def critical_difference_figure(comparison: Comparison, names: Sequence[str]) -> go.Figure:
    """Average ranks on a line, best to the left; bars join methods that do not differ.

    Parameters
    ----------
    comparison : Comparison
        The comparison.
    names : sequence of str
        Names of the methods, in the order of its ranks.
    """
    k = len(comparison.ranks)
    if len(names) != k:
        raise ValueError(f"{k} methods were compared, and {len(names)} names are given.")
    figure = go.Figure()
    _line(figure, [1, k], [0, 0], NEUTRAL, 1.5)
    for rank in range(1, k + 1):
        _line(figure, [rank, rank], [0, 0.12], NEUTRAL, 1.5)
        figure.add_annotation(x=rank, y=0.14, text=str(rank), showarrow=False, yanchor="bottom")
    _ruler(figure, comparison)
    below = BAR * (len(comparison.groups) + 1)
    _methods(figure, comparison, names, below)
    for number, group in enumerate(comparison.groups):
        ends = comparison.ranks[list(group)]
        y = -BAR * (number + 1)
        _line(figure, [ends.min() - 0.03, ends.max() + 0.03], [y, y], VERMILION, 5)
    lowest = -below - STEP * (k + 1) / 2
    figure.update_xaxes(visible=False, range=[1 - 0.45 * k, k + 0.45 * k])
    figure.update_yaxes(visible=False, range=[lowest, RULER + 0.5])
    figure.update_layout(
        showlegend=False,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        height=int(90 * (RULER + 0.5 - lowest)),
    )
    return figure


def _ruler(figure: go.Figure, comparison: Comparison) -> None:
    """The critical difference, drawn from rank 1 on."""
    end = 1.0 + comparison.critical_difference
    _line(figure, [1, end], [RULER, RULER], NEUTRAL, 2)
    for x in (1.0, end):
        _line(figure, [x, x], [RULER - 0.08, RULER + 0.08], NEUTRAL, 2)
    figure.add_annotation(
        x=0.5 * (1.0 + end),
        y=RULER + 0.1,
        text=f"critical difference {comparison.critical_difference:.2f}",
        showarrow=False,
        yanchor="bottom",
    )


def _methods(figure: go.Figure, comparison: Comparison, names: Sequence[str], below: float) -> None:
    """The better half is named on the left, the others on the right, so that no lines cross."""
    order = np.argsort(comparison.ranks, kind="stable")
    k = len(order)
    left = (k + 1) // 2
    for place, method in enumerate(order):
        rank = float(comparison.ranks[method])
        on_left = place < left
        row = place if on_left else k - 1 - place
        y = -below - STEP * (row + 0.5)
        edge = 0.9 if on_left else k + 0.1
        text = f"{names[method]} ({rank:.2f})"
        _line(figure, [rank, rank, edge], [0, y, y], BLUE, 1.5, text)
        figure.add_annotation(
            x=edge, y=y, text=text, showarrow=False, xanchor="right" if on_left else "left"
        )


def _line(
    figure: go.Figure,
    x: Sequence[float],
    y: Sequence[float],
    colour: str,
    width: float,
    name: str | None = None,
) -> None:
    figure.add_trace(
        go.Scatter(
            x=list(x),
            y=list(y),
            mode="lines",
            line={"color": colour, "width": width},
            hoverinfo="skip",
            name=name,
        )
    )
