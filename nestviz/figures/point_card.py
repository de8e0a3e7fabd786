"""One point over all levels: its coefficient, and when it is inside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nestviz import escaping
from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, NEUTRAL, VERMILION, quiet_axes
from nestviz.figures.traces import line, marks

STYLES = ((BLUE, "solid", "circle"), (VERMILION, "dash", "square"), (NEUTRAL, "dot", "diamond"))


@dataclass(frozen=True, eq=False)
class PointPath:
    """One point in one family.

    Attributes
    ----------
    title : str
        The method.
    levels, alpha : ndarray of shape (k,)
        Its coefficient along the level.
    breakpoints, at_breakpoints : ndarray of shape (b,)
        Where the slope of that coefficient changes, and its values there.
    intervals : ndarray of shape (m, 2)
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
    """Draw coefficients above, intervals of membership as bars below.

    Parameters
    ----------
    paths : sequence of PointPath
        The same point in each family.
    level : float
        A level to mark.
    level_name : str
        Name of the level.
    ends : tuple of float
        First and last level drawn.

    Returns
    -------
    Figure
    """
    figure = make_subplots(
        rows=2, cols=1, shared_xaxes=True, row_heights=[0.66, 0.34], vertical_spacing=0.06
    )
    for k, path in enumerate(paths):
        colour, dash, symbol = STYLES[k % len(STYLES)]
        extra = f"<extra>{escaping.plotly(path.title)}</extra>"
        look = {"dash": dash, "hover": "%{x:.4g}: %{y:.3f}" + extra}
        figure.add_trace(line(path.levels, path.alpha, path.title, colour, **look), row=1, col=1)
        corners = np.column_stack([path.breakpoints, path.at_breakpoints])
        hover = "breakpoint %{x:.4g}" + extra
        figure.add_trace(
            marks(corners, None, colour, symbol, hover=hover, showlegend=False), row=1, col=1
        )
        figure.add_trace(_bars(path, str(k), colour, ends), row=2, col=1)
    figure.add_vline(x=level, line={"color": NEUTRAL, "width": 2, "dash": "dash"})
    quiet_axes(figure, "", "")
    margin = 0.02 * (ends[1] - ends[0])
    figure.update_xaxes(range=[ends[0] - margin, ends[1] + margin])
    figure.update_xaxes(title_text=escaping.plotly(level_name), row=2, col=1)
    figure.update_yaxes(title_text="coefficient α", range=[-0.05, 1.08], row=1, col=1)
    rows = [str(k) for k in range(len(paths))]
    figure.update_yaxes(
        type="category", categoryorder="array", showgrid=False, row=2, col=1,
        categoryarray=rows[::-1], range=[-0.6, len(paths) - 0.4], tickvals=rows,
        ticktext=["<br>".join(map(escaping.plotly, wrap(path.title, 15))) for path in paths],
        tickfont={"size": 11},
    )  # fmt: skip
    return figure.update_layout(margin={"l": 105, "t": 30})


def _bars(path: PointPath, row: str, colour: str, ends: tuple[float, float]) -> go.Scatter:
    """Return one thick line per interval; a thin dotted line if the point is never inside."""
    shown = np.clip(path.intervals, *ends)
    x = np.hstack([shown, np.full((len(shown), 1), np.nan)]).ravel()
    look = {"width": 14, "dash": "solid", "hover": "inside: ends at %{x:.4g}"}
    if not len(shown):
        x, look = np.array(ends), {"width": 1, "dash": "dot", "hover": "never inside"}
    return line(x, [row] * x.size, path.title, colour, showlegend=False, **look)
