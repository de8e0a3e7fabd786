"""The first page: nested and crossing sets side by side, and ways into the app."""

from __future__ import annotations

import streamlit as st

from nestviz.ui.compute.methods import Spec
from nestviz.ui.page_frame import current_data, heading
from nestviz.ui.pages.home import starting_points
from nestviz.ui.panels import fit_controls, sweep


def render() -> None:
    """Render the page."""
    heading("Sets that nest", "home")
    current = current_data()
    width = fit_controls.width_knob(current)
    sigma = fit_controls.shown_value(width)
    pair = [Spec("one-class SVM", sigma), Spec("nested one-class SVM", sigma)]
    sweep.show(current, pair, key="home", knobs=[width], height=360, autoplay=True)
    fit_controls.data_note(current)
    st.header("Where to begin", anchor=False)
    starting_points.show()
