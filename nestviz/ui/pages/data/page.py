"""The Data page: choose a sample, or bring in your own points."""

from __future__ import annotations

import streamlit as st

from nestviz.ui.data_input import files, missing, session_files
from nestviz.ui.page_frame import current_data, heading
from nestviz.ui.pages.data import drawing, gallery, summary
from nestviz.ui.session.own_data import own_data_missing
from nestviz.ui.widgets import inputs


def render() -> None:
    """Render the page."""
    heading("Data", "data")
    in_use = st.container()
    ways = {
        "Samples": gallery.show,
        "File": files.show_file,
        "Paste": files.show_paste,
        "Draw": drawing.show,
        "Session": _sessions,
    }
    ways[inputs.segments("from", list(ways))]()
    st.divider()
    if own_data_missing():
        missing.show(with_files=False)
        return
    current = current_data()
    # What was chosen or drawn is said where it is seen, with the way on.
    with in_use:
        summary.show_in_use(current)
    summary.show(current)


def _sessions() -> None:
    session_files.show_upload()
    if not own_data_missing():
        st.caption("Or save the current session: your points, the settings and the selection.")
        session_files.offer(current_data(), "data", key="session.save")
