"""The two rankings of a family against each other."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from nestviz.analysis.ranking import RankingScores
from nestviz.figures.theme import ALARM, BLUE, NEUTRAL, quiet_axes
from nestviz.figures.traces import line, marks


def ranking_figure(scores: RankingScores) -> go.Figure:
    """Draw s− against s+: on the diagonal the two agree; ambiguously ranked points are marked.

    Parameters
    ----------
    scores : RankingScores
        From `ranking_scores`.

    Returns
    -------
    Figure
    """
    shown = np.isfinite(scores.s_plus) & np.isfinite(scores.s_minus)
    values = np.concatenate([scores.s_plus[shown], scores.s_minus[shown], [0.0]])
    ends = [values.min(), values.max()]
    figure = go.Figure(line(ends, ends, "s− = s+", NEUTRAL, dash="dot", width=1, hoverinfo=None))
    points = np.column_stack([scores.s_plus, scores.s_minus])
    hover = "point %{customdata}<br>s+ %{x:.4g}<br>s− %{y:.4g}<extra></extra>"
    for which, name, colour, symbol in (
        (shown & ~scores.ambiguous, "ranked the same", BLUE, "circle"),
        (shown & scores.ambiguous, "ranked ambiguously", ALARM, "x"),
    ):
        rows, label = np.flatnonzero(which), f"{name} ({int(which.sum())})"
        more = {"kind": go.Scattergl, "marker": {"opacity": 0.8}, "customdata": rows}
        figure.add_trace(marks(points[rows], label, colour, symbol, hover=hover, **more))
    quiet_axes(figure, "s+, by the first set with the point", "s−, by the last set without it")
    if hidden := int(np.sum(~shown)):
        text = f"{hidden} outside every set or inside all of them: not shown"
        figure.add_annotation(text=text, x=1, y=0, xref="paper", yref="paper", showarrow=False)
    return figure
