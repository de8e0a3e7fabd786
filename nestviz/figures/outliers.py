"""Outlier rankings in the plane."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nestviz.analysis.contributions import Contributions
from nestviz.analysis.outliers import OutlierRanking
from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, quiet_axes
from nestviz.figures.traces import line, marks, outline, selection_rings
from nestviz.renamed import renamed


@renamed(holders="contributions")
def outliers_figure(
    ranking: OutlierRanking,
    points: FloatArray,
    names: tuple[str, str],
    *,
    top: int = 10,
    contributions: Contributions | None = None,
    row: int | None = None,
    flagged: NDArray[np.bool_] | None = None,
    boundary: Sequence[FloatArray] = (),
) -> go.Figure:
    """Draw points in the plane by their score: darker and larger is more abnormal.

    Parameters
    ----------
    ranking : OutlierRanking
        From `outlier_ranking`.
    points : ndarray of shape (n_points, 2)
        Plane coordinates of the ranked points.
    names : tuple of str
        Names of the axes.
    top : int
        Number of ranks that are written, from the most abnormal point on.
    contributions : Contributions, optional
        Of the point ``row``: lines to the points that contribute, thicker for more.
    row : int, optional
        A point to circle.
    flagged : ndarray of bool of shape (n_points,), optional
        Points to draw as triangles, from `flag_outliers`.
    boundary : sequence of ndarray of shape (k, 2)
        Rings around the set that leaves the flagged points out.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    if len(boundary):
        closed = [np.concatenate([ring, ring[:1]]) for ring in boundary]
        figure.add_trace(outline(closed, "threshold", NEUTRAL, width=1.5, dash="dash"))
    figure.add_trace(_scores(ranking, points, flagged))
    first = ranking.order[:top]
    figure.add_trace(
        marks(
            points[first], "rank", VERMILION, "circle-open", 15, marker={"line": {"width": 2}},
            mode="markers+text", text=[str(rank) for rank in ranking.rank[first]],
            textposition="top center",
        )
    )  # fmt: skip
    if row is not None:
        figure.add_trace(selection_rings(points[[row]]))
        if contributions is not None:
            figure.add_traces(_lines(points, row, contributions))
    return quiet_axes(figure.update_layout(showlegend=False), *names)


def _scores(
    ranking: OutlierRanking, points: FloatArray, flagged: NDArray[np.bool_] | None
) -> go.Scatter:
    triangles = np.zeros(len(ranking), np.bool_) if flagged is None else flagged
    rows = np.arange(len(ranking))
    return marks(
        points,
        "points",
        ranking.score,
        np.where(triangles, "triangle-up", "circle"),
        5.0 + 6.0 * ranking.score,
        customdata=np.column_stack([rows, ranking.rank, ranking.level, ranking.tied]),
        marker={
            "colorscale": "Cividis",
            "reversescale": True,
            "cmin": 0.0,
            "cmax": 1.0,
            "colorbar": {"title": {"text": "score"}, "thickness": 12},
        },
        hover=(
            "point %{customdata[0]}<br>rank %{customdata[1]} (%{customdata[3]} at its level)<br>"
            "score %{marker.color:.3f}<br>level %{customdata[2]:.4g}<extra></extra>"
        ),
    )


def _lines(points: FloatArray, row: int, given: Contributions) -> list[go.Scatter]:
    """Return a line to each contributing point; the point itself needs none."""
    largest = max(float(np.abs(given.values).max()), np.finfo(np.float64).tiny)
    lines = []
    for rows, value in zip(given.rows, given.values, strict=True):
        if not rows.size or row in rows:
            continue
        ends, name = points[[row, rows[0]]], f"{value:.3g} from point {rows[0]}"
        colour, dash = (VERMILION, "dot") if value < 0 else (BLUE, "solid")
        look = {"width": 1.0 + 4.0 * abs(value) / largest, "dash": dash, "hoverinfo": "name"}
        lines.append(line(ends[:, 0], ends[:, 1], name, colour, **look))
    return lines
