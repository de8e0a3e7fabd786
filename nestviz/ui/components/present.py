"""A button, and the key F, that fill the screen with the page or with its player."""

from __future__ import annotations

import streamlit as st

from nestviz.ui.components.assets import bundle, read_assets
from nestviz.ui.components.reports import do_nothing, reported
from nestviz.ui.decoding import choice

# Registered once, when the module is first imported, not at every run of a page.
_mount = st.components.v2.component(
    "nestviz_present",
    html=read_assets("components/present.html"),
    css=read_assets("components/present.css"),
    js=bundle("components/js/present.js"),
)


KEY = "present"


def is_presented() -> bool:
    """Return whether the page, and not its player alone, is presented."""
    return bool(reported(KEY, "presented", choice(True, False)))


def changed_theme() -> str | None:
    """Return the theme that the reader has changed to on this page, None at first."""
    return reported(KEY, "theme", choice("light", "dark"))


def present_button(*, player: bool, back: str = "", forward: str = "") -> None:
    """Show a button that presents the page: large type, and neither menu nor header.

    What is presented is a state of the browser: it lasts over reruns, steps and other pages.

    Parameters
    ----------
    player : bool
        Whether the first player of the page fills the screen, if there is one.
    back, forward : str
        Keys of the buttons that Page Up and Page Down press while the page is presented.
    """
    # Streamlit makes a class of each key.
    buttons = {"back": back, "forward": forward}
    selectors = {
        name: f".st-key-{key.replace('.', '-')} button" if key else ""
        for name, key in buttons.items()
    }
    _mount(
        key=KEY,
        data={"player": player, "presented": is_presented()} | selectors,
        width="content",
        on_presented_change=do_nothing,
        on_theme_change=do_nothing,
    )
