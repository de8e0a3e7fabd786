"""Still pictures of families: outlines at several levels, and coefficients along the level."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.colors import sample_colorscale
from plotly.subplots import make_subplots

from nestviz.analysis.level_sweep import Sweep
from nestviz.arrays import FloatArray
from nestviz.figures.theme import BLUE, CLASS_COLOURS, CLASS_SYMBOLS, GRID_LINES, NEUTRAL

DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


def outlines_figure(
    panels: Sequence[tuple[str, Sweep]],
    points: FloatArray,
    y: NDArray[np.int8] | None,
    level_name: str,
) -> go.Figure:
    """Outlines of all levels of each sweep, side by side; colour and dash tell levels apart."""
    figure = make_subplots(
        cols=len(panels), subplot_titles=[title for title, _ in panels], shared_yaxes=True
    )
    for column, (_, sweep) in enumerate(panels, start=1):
        _add_points(figure, column, points, y)
        colours = sample_colorscale("Viridis", np.linspace(0.85, 0.1, len(sweep.levels)))
        for k, (level, rings) in enumerate(zip(sweep.levels, sweep.outlines, strict=True)):
            figure.add_trace(
                go.Scatter(
                    **closed_path(rings),
                    mode="lines",
                    name=f"{level_name} = {level:.3g}",
                    showlegend=column == 1,
                    line={"color": colours[k], "dash": DASHES[k % len(DASHES)], "width": 2},
                    hoverinfo="name",
                ),
                row=1,
                col=column,
            )
    # A little inside the grid, so that outlines along its edge stay out of sight.
    low, high = points.min(axis=0), points.max(axis=0)
    pad = 0.12 * (high - low)
    for update, k in ((figure.update_xaxes, 0), (figure.update_yaxes, 1)):
        update(gridcolor=GRID_LINES, zeroline=False, range=[low[k] - pad[k], high[k] + pad[k]])
    figure.update_layout(plot_bgcolor="rgba(0,0,0,0)", margin={"l": 40, "r": 10, "t": 40, "b": 30})
    return figure


def coefficients_figure(
    panels: Sequence[tuple[str, FloatArray, FloatArray]], level_name: str
) -> go.Figure:
    """Coefficients along the level, one panel below the other: (title, levels, levels × points)."""
    titles = [title for title, _, _ in panels]
    figure = make_subplots(rows=len(panels), subplot_titles=titles, shared_xaxes=True)
    for row, (_, levels, alpha) in enumerate(panels, start=1):
        gaps = np.full((alpha.shape[1], 1), np.nan)
        # One trace for all points: lines are joined by gaps.
        figure.add_trace(
            go.Scatter(
                x=np.tile(np.append(levels, np.nan), alpha.shape[1]),
                y=np.hstack([alpha.T, gaps]).ravel(),
                mode="lines",
                line={"width": 1, "color": BLUE},
                opacity=0.5,
                showlegend=False,
                hoverinfo="skip",
            ),
            row=row,
            col=1,
        )
    figure.update_xaxes(gridcolor=GRID_LINES, zeroline=False)
    figure.update_xaxes(title_text=level_name, row=len(panels), col=1)
    figure.update_yaxes(title_text="coefficient α", gridcolor=GRID_LINES, zeroline=False)
    figure.update_layout(plot_bgcolor="rgba(0,0,0,0)", margin={"l": 60, "r": 10, "t": 40, "b": 40})
    return figure


def _add_points(
    figure: go.Figure, column: int, points: FloatArray, y: NDArray[np.int8] | None
) -> None:
    signs = np.zeros(len(points)) if y is None else y
    for sign in np.unique(signs):
        mine = signs == sign
        figure.add_trace(
            go.Scatter(
                x=points[mine, 0],
                y=points[mine, 1],
                mode="markers",
                showlegend=False,
                hoverinfo="skip",
                marker={
                    "color": CLASS_COLOURS.get(int(sign), NEUTRAL),
                    "symbol": CLASS_SYMBOLS.get(int(sign), "circle"),
                    "size": 4,
                    "opacity": 0.5,
                },
            ),
            row=1,
            col=column,
        )


def closed_path(rings: Sequence[FloatArray]) -> dict[str, FloatArray]:
    """All rings as one line with gaps."""
    gap = np.full((1, 2), np.nan)
    parts = [part for ring in rings for part in (ring, gap)] or [gap]
    joined = np.concatenate(parts)
    return {"x": joined[:, 0], "y": joined[:, 1]}
