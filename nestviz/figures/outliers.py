"""Outlier rankings in the plane."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nestviz.analysis.holders import Holders
from nestviz.analysis.outliers import OutlierRanking
from nestviz.arrays import FloatArray
from nestviz.figures.points import selection_rings
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, quiet_axes

Rings = Sequence[FloatArray]


def outliers_figure(
    ranking: OutlierRanking,
    points: FloatArray,
    names: tuple[str, str],
    *,
    top: int = 10,
    holders: Holders | None = None,
    row: int | None = None,
    flagged: NDArray[np.bool_] | None = None,
    boundary: Rings = (),
) -> go.Figure:
    """Points in the plane by their score: darker and larger is more abnormal.

    The ``top`` most abnormal ones wear their rank. With the ``holders`` of a point in ``row``,
    lines lead to the points that hold it in, thicker where they contribute more.

    Parameters
    ----------
    ranking : OutlierRanking
    points : (n, 2) array
        Plane coordinates of the ranked points.
    names : pair of str
        What the axes are called.
    top : int
        How many ranks are written.
    holders, row : Holders and int, optional
        A point that is explained; it wears a ring.
    flagged : (n,) array of bool, optional
        Points to be drawn as triangles, from `nestviz.analysis.flags.flag_outliers`.
    boundary : sequence of (k, 2) arrays
        Rings around the set that leaves the flagged points out.
    """
    figure = go.Figure()
    if len(boundary):
        figure.add_trace(_boundary(boundary))
    figure.add_trace(_scores(ranking, points, flagged))
    first = ranking.order[:top]
    figure.add_trace(
        go.Scatter(
            x=points[first, 0], y=points[first, 1], mode="markers+text", name="rank",
            text=[str(rank) for rank in ranking.rank[first]], textposition="top center",
            marker={"symbol": "circle-open", "size": 15, "color": VERMILION, "line_width": 2},
            hoverinfo="skip",
        )
    )  # fmt: skip
    if row is not None:
        figure.add_trace(selection_rings(points[[row]]))
    if holders is not None and row is not None:
        for line in _threads(points, row, holders):
            figure.add_trace(line)
    figure.update_layout(showlegend=False)
    return quiet_axes(figure, *names)


def _boundary(rings: Rings) -> go.Scatter:
    """One line in pieces, parted by gaps."""
    gap = np.full((1, 2), np.nan)
    line = np.concatenate([part for ring in rings for part in (ring, ring[:1], gap)])
    return go.Scatter(
        x=line[:, 0],
        y=line[:, 1],
        mode="lines",
        name="threshold",
        line={"color": NEUTRAL, "width": 1.5, "dash": "dash"},
        hoverinfo="skip",
    )


def _scores(
    ranking: OutlierRanking, points: FloatArray, flagged: NDArray[np.bool_] | None
) -> go.Scatter:
    marks = np.zeros(len(ranking), np.bool_) if flagged is None else flagged
    return go.Scatter(
        x=points[:, 0],
        y=points[:, 1],
        mode="markers",
        name="points",
        customdata=np.column_stack(
            [np.arange(len(ranking)), ranking.rank, ranking.level, ranking.tied]
        ),
        marker={
            "color": ranking.score,
            "colorscale": "Cividis",
            "reversescale": True,
            "symbol": np.where(marks, "triangle-up", "circle"),
            "cmin": 0.0,
            "cmax": 1.0,
            "size": 5.0 + 6.0 * ranking.score,
            "colorbar": {"title": {"text": "score"}, "thickness": 12},
        },
        hovertemplate=(
            "point %{customdata[0]}<br>rank %{customdata[1]} (%{customdata[3]} at its level)<br>"
            "score %{marker.color:.3f}<br>level %{customdata[2]:.4g}<extra></extra>"
        ),
    )


def _threads(points: FloatArray, row: int, holders: Holders) -> list[go.Scatter]:
    """A line to every holder that is among the points; the point itself needs none."""
    largest = max(float(np.abs(holders.contributions).max()), np.finfo(np.float64).tiny)
    lines = []
    for rows, contribution in zip(holders.rows, holders.contributions, strict=True):
        if not rows.size or row in rows:
            continue
        ends = points[[row, rows[0]]]
        pushes = contribution < 0
        lines.append(
            go.Scatter(
                x=ends[:, 0],
                y=ends[:, 1],
                mode="lines",
                name=f"{contribution:.3g} from point {rows[0]}",
                hoverinfo="name",
                line={
                    "color": VERMILION if pushes else BLUE,
                    "dash": "dot" if pushes else "solid",
                    "width": 1.0 + 4.0 * abs(contribution) / largest,
                },
            )
        )
    return lines
