"""The parts that every page has: a title with one sentence, a help text, and the data in use."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files

import streamlit as st

from nestviz.ui.components.present import present_button
from nestviz.ui.data_choice import KEY, Current
from nestviz.ui.data_input import missing
from nestviz.ui.session.own_data import own_data_missing
from nestviz.ui.session.view import stop_page

HEADING = "page-heading"
"""Key of the container of title and sentence; its style is in `nestviz.ui.app`."""
IN_WORDS = frozenset({"theory"})
"""Pages whose words belong to their pictures: all of such a page is presented."""
STEPS = {"theory": {"back": "theory.back", "forward": "theory.on"}}
"""Keys of the buttons that step through a page while it is presented."""
HELP = "What am I looking at?"


def page(title: str) -> Callable[[Callable[[Current], None]], Callable[[], None]]:
    """Decorate the body of a page: title, sentence and help above it, and the data in use."""

    def decorate(body: Callable[[Current], None]) -> Callable[[], None]:
        def render() -> None:
            heading(title, body.__module__.split(".")[-2])
            body(current_data())

        return render

    return decorate


@cache
def page_text(page: str, name: str) -> str:
    """Return the Markdown text of a page, by the names of their folder and file."""
    return (files("nestviz.ui.pages") / page / f"{name}.md").read_text(encoding="utf-8")


def heading(title: str, page: str, sentence: str | None = None) -> None:
    """Show the title of a page, a sentence, and a button for its help text.

    The sentence is the first paragraph of the help text by default.
    """
    first, _, more = page_text(page, "help").partition("\n\n")
    with st.container(key=HEADING, gap=None):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.title(title, anchor=False, width="content")
            with st.popover(HELP, icon=":material/help:", type="tertiary"):
                st.markdown(more)
            present_button(player=page not in IN_WORDS, **STEPS.get(page, {}))
        st.markdown(sentence or first)


def current_data() -> Current:
    """Return the data chosen in the sidebar; stop the page where there are none."""
    found: Current | None = st.session_state.get(KEY)
    if found is None and own_data_missing():
        missing.show()
        stop_page()
    if found is None:
        stop_page("Choose other data in the sidebar to continue.")
    return found
