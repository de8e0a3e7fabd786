"""The price of nesting: a measure of two methods on several data sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from nestviz import escaping
from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, NEUTRAL, quiet_axes
from nestviz.figures.traces import line, marks
from nestviz.palette import GREEN


def pairs_figure(
    items: Sequence[str], first: FloatArray, second: FloatArray, names: tuple[str, str], axis: str
) -> go.Figure:
    """Draw two values for each item, joined by a line; one row per item.

    Parameters
    ----------
    items : sequence of str
        The rows, from top to bottom.
    first, second : ndarray of shape (n_items,)
        The two values of each.
    names : tuple of str
        What the values belong to.
    axis : str
        What they measure.

    Returns
    -------
    Figure
    """
    rows = np.arange(len(items), dtype=float)
    gap = np.full(len(items), np.nan)
    x = np.column_stack([first, second, gap]).ravel()
    y = np.column_stack([rows, rows, gap]).ravel()
    figure = go.Figure(line(x, y, None, NEUTRAL, width=3, showlegend=False))
    labels = [escaping.plotly(item) for item in items]
    for values, name, colour, symbol in (
        (first, names[0], BLUE, "circle"),
        (second, names[1], GREEN, "diamond"),
    ):
        places = np.column_stack([values, rows])
        hover = "%{customdata}: %{x:.3f}<extra>" + escaping.plotly(name) + "</extra>"
        figure.add_trace(marks(places, name, colour, symbol, 11, hover=hover, customdata=labels))
    quiet_axes(figure, axis, "")
    figure.update_yaxes(
        tickmode="array", tickvals=rows, ticktext=labels, autorange="reversed", automargin=True
    )
    return figure
