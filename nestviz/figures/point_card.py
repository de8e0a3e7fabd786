"""One point over all levels: its coefficient, and when it is inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, quiet_axes

STYLES = ((BLUE, "solid", "circle"), (VERMILION, "dash", "square"), (NEUTRAL, "dot", "diamond"))


@dataclass(frozen=True, eq=False)
class PointPath:
    """One point in one family.

    Attributes
    ----------
    title : str
        The method.
    levels, alpha : (k,) arrays
        Its coefficient along the level.
    breakpoints, at_breakpoints : (b,) arrays
        Where that coefficient changes course.
    intervals : (m, 2) array
        The levels at which the point is inside; ends may be infinite.
    """

    title: str
    levels: FloatArray
    alpha: FloatArray
    breakpoints: FloatArray
    at_breakpoints: FloatArray
    intervals: FloatArray


def point_figure(
    paths: Sequence[PointPath], level: float, level_name: str, ends: tuple[float, float]
) -> go.Figure:
    """Coefficients above, intervals of membership as bars below, the current level as a line.

    Parameters
    ----------
    paths : sequence of PointPath
        The same point in each family.
    level : float
        The level in view.
    level_name : str
        What the level is.
    ends : pair of float
        First and last level of the picture.
    """
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, row_heights=[0.66, 0.34], vertical_spacing=0.06
    )
    for k, path in enumerate(paths):
        colour, dash, symbol = STYLES[k % len(STYLES)]
        figure.add_trace(
            go.Scatter(
                x=path.levels, y=path.alpha, mode="lines", name=path.title,
                line={"color": colour, "dash": dash, "width": 2},
                hovertemplate="%{x:.4g}: %{y:.3f}<extra>" + path.title + "</extra>",
            ),
            row=1, col=1,
        )  # fmt: skip
        figure.add_trace(
            go.Scatter(
                x=path.breakpoints, y=path.at_breakpoints, mode="markers", showlegend=False,
                marker={"color": colour, "symbol": symbol, "size": 7},
                hovertemplate="breakpoint %{x:.4g}<extra>" + path.title + "</extra>",
            ),
            row=1, col=1,
        )  # fmt: skip
        figure.add_trace(_bars(path, str(k), colour, ends), row=2, col=1)
    figure.add_vline(x=level, line={"color": NEUTRAL, "width": 2, "dash": "dash"})
    quiet_axes(figure, "", "")
    room = 0.02 * (ends[1] - ends[0])
    figure.update_xaxes(range=[ends[0] - room, ends[1] + room])
    figure.update_xaxes(title_text=level_name, row=2, col=1)
    figure.update_yaxes(title_text="coefficient α", range=[-0.05, 1.08], row=1, col=1)
    figure.update_yaxes(
        type="category", categoryorder="array", showgrid=False, row=2, col=1,
        categoryarray=[str(k) for k in range(len(paths))][::-1], range=[-0.6, len(paths) - 0.4],
        tickvals=[str(k) for k in range(len(paths))], ticktext=[_short(p.title) for p in paths],
        tickfont={"size": 11},
    )  # fmt: skip
    figure.update_layout(margin={"l": 105, "t": 30})
    return figure


def _short(title: str) -> str:
    """The title in lines short enough to stand beside a bar."""
    return "<br>".join(wrap(title, 15))


def _bars(path: PointPath, place: str, colour: str, ends: tuple[float, float]) -> go.Scatter:
    """One thick line per interval, separated by gaps; nothing inside is a faint dotted line."""
    shown = np.clip(path.intervals, *ends)
    gaps = np.full((len(shown), 1), np.nan)
    x = np.hstack([shown, gaps]).ravel()
    never = not len(shown)
    return go.Scatter(
        x=list(ends) if never else x,
        y=[place] * (2 if never else x.size),
        mode="lines",
        showlegend=False,
        line={"color": colour, "width": 1 if never else 14, "dash": "dot" if never else "solid"},
        hovertemplate="never inside" if never else "inside: ends at %{x:.4g}",
        name=path.title,
    )
