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
    else:
        summary.show(current_data())


def _sessions() -> None:
    session_files.show_upload()
    if not own_data_missing():
        st.caption("Or save the current session: your points, the settings and the selection.")
        session_files.offer(current_data(), "data", key="session.save")
