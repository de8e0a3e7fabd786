"""The two rankings of a family against each other."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nestviz.analysis.ranking import RankingScores
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, quiet_axes


def ranking_figure(scores: RankingScores) -> go.Figure:
    """s− against s+: on the diagonal the two agree; ambiguously ranked points are marked."""
    shown = np.isfinite(scores.s_plus) & np.isfinite(scores.s_minus)
    values = np.concatenate([scores.s_plus[shown], scores.s_minus[shown], [0.0]])
    ends = [values.min(), values.max()]
    line = {"color": NEUTRAL, "dash": "dot", "width": 1}
    figure = go.Figure(go.Scatter(x=ends, y=ends, mode="lines", name="s− = s+", line=line))
    clear, ambiguous = shown & ~scores.ambiguous, shown & scores.ambiguous
    figure.add_trace(_marks(scores, clear, "ranked the same", BLUE, "circle"))
    figure.add_trace(_marks(scores, ambiguous, "ranked ambiguously", VERMILION, "x"))
    quiet_axes(figure, "s+, by the first set with the point", "s−, by the last set without it")
    hidden = int(np.sum(~shown))
    if hidden:
        text = f"{hidden} outside every set or inside all of them: not shown"
        figure.add_annotation(text=text, x=1, y=0, xref="paper", yref="paper", showarrow=False)
    return figure


def _marks(
    scores: RankingScores, which: NDArray[np.bool_], name: str, colour: str, symbol: str
) -> go.Scattergl:
    return go.Scattergl(
        x=scores.s_plus[which],
        y=scores.s_minus[which],
        mode="markers",
        name=f"{name} ({int(which.sum())})",
        customdata=np.flatnonzero(which),
        marker={"color": colour, "symbol": symbol, "size": 7, "opacity": 0.8},
        hovertemplate="point %{customdata}<br>s+ %{x:.4g}<br>s− %{y:.4g}<extra></extra>",
    )
