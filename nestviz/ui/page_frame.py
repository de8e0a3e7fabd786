"""The parts that every page has: a title, the data in use, and a help text."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files

import streamlit as st

from nestviz.ui.data_choice import KEY, Current
from nestviz.ui.data_input import missing
from nestviz.ui.session.own_data import own_data_missing
from nestviz.ui.session.view import stop_page


def page(title: str) -> Callable[[Callable[[Current], None]], Callable[[], None]]:
    """Decorate the body of a page: its title above, its help text below, the data in use."""

    def decorate(body: Callable[[Current], None]) -> Callable[[], None]:
        def render() -> None:
            st.title(title, anchor=False)
            body(current_data())
            show_help(body.__module__.split(".")[-2])

        return render

    return decorate


@cache
def page_text(page: str, name: str) -> str:
    """Return the Markdown text of a page, by the names of their folder and file."""
    return (files("nestviz.ui.pages") / page / f"{name}.md").read_text(encoding="utf-8")


def show_help(page: str) -> None:
    """Show the help text of a page behind an expander."""
    with st.expander("What am I looking at?", icon=":material/help:"):
        st.markdown(page_text(page, "help"))


def current_data() -> Current:
    """Return the data chosen in the sidebar; stop the page where there are none."""
    found: Current | None = st.session_state.get(KEY)
    if found is None and own_data_missing():
        missing.show()
        stop_page()
    if found is None:
        stop_page("Choose other data in the sidebar to continue.")
    return found
