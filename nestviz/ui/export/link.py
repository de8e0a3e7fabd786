"""A link to the present view, and the file that carries what a link cannot."""

from __future__ import annotations

import streamlit as st

from nestviz.ui.components.copy_link import copy_link
from nestviz.ui.data_choice import Current
from nestviz.ui.data_input import session_files
from nestviz.ui.session.view_state import LINK_VERSION


def show(current: Current, page: str) -> None:
    """The link and the session file of a page."""
    copy_link(key=f"link.{page}", version=LINK_VERSION)
    if current.own is None:
        st.caption("Anyone who opens the link sees this view: data, settings and level.")
    else:
        st.warning(
            "Your own points do not travel in a link: others would be asked for them. Send the "
            "session file instead.",
            icon=":material/link_off:",
        )
    session_files.offer(current, page, key=f"session.{page}")
    st.caption(
        "The session file holds the points, the settings and the selection. It is opened on the "
        "Data page, under Session."
    )
