"""The shortest way from a file to its ranking: a button on the page itself."""

from __future__ import annotations

import streamlit as st

from nestviz.data.conversion import DROPPED
from nestviz.data.errors import listed
from nestviz.escaping import markdown
from nestviz.kernels import AUTO_SHARE
from nestviz.ui import data_warnings
from nestviz.ui.data_choice import Current
from nestviz.ui.data_input import files
from nestviz.ui.session.own_data import RANKED_NEXT, new_to_rank, own_data, rank_next
from nestviz.ui.session.view import open_page, put, view

DATA_PAGE = "pages/start/data.py"


def show(current: Current) -> None:
    """Show a button that opens a file, and what has become of its columns."""
    _arrived(current)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if st.button(
            "Rank a file of your own",
            icon=":material/upload_file:",
            key="outliers-own-file",
            help="CSV, Parquet, Excel, NumPy or svmlight. Columns are guessed, and can be changed.",
        ):
            known = own_data()
            rank_next(None if known is None else known.dataset)
            _choose()
        if current.own is not None:
            st.button(
                "Change columns", type="tertiary", key="outliers-columns", on_click=_change_columns
            )
    if current.own is not None:
        st.caption(_columns(current))


def _columns(current: Current) -> str:
    source, notes = current.source, current.source.annotations
    ids = [] if notes is None else list(notes.ids)
    others = [] if notes is None else [name for name in notes.columns if name not in ids]
    sentences = [markdown(f"Features: {listed(source.feature_names)}.", 300)]
    if ids:
        sentences.append(markdown(f"Identifiers: {listed(ids)}.", 300))
    if others:
        sentences.append(markdown(f"Not fitted: {listed(others)}.", 300))
    # Whoever looks for a row in the ranking should know that it is not there.
    dropped = (step for step in source.provenance if step.endswith(DROPPED))
    return " ".join([*sentences, *(markdown(sentence, 300) for sentence in dropped)])


def _change_columns() -> None:
    put({"from": "File"})
    open_page(DATA_PAGE)


@st.dialog("Rank a file of your own")
def _choose() -> None:
    files.show_file()


def _arrived(current: Current) -> None:
    """Choose settings for a new file: fit all of its features, with a width that connects them."""
    new = new_to_rank()
    if new is None or current.own is None:
        return
    if new.d > 2 and view().show is None:
        # In a plane of many features what is unusual may not show.
        put({"show": "slice"})
        st.rerun()
    del st.session_state[RANKED_NEXT]
    share = float(f"{data_warnings.connecting_share(current.fitted):.3g}")
    # The examples of the start page name the usual width; nobody has chosen it for these data.
    if view().width in (None, AUTO_SHARE) and share > AUTO_SHARE:
        put({"width": share})
        st.rerun()
