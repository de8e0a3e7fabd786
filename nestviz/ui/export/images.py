"""Buttons that save a Plotly figure as PNG or SVG."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import streamlit as st

from nestviz.ui.components.figure_image import Format, save_figure

FORMATS: tuple[Format, ...] = ("png", "svg")


def buttons(file: str) -> Format | None:
    """PNG and SVG of a figure; what was pressed, if anything was."""
    asked: Format | None = None
    for image in FORMATS:
        if st.button(
            image.upper(),
            key=f"image.{file}.{image}",
            icon=":material/download:",
            help=f"Draw {file}.{image} in this browser and save it",
        ):
            asked = image
    return asked


def save(make: Callable[[], Any], file: str, image: Format, alt: str) -> None:
    """Make the figure, show it, and let the browser save what it shows."""
    from nestviz.figures.export import figure_json, on_paper

    figure = make()
    name = f"{file}.{image}"
    save_figure(figure_json(figure), key=f"image.{file}", order=uuid4().hex, name=name, image=image)
    # A page need not have a chart of its own; this one also brings Plotly into the browser.
    st.plotly_chart(on_paper(figure), key=f"preview.{file}", theme=None, alt=alt)
