"""What a class takes home from the story: its link, a QR code, and a handout."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from nestviz.ui.components.copy_link import copy_link
from nestviz.ui.pages.home import story
from nestviz.ui.pages.home.facts import NO_CROSSING, Facts
from nestviz.ui.pages.home.steps import STEPS, TEXTS, Step
from nestviz.ui.session.view_state import LINK_VERSION
from nestviz.ui.widgets import qr_code

if TYPE_CHECKING:
    from nestviz.ui.export.handout import Sheet, Still

KEY = "for_class"
TITLE = "Sets that cross and sets that nest"
Drawn = tuple["Sheet", Callable[[], "Sequence[Still]"]]
"""A step without its pictures, and what draws them."""


def show(facts: Facts) -> None:
    """Show an expander with the link, its QR code and the handout; closed, it costs nothing."""
    box = st.expander(
        "For a class: link, QR code, handout", icon=":material/school:", key=KEY, on_change="rerun"
    )
    if not box.open:
        return
    with box:
        left, right = st.columns([3, 2])
        with left:
            st.markdown("**Link to this step**")
            copy_link(key="link.story", version=LINK_VERSION)
            st.markdown("**Handout**: all steps with their pictures, to print or to send")
            notes = st.toggle("With the notes for the speaker", key="handout_notes")
            st.download_button(
                "Handout (HTML)",
                partial(_handout, sheets(facts), notes, qr_code.link() or ""),
                "sets-that-nest.html",
                "text/html",
                key="handout",
                on_click="ignore",
                icon=":material/download:",
            )
        with right:
            st.markdown("**QR code**")
            qr_code.show()


def sheets(facts: Facts) -> list[Drawn]:
    """Return all steps of the story about the data in use; their pictures are drawn later."""
    # Loads matplotlib.
    from nestviz.ui.export.handout import Sheet
    from nestviz.ui.pages.home.stills import stills

    found: list[Drawn] = []
    for step in STEPS:
        shown = story.story_step(step, facts)
        sheet = Sheet(shown.title, _printed(step, list(shown.text)), shown.notes)
        found.append((sheet, stills(step, facts)))
    return found


def _printed(step: Step, text: list[str]) -> list[str]:
    """Return the paragraphs of a step without what can only be done in the app."""
    texts = TEXTS[step.name]
    if "printed" not in texts or text == list(NO_CROSSING):
        return text
    last = len(texts["text"].strip().split("\n\n")) - 1
    return [*text[:last], texts["printed"], *text[last + 1 :]]


def _handout(found: list[Drawn], notes: bool, source: str) -> str:
    from nestviz.ui.export import handout

    drawn = [replace(sheet, stills=draw()) for sheet, draw in found]
    code = qr_code.qr_svg(source) if source else None
    return handout.page(TITLE, drawn, notes=notes, source=source, code=code)
