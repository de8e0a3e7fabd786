"""Outlier ranks with their intervals over resamples."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from nestviz import escaping
from nestviz.analysis.resampling.ranks import RankIntervals
from nestviz.figures.theme import BLUE, NEUTRAL, quiet_axes
from nestviz.figures.traces import line, marks


def rank_intervals_figure(
    found: RankIntervals,
    *,
    most: int = 15,
    top: int = 10,
    share: float = 0.9,
    point_names: Sequence[str] | None = None,
) -> go.Figure:
    """Draw the ranks of the most abnormal points as dots, and their intervals as bars.

    Parameters
    ----------
    found : RankIntervals
        From `rank_intervals`.
    most : int
        Number of points drawn.
    top : int
        The last of the ranks that a dashed line parts from the others.
    share : float
        Part of the resamples that an interval holds.
    point_names : sequence of str, optional
        What each point is called; by default its row.

    Returns
    -------
    Figure
    """
    rows = np.argsort(found.rank, kind="stable")[:most]
    low, high = found.interval(share)
    places = np.arange(len(rows))
    gaps = np.full(len(rows), np.nan)
    ends = np.column_stack([low[rows], high[rows], gaps]).ravel()
    figure = go.Figure(
        line(ends, np.repeat(places, 3), f"{share:.0%} of the resamples", BLUE, width=5)
    )
    figure.data[0].update(opacity=0.45, connectgaps=False)
    named = [f"point {row}" if point_names is None else point_names[row] for row in rows]
    texts = [
        f"{escaping.plotly(name, 40)}<br>rank {found.rank[row]}, "
        f"{low[row]} to {high[row]} in {share:.0%} of the resamples"
        for name, row in zip(named, rows, strict=True)
    ]
    dots = np.column_stack([found.rank[rows], places]).astype(np.float64)
    shown = {"hovertext": texts, "hoverinfo": "text", "hovertemplate": None}
    figure.add_trace(marks(dots, "in the data", BLUE, "circle", 9, **shown))
    figure = quiet_axes(figure, "rank; 1 is the most abnormal", "")
    ticks = [escaping.plotly(name, 24) for name in named]
    figure.update_yaxes(tickvals=places, ticktext=ticks, autorange="reversed", automargin=True)
    figure.update_xaxes(rangemode="tozero")
    if top < len(found.rank):
        figure.add_vline(x=top + 0.5, line={"color": NEUTRAL, "width": 1, "dash": "dash"})
    return figure
