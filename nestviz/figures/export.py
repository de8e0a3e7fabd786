"""Figures for files: on white, self-contained, without a server."""

from __future__ import annotations

import plotly.graph_objects as go

from nestviz import escaping
from nestviz.palette import LIGHT

WIDTH, HEIGHT = 900, 560


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
    """Return an HTML page with the interactive figure; it needs no network."""
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
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escaping.html(title)}</title></head>\n<body>{body}</body></html>\n"
    )
