"""Keep a text in one tab of the browser: it survives a reload and ends with the tab."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from nestviz.ui.components.assets import bundle, read_assets
from nestviz.ui.components.reports import reported
from nestviz.ui.decoding import text

_mount = st.components.v2.component(
    "nestviz_tab_store",
    html=read_assets("components/tab_store.html"),
    css=read_assets("components/row.css", "components/tab_store.css"),
    js=bundle("components/js/tab_store.js"),
)
_KEEP, _OFFER = "tab_store.keep", "tab_store.offer"
_SEEN = "tab_store:seen"
LONGEST = 10_000_000
"""Characters of a text; browsers keep about half of that for a page."""


def keep_in_tab(identity: str, name: str, write: Callable[[], str]) -> None:
    """Have the browser keep a text instead of the one before; once per text.

    Parameters
    ----------
    identity : str
        Identifies the text.
    name : str
        Name under which the text is offered.
    write : callable
        Returns the text.
    """
    fresh = st.session_state.get(_SEEN) != identity
    kept = {"id": identity, "name": name, "text": write()} if fresh else None
    _mount(key=_KEEP, data={"keep": kept, "offer": False}, on_seen_change=_take_seen)


def offer_from_tab(on_text: Callable[[str], None]) -> None:
    """Offer the text that the browser has kept, if there is one.

    Parameters
    ----------
    on_text : callable
        Called with the text that the user brings back.
    """

    def pass_on() -> None:
        # A text that is none is passed on as an empty one, which is refused in words.
        given = reported(_OFFER, "given", lambda value: text(LONGEST)(value) or "")
        if given is not None:
            on_text(given)

    _mount(key=_OFFER, data={"keep": None, "offer": True}, on_given_change=pass_on)


def _take_seen() -> None:
    st.session_state[_SEEN] = reported(_KEEP, "seen", text(100))
