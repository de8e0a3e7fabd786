"""Outlier rankings in the plane."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.colors import sample_colorscale

from nestviz.analysis.contributions import Contributions
from nestviz.analysis.outliers import OutlierRanking
from nestviz.arrays import FloatArray, IntArray
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, plane_axes
from nestviz.figures.traces import line, marks, outline, selection_rings
from nestviz.palette import LIGHT, marker_radius, rgba
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
    """Draw points in the plane by their score: larger and more vivid is more abnormal.

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
        look = {"dash": "dash", "fill": "toself", "fillcolor": rgba(NEUTRAL, 0.1)}
        figure.add_trace(outline(closed, "threshold", NEUTRAL, width=1.5, **look))
    if row is not None and contributions is not None:
        figure.add_traces(_lines(points, row, contributions))
    # The more abnormal ones in front.
    figure.add_trace(_scores(ranking, points, flagged, ranking.order[::-1]))
    first = ranking.order[: top if flagged is None else min(top, int(flagged.sum()))]
    # Above the markers: of the size of a marker, which is not drawn.
    ranks = {"mode": "markers+text", "text": [str(rank) for rank in ranking.rank[first]]}
    unseen = {"opacity": 0.0}
    figure.add_trace(
        marks(
            points[first],
            "rank",
            NEUTRAL,
            size=13,
            marker=unseen,
            textposition="top center",
            **ranks,
        )
    )
    if row is not None:
        figure.add_trace(selection_rings(points[[row]]))
    return plane_axes(figure.update_layout(showlegend=False), *names)


def _scores(
    ranking: OutlierRanking,
    points: FloatArray,
    flagged: NDArray[np.bool_] | None,
    rows: IntArray,
) -> go.Scatter:
    triangles = np.zeros(len(ranking), np.bool_) if flagged is None else flagged
    score = ranking.score[rows]
    shares = np.linspace(0.0, 1.0, 17)
    # As the app's own picture: most scores are middling, and the vivid end is for the top.
    vivid = sample_colorscale(list(LIGHT.score_range), shares**4)
    return marks(
        points[rows],
        "points",
        score,
        np.where(triangles[rows], "triangle-up", "circle"),
        # Plotly's triangles are smaller than circles of the same size.
        2.0
        * marker_radius(len(rows))
        * (0.8 + 0.75 * score**3)
        * np.where(triangles[rows], 1.3, 1),
        customdata=np.column_stack(
            [rows, ranking.rank[rows], ranking.level[rows], ranking.tied[rows]]
        ),
        marker={
            "colorscale": list(zip(shares.tolist(), vivid, strict=True)),
            "line": {"color": "white", "width": 0.8},
            "opacity": 1.0,
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
