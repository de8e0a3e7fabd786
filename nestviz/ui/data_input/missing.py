"""Own data that are not in this tab: a notice, and ways to bring them back.

A link or a reload carries the settings, not the points. The browser keeps a copy of small data as
long as the tab is open.
"""

from __future__ import annotations

import streamlit as st

from nestviz.data import DataError, Dataset
from nestviz.escaping import markdown
from nestviz.ui.components.tab_store import keep_in_tab, offer_from_tab
from nestviz.ui.data_input import files, session_files
from nestviz.ui.session import session_file
from nestviz.ui.session.own_data import bring_back, own_data
from nestviz.ui.session.session_file import Session

MOST_NUMBERS = 300_000
"""Larger data are not kept by the browser, which gives a page about 5 MB."""
_FAULT = "missing_data:fault"


def keep_own_data() -> None:
    """Have the browser keep a copy of the user's own data, unless they are large."""
    known = own_data()
    if known is None or _numbers(known.dataset) > MOST_NUMBERS:
        return
    session, data = Session("data", dataset=known.dataset, origin=known.origin), known.dataset
    notes = data.annotations
    mark = data.fingerprint if notes is None else f"{data.fingerprint}{notes.digest}"
    keep_in_tab(mark, data.name, lambda: session_file.write(session))


def _numbers(data: Dataset) -> int:
    """Return the size of data as a number of numbers."""
    return data.X.size + (0 if data.annotations is None else data.annotations.size // 8)


def show(*, with_files: bool = True) -> None:
    """Show that own data are missing, with the ways to bring them back.

    Without ``with_files`` only the browser's copy is offered: the page has its own file widgets.
    """
    st.warning(
        "**Your own points are not in this tab.** A link or a reload carries the settings, not the "
        "points. Bring the points back, or choose other data in the sidebar.",
        icon=":material/link_off:",
    )
    offer_from_tab(_take)
    if _FAULT in st.session_state:
        st.error(st.session_state.pop(_FAULT), icon=":material/error:")
    if not with_files:
        return
    left, right = st.columns(2, gap="large")
    with left:
        files.show_file()
    with right:
        session_files.show_upload()


def _take(text: str) -> None:
    try:
        found = session_file.read(text.encode())
    except DataError as error:
        st.session_state[_FAULT] = markdown(str(error))
        return
    if found.dataset is not None:
        bring_back(found.dataset, found.origin)
