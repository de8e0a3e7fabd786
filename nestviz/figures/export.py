"""Figures that leave the app: on white, with their own script, without any server."""

from __future__ import annotations

import html

import plotly.graph_objects as go

from nestviz.palette import LIGHT

WIDTH, HEIGHT = 900, 560


def on_paper(figure: go.Figure) -> go.Figure:
    """A copy on a white ground, with room for its legend and a size of its own.

    Pages draw on the theme's ground with the theme's text colour; a file has neither.
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
    """The figure on white, as the JSON that Plotly draws in a browser."""
    text: str = on_paper(figure).to_json()
    return text


def figure_page(figure: go.Figure, title: str) -> str:
    """A page with the figure to zoom and hover over; it needs no network."""
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
        f"<title>{html.escape(title)}</title></head>\n<body>{body}</body></html>\n"
    )
