"""The difference between the two rankings of a family."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from nestviz.analysis.ranking import RankingScores
from nestviz.figures.theme import ALARM, BLUE, quiet_axes
from nestviz.figures.traces import marks


def ranking_figure(scores: RankingScores) -> go.Figure:
    """Draw s+ − s− over s+: at zero the two scores agree; ambiguously ranked points are crosses.

    The difference has an axis of its own: against each other the two scores would lie on a
    diagonal, however many pairs of points they order differently. ``customdata`` of a point is its
    row.

    Parameters
    ----------
    scores : RankingScores
        From `ranking_scores`.

    Returns
    -------
    Figure
    """
    shown = np.isfinite(scores.s_plus) & np.isfinite(scores.s_minus)
    gap = np.where(shown, scores.s_plus, 0.0) - np.where(shown, scores.s_minus, 0.0)
    figure = go.Figure()
    points = np.column_stack([scores.s_plus, gap])
    hover = "point %{customdata[0]}<br>s+ %{x:.4g}<br>s− %{customdata[1]:.4g}<extra></extra>"
    for which, name, colour, symbol in (
        (shown & ~scores.ambiguous, "ranked the same", BLUE, "circle"),
        (shown & scores.ambiguous, "ranked ambiguously", ALARM, "x"),
    ):
        rows, label = np.flatnonzero(which), f"{name} ({int(which.sum())})"
        data = np.column_stack([rows, scores.s_minus[rows]])
        more = {"kind": go.Scattergl, "marker": {"opacity": 0.8}, "customdata": data}
        figure.add_trace(marks(points[rows], label, colour, symbol, hover=hover, **more))
    quiet_axes(figure, "s+, by the first set with the point", "s+ − s−")
    largest = float(gap.max(initial=0.0))
    # Zero at the bottom, with space for the markers there, also where there is nothing above.
    figure.update_yaxes(range=[-0.04 * (largest or 1.0), 1.06 * (largest or 1.0)])
    if not largest > 0:
        figure.update_yaxes(showticklabels=False)
        text = "s+ = s− for every point: one ranking"
        figure.add_annotation(text=text, x=0.5, y=0.5, xref="paper", yref="paper", showarrow=False)
    if hidden := int(np.sum(~shown)):
        text = f"{hidden} outside every set or inside all of them: not shown"
        figure.add_annotation(text=text, x=1, y=1, xref="paper", yref="paper", showarrow=False)
    return figure
