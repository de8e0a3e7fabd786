"""The first page: a story about sets that cross and sets that nest, and ways into the app."""

from __future__ import annotations

import streamlit as st

from nestviz.kernels import AUTO_SHARE
from nestviz.ui.compute.methods import Spec
from nestviz.ui.page_frame import current_data, heading
from nestviz.ui.pages.home import for_class, starting_points, story
from nestviz.ui.pages.home.facts import Facts
from nestviz.ui.pages.home.steps import NESTED, PLAIN, SAMPLE, WIDTH
from nestviz.ui.panels import fit_controls, sweep
from nestviz.ui.session.view import name_in_address, view

OUTSIDE = (
    "Both methods side by side, with all tools of the player; the story waits where you left it."
)
"""The sentence under the title outside the story, whose keys do not work there."""


def render() -> None:
    """Render the page."""
    name_in_address("step")
    step = story.current_step()
    heading("Sets that nest", "home", OUTSIDE if step is None else None)
    current = current_data()
    own_sample = view().data in (None, SAMPLE)
    width = fit_controls.width_knob(current, WIDTH if own_sample else AUTO_SHARE)
    sigma = fit_controls.shown_value(width)
    if step is not None:
        facts = Facts(current, sigma)
        story.show(step, facts, width)
        fit_controls.data_note(current)
        for_class.show(facts)
    else:
        st.button("Back to the story", icon=":material/auto_stories:", on_click=story.resume)
        pair = [Spec(PLAIN, sigma), Spec(NESTED, sigma)]
        sweep.show(current, pair, key="home", knobs=[width], height=360, autoplay=True)
        fit_controls.data_note(current)
    st.header("Or begin with a task", anchor=False)
    starting_points.show()
