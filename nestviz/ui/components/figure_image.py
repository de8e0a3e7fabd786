"""Save a Plotly figure as a picture, drawn by the browser: the server needs no Chrome."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from nestviz.ui.components.assets import bundle

Format = Literal["png", "svg"]

# Registered once, when the module is first imported, not at every run of a page.
_mount = st.components.v2.component(
    "nestviz_figure_image",
    html='<p class="words" role="status"></p>',
    css=".words { margin: 0; font-size: 0.875rem; color: var(--st-text-color); opacity: 0.8; "
    "font-family: var(--st-font), system-ui, sans-serif; }\n",
    js=bundle("components/js/figure_image.js"),
)


def save_figure(figure: str, *, key: str, order: str, name: str, image: Format) -> None:
    """Have the browser draw a figure and save it as a file, once.

    Parameters
    ----------
    figure : str
        The figure as JSON, with width and height in its layout.
    key : str
        Name of this component, unique in the app.
    order : str
        Names the request: it is carried out once, however often the page is drawn.
    name : str
        Name of the file.
    image : {"png", "svg"}
        Format of the file.
    """
    _mount(key=key, data={"id": order, "figure": figure, "format": image, "name": name})
