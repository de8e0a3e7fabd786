"""The critical-difference diagram of methods compared over data sets (Demšar 2006)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from nestviz import escaping
from nestviz.analysis.method_comparison import Comparison
from nestviz.figures.theme import BLUE, CLEAR, NEUTRAL, VERMILION
from nestviz.figures.traces import line

#: Heights: the axis is at 0, the ruler above it, names and bars below.
RULER, STEP, BAR = 0.8, 0.55, 0.22


def critical_difference_figure(comparison: Comparison, names: Sequence[str]) -> go.Figure:
    """Draw average ranks on a line, best to the left; bars join methods that do not differ.

    Parameters
    ----------
    comparison : Comparison
        From `compare_methods`.
    names : sequence of str
        Names of the methods, in the order of its ranks.

    Returns
    -------
    Figure
    """
    k = len(comparison.ranks)
    if len(names) != k:
        raise ValueError(f"{k} methods were compared, but {len(names)} names are given.")
    figure = go.Figure(line([1, k], [0, 0], None, NEUTRAL, width=1.5))
    for rank in range(1, k + 1):
        figure.add_trace(line([rank, rank], [0, 0.12], None, NEUTRAL, width=1.5))
        figure.add_annotation(x=rank, y=0.14, text=str(rank), showarrow=False, yanchor="bottom")
    _ruler(figure, comparison)
    below = BAR * (len(comparison.groups) + 1)
    _methods(figure, comparison, names, below)
    for number, group in enumerate(comparison.groups):
        ends, y = comparison.ranks[list(group)], -BAR * (number + 1)
        x = [ends.min() - 0.03, ends.max() + 0.03]
        figure.add_trace(line(x, [y, y], None, VERMILION, width=5))
    lowest = -below - STEP * (k + 1) / 2
    figure.update_xaxes(visible=False, range=[1 - 0.45 * k, k + 0.45 * k])
    figure.update_yaxes(visible=False, range=[lowest, RULER + 0.5])
    return figure.update_layout(
        showlegend=False,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        paper_bgcolor=CLEAR,
        plot_bgcolor=CLEAR,
        height=int(90 * (RULER + 0.5 - lowest)),
    )


def _ruler(figure: go.Figure, comparison: Comparison) -> None:
    """Draw the critical difference, from rank 1 on."""
    end = 1.0 + comparison.critical_difference
    figure.add_trace(line([1, end], [RULER, RULER], None, NEUTRAL))
    for x in (1.0, end):
        figure.add_trace(line([x, x], [RULER - 0.08, RULER + 0.08], None, NEUTRAL))
    text = f"critical difference {comparison.critical_difference:.2f}"
    at = {"x": 0.5 * (1.0 + end), "y": RULER + 0.1}
    figure.add_annotation(text=text, showarrow=False, yanchor="bottom", **at)


def _methods(figure: go.Figure, comparison: Comparison, names: Sequence[str], below: float) -> None:
    """Name the better half on the left, the others on the right, so that no lines cross."""
    order = np.argsort(comparison.ranks, kind="stable")
    k = len(order)
    for position, method in enumerate(order):
        rank = float(comparison.ranks[method])
        on_left = position < (k + 1) // 2
        row = position if on_left else k - 1 - position
        y = -below - STEP * (row + 0.5)
        edge, anchor = (0.9, "right") if on_left else (k + 0.1, "left")
        text = f"{names[method]} ({rank:.2f})"
        figure.add_trace(line([rank, rank, edge], [0, y, y], text, BLUE, width=1.5))
        figure.add_annotation(
            x=edge, y=y, text=escaping.plotly(text), showarrow=False, xanchor=anchor
        )
