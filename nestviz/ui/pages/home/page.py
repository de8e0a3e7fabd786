"""The first page: nested and crossing sets side by side, and ways into the app."""

from __future__ import annotations

import streamlit as st

from nestviz.ui.compute.methods import Spec
from nestviz.ui.page_frame import current_data, page_text, show_help
from nestviz.ui.pages.home import starting_points
from nestviz.ui.panels import fit_controls, sweep


def render() -> None:
    """Render the page."""
    st.title("Sets that nest", anchor=False)
    st.markdown(page_text("home", "introduction"))
    current = current_data()
    sigma = fit_controls.width(current)
    pair = [Spec("one-class SVM", sigma), Spec("nested one-class SVM", sigma)]
    sweep.show(current, pair, key="home", height=360, autoplay=True)
    st.subheader("Where to begin", anchor=False)
    starting_points.show()
    show_help("home")
