"""Figures for files: on white, self-contained, without a server."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files

import plotly.graph_objects as go

from nestviz import escaping
from nestviz.figures.animation import MILLISECONDS
from nestviz.palette import LIGHT

WIDTH, HEIGHT = 900, 560
PRINTED = 640
"""Width of a figure on a printed page."""


def on_paper(figure: go.Figure) -> go.Figure:
    """Copy a figure to a white background, with a margin for its legend and a fixed size.

    Pages use the theme's background and text colour; a file has neither.

    Parameters
    ----------
    figure : Figure
        The figure; it is not changed.

    Returns
    -------
    Figure
    """
    copy = go.Figure(figure)
    margin = copy.layout.margin
    copy.update_layout(
        template="plotly_white",
        paper_bgcolor="white",
        plot_bgcolor="white",
        font={"family": "system-ui, sans-serif", "color": LIGHT.text},
        width=copy.layout.width or WIDTH,
        height=copy.layout.height or HEIGHT,
        margin={"t": max(margin.t or 0, 40), "r": max(margin.r or 0, 20)},
    )
    return copy


def figure_json(figure: go.Figure) -> str:
    """Return the figure on white, as the JSON that Plotly draws in a browser."""
    text: str = on_paper(figure).to_json()
    return text


def figure_page(figure: go.Figure, title: str) -> str:
    """Return an HTML page with the interactive figure; it needs no network.

    Space plays and stops a figure with frames, the arrow keys step from frame to frame.
    """
    paper = on_paper(figure).update_layout(width=None, height=None, autosize=True)
    body: str = paper.to_html(
        full_html=False,
        include_plotlyjs=True,
        default_height="92vh",
        config={
            "showSendToCloud": False,
            "displaylogo": False,
            "responsive": True,
            "toImageButtonOptions": {"format": "svg"},
        },
    )
    if figure.frames:
        body = _with_keys(body, [frame.name for frame in figure.frames])
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escaping.html(title)}</title></head>\n<body>{body}</body></html>\n"
    )


def _with_keys(body: str, names: Sequence[str]) -> str:
    """Add keys that play and step to the HTML of a figure with frames."""
    script = (files("nestviz.figures") / "animation_keys.js").read_text(encoding="utf-8")
    text = json.dumps(names)
    frames = escaping.html(text, len(text))
    return (
        f'<div data-frames="{frames}" data-milliseconds="{MILLISECONDS}">{body}</div>'
        "<p>Space plays and stops, the arrow keys step.</p>"
        f'<script type="module">\n{script}</script>'
    )


def figure_parts(figures: Sequence[tuple[go.Figure, int]]) -> list[str]:
    """Return figures with their heights as parts of one HTML page, at rest, for print.

    The first part brings the library along, so that the page needs no network.
    """
    parts = []
    for k, (figure, height) in enumerate(figures):
        still = on_paper(figure)
        still.update_layout(width=PRINTED, height=height)
        still.layout.updatemenus = None
        still.frames = []
        part: str = still.to_html(
            full_html=False, include_plotlyjs=k == 0, config={"staticPlot": True}
        )
        parts.append(part)
    return parts
