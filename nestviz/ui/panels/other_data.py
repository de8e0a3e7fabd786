"""A way out where the data in use cannot be used for what a page shows."""

from __future__ import annotations

from typing import NoReturn

import streamlit as st

from nestviz.data import SAMPLES
from nestviz.ui.session.own_data import choose
from nestviz.ui.session.view import open_page, stop_page

OFFERED = ("banana", "multi", "ring")
"""Samples with enough points, one click away."""
DATA_PAGE = "pages/start/data.py"


def ask(reason: str) -> NoReturn:
    """Say why the page ends here, and offer other data.

    Parameters
    ----------
    reason : str
        A sentence, as Markdown.
    """
    st.info(reason, icon=":material/info:")
    with st.container(key="other_data", horizontal=True):
        st.button(
            "Change the data",
            key="to_data",
            type="primary",
            icon=":material/scatter_plot:",
            on_click=open_page,
            args=(DATA_PAGE,),
            help="On the Data page: add points, bring a file, or choose other columns of it.",
        )
        for name in OFFERED:
            sample = SAMPLES[name]
            st.button(
                sample.title, key=f"other_{name}", on_click=choose, args=(name,),
                help=sample.sentence,
            )  # fmt: skip
    stop_page()


def counted(count: int) -> str:
    """Return a number of different points in words."""
    if count == 1:
        return "There is only one different point"
    return f"There are only {count:,} different points"
