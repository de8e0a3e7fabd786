"""Figures that move in the browser: frames, and buttons that play them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from nestviz.figures.theme import NEUTRAL, SINGLE
from nestviz.palette import rgba

MILLISECONDS = 90
"""How long a frame is shown."""


def with_frames(
    figure: go.Figure, frames: Sequence[Sequence[dict[str, Any]]], traces: Sequence[int]
) -> go.Figure:
    """Add frames and the buttons Play and Stop.

    Parameters
    ----------
    figure : Figure
        The picture at rest.
    frames : sequence of sequence of dict
        What changes in each of the given traces, frame by frame.
    traces : sequence of int
        Positions of these traces in the figure.

    Returns
    -------
    Figure
    """
    # Plain dictionaries: each object of Plotly would be checked twice.
    figure.frames = [
        {"data": list(data), "traces": list(traces), "name": str(k)}
        for k, data in enumerate(frames)
    ]
    timing = {"duration": MILLISECONDS, "redraw": True}
    play = {"frame": timing, "transition": {"duration": 0}, "mode": "immediate"}
    stop = {"frame": {"duration": 0, "redraw": True}, "mode": "immediate"}
    buttons = [
        {"label": "▶ Play", "method": "animate", "args": [None, play]},
        {"label": "■ Stop", "method": "animate", "args": [[None], stop]},
    ]
    menu = {
        "type": "buttons", "direction": "left", "showactive": False, "buttons": buttons,
        "x": 1.0, "xanchor": "right", "y": 0.0, "yanchor": "top", "pad": {"t": 32},
        "bgcolor": rgba(NEUTRAL, 0.12), "bordercolor": rgba(NEUTRAL, 0.5),
        "font": {"size": 12, "color": SINGLE},
    }  # fmt: skip
    return figure.update_layout(updatemenus=[menu], margin_b=75)
