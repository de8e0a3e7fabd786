"""Outlier rankings in the plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from nestviz import escaping
from nestviz.analysis.contributions import Contributions
from nestviz.analysis.outliers import OutlierRanking
from nestviz.arrays import FloatArray, IntArray
from nestviz.figures.point_looks import PointLooks, score_colours
from nestviz.figures.theme import ALARM, BLUE, VERMILION, plane_axes
from nestviz.figures.traces import line, marks, outline, selection_rings
from nestviz.palette import LIGHT, rgba
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
    looks: PointLooks | None = None,
    point_names: Sequence[str] | None = None,
    selected: Sequence[int] = (),
    location: tuple[float, float] | None = None,
    view: tuple[float, float, float, float] | None = None,
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
        Of the point ``row``, or of the location: lines to the points that contribute, thicker for
        more.
    row : int, optional
        A point to circle.
    flagged : ndarray of bool of shape (n_points,), optional
        Points to draw as triangles, from `flag_outliers`.
    boundary : sequence of ndarray of shape (k, 2)
        Rings around the set that leaves the flagged points out.
    looks : PointLooks, optional
        Colours and marks by something else than score and flag, with a legend.
    point_names : sequence of str, optional
        What each point is called, such as `Dataset.point_name`; its number by default.
    selected : sequence of int
        More points to circle.
    location : tuple of float, optional
        A location to mark by a cross, where a new point is scored.
    view : tuple of float, optional
        The shown box, ``(xmin, xmax, ymin, ymax)``; by default all that is drawn.

    Returns
    -------
    Figure
    """
    figure = go.Figure()
    if len(boundary):
        figure.add_trace(_threshold(boundary))
    called = point_names or [f"point {number}" for number in range(len(ranking))]
    if contributions is not None and (row is not None or location is not None):
        start = points[row] if location is None else np.array(location)
        figure.add_traces(_lines(points, start, row, contributions, called))
    figure.add_trace(_points(ranking, points, looks or _by_score(ranking, flagged), called))
    if looks is None:
        figure.data[-1].marker.update(_colour_bar(figure.data[-1].customdata[:, -1]))
    first = ranking.order[: top if flagged is None else min(top, int(flagged.sum()))]
    figure.add_trace(_ranks(ranking, points, first))
    circled = [*selected, *(() if row is None or row in selected else (row,))]
    if circled and location is None:
        figure.add_trace(selection_rings(points[circled]))
    if location is not None:
        style = {"line": {"width": 2.8, "color": ALARM}}
        at = np.array([location])
        figure.add_trace(marks(at, "new point", ALARM, "cross-thin", 18, marker=style))
    figure.add_traces([] if looks is None else looks.legend())
    return _framed(figure, names, looks, view)


def _framed(
    figure: go.Figure,
    names: tuple[str, str],
    looks: PointLooks | None,
    view: tuple[float, float, float, float] | None,
) -> go.Figure:
    """Set axes, their ranges, and the legend."""
    plane_axes(figure, *names).update_layout(showlegend=looks is not None)
    if looks is not None:
        # Only the entries that are made for it.
        for trace in figure.data:
            trace.showlegend = bool(trace.showlegend)
        title = {"text": escaping.plotly(looks.title, 200), "side": "top"}
        figure.update_layout(legend_title=title, legend_itemclick=False, margin_t=60)
    if view is not None:
        figure.update_xaxes(range=view[:2]).update_yaxes(range=view[2:])
    return figure


def _threshold(boundary: Sequence[FloatArray]) -> go.Scatter:
    closed = [np.concatenate([ring, ring[:1]]) for ring in boundary]
    fill = {"fill": "toself", "fillcolor": rgba(LIGHT.text, 0.06)}
    return outline(closed, "threshold", rgba(LIGHT.text, 0.55), width=1.5, dash="6px,4px", **fill)


def _by_score(ranking: OutlierRanking, flagged: NDArray[np.bool_] | None) -> PointLooks:
    triangles = np.zeros(len(ranking), np.bool_) if flagged is None else flagged
    kinds = [("not flagged", -1, "circle"), ("flagged", 1, "triangle")]
    return PointLooks(kinds, triangles.astype(int), np.clip(ranking.score, 0.0, 1.0))


def _points(
    ranking: OutlierRanking, points: FloatArray, looks: PointLooks, called: Sequence[str]
) -> go.Scatter:
    """Return the points, the more vivid ones in front."""
    rows = looks.order()
    look = looks.marker(rows)
    return marks(
        points[rows],
        "points",
        look.pop("color"),
        look.pop("symbol"),
        look.pop("size"),
        marker=look,
        text=[escaping.plotly(called[row]) for row in rows],
        customdata=np.column_stack(
            [rows, ranking.rank[rows], ranking.level[rows], ranking.tied[rows], ranking.score[rows]]
        ),
        hover=(
            "%{text}<br>rank %{customdata[1]} (%{customdata[3]} at its level)<br>"
            "score %{customdata[4]:.3f}<br>level %{customdata[2]:.4g}<extra></extra>"
        ),
    )


def _colour_bar(scores: FloatArray) -> dict[str, Any]:
    """Return the same colours with a bar that says which of them is which score."""
    shares = np.linspace(0.0, 1.0, 17)
    return {
        "color": scores,
        "colorscale": list(zip(shares.tolist(), score_colours(shares), strict=True)),
        "cmin": 0.0,
        "cmax": 1.0,
        "colorbar": {"title": {"text": "score"}, "thickness": 12},
    }


def _ranks(ranking: OutlierRanking, points: FloatArray, first: IntArray) -> go.Scatter:
    """Return the first ranks as text above the markers: of the size of one that is not drawn."""
    text = [str(rank) for rank in ranking.rank[first]]
    font = {"color": LIGHT.text, "size": 11.5, "weight": 600}
    return marks(
        points[first],
        "rank",
        LIGHT.text,
        size=13,
        marker={"opacity": 0.0},
        mode="markers+text",
        text=text,
        textfont=font,
        textposition="top center",
    )


def _lines(
    points: FloatArray,
    start: FloatArray,
    row: int | None,
    given: Contributions,
    called: Sequence[str],
) -> list[go.Scatter]:
    """Return a line to each contributing point; the point itself needs none."""
    largest = max(float(np.abs(given.values).max()), np.finfo(np.float64).tiny)
    lines = []
    for rows, value in zip(given.rows, given.values, strict=True):
        if not rows.size or row in rows:
            continue
        ends, name = np.stack([start, points[rows[0]]]), f"{value:.3g} from {called[rows[0]]}"
        colour, dash = (VERMILION, "dot") if value < 0 else (BLUE, "solid")
        look = {"width": 1.0 + 4.0 * abs(value) / largest, "dash": dash, "hoverinfo": "name"}
        lines.append(line(ends[:, 0], ends[:, 1], name, colour, **look))
    return lines
