"""The frame around every page: menu, data controls, faults in words."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from nestviz import __version__
from nestviz.resources import app_dir
from nestviz.ui import data_choice, error_boundary
from nestviz.ui.results import jobs
from nestviz.ui.session import missing_data, selection, view
from nestviz.ui.session.own_data import own_data_missing
from nestviz.ui.session.view_state import LINK_VERSION

_CURRENT = "current_data"
# Our own file: a symbol by name would be fetched from a server elsewhere.
ICON = Path(__file__).with_name("icon.svg")

STYLE = """
<style>
[data-testid="stMainBlockContainer"] { padding-top: 3rem; padding-bottom: 3rem; }
[data-testid="stMainBlockContainer"] h1 { font-size: 2.1rem; padding-top: 0; }
@media (max-width: 640px) { [data-testid="stMainBlockContainer"] { padding-top: 4.5rem; } }
</style>
"""
"""Less empty space above the title: the picture should be on the first screen."""

PAGES = {
    "Start": [
        ("pages/start/home.py", "See nesting", "home", ":material/layers:"),
        ("pages/start/data.py", "Data", "data", ":material/scatter_plot:"),
    ],
    "Explore": [
        ("pages/explore/one_class.py", "One class", "one-class", ":material/contrast:"),
        ("pages/explore/two_classes.py", "Two classes", "two-classes", ":material/join_inner:"),
        ("pages/explore/solution_path.py", "Solution path", "solution-path", ":material/timeline:"),
        ("pages/explore/compare.py", "Compare", "compare", ":material/grid_view:"),
    ],
    "Use": [
        ("pages/use/bandwidth.py", "Bandwidth", "bandwidth", ":material/width:"),
        ("pages/use/cluster_tree.py", "Cluster tree", "cluster-tree", ":material/account_tree:"),
        ("pages/use/outliers.py", "Outliers", "outliers", ":material/person_search:"),
        ("pages/use/error_control.py", "Error control", "error-control", ":material/balance:"),
        ("pages/use/quantiles.py", "Quantiles", "quantiles", ":material/percent:"),
    ],
    "Learn": [
        ("pages/learn/theory.py", "Theory", "theory", ":material/school:"),
    ],
}
"""The menu: section to (file, title, address, icon)."""


def run() -> None:
    """Show the page that was asked for, inside the frame."""
    st.set_page_config(layout="wide", page_icon=str(ICON))
    st.logo(str(ICON), size="large")
    st.html(STYLE)
    page = st.navigation(_menu())
    view.follow()
    view.arrive(page.url_path, tuple(row[2] for rows in PAGES.values() for row in rows))
    st.session_state.pop(_CURRENT, None)
    found = None
    with error_boundary.in_words():
        found = _choose_data()
    with st.sidebar:
        st.caption(f"nestviz {__version__}")
        if found is not None and found.own is not None:
            missing_data.keep_own_data()
    _check_link()
    with error_boundary.in_words():
        page.run()
    # Reached only by pages that were shown whole.
    jobs.end_of_page()
    view.write_address()


def _choose_data() -> data_choice.Current | None:
    """Show the data controls, keep what they choose for the page, and see to the selection."""
    found = st.session_state[_CURRENT] = data_choice.sidebar()
    if found is None:
        selection.drop()
        return None
    selection.belongs_to(found.fitted)
    view.name_in_address("point")
    return found


def _check_link() -> None:
    """Say so where a link was made by a version whose parameters may mean something else."""
    if (view.arrival().asked.v or 0) > LINK_VERSION:
        st.info(
            "This link was made by a later version of nestviz; what it says that this one does "
            "not know is left out.",
            icon=":material/link:",
        )


def current_data() -> data_choice.Current:
    """The data chosen in the sidebar, for pages; stops the page where there are none."""
    found: data_choice.Current | None = st.session_state.get(_CURRENT)
    if found is None and own_data_missing():
        missing_data.show()
        view.stop_page()
    if found is None:
        st.info("Choose other data in the sidebar to go on.", icon=":material/arrow_back:")
        view.stop_page()
    return found


def _menu() -> dict[str, list[st.Page]]:
    return {
        section: [
            st.Page(
                app_dir() / file,
                title=title,
                icon=icon,
                url_path=address,
                default=address == "home",
            )
            for file, title, address, icon in pages
        ]
        for section, pages in PAGES.items()
    }
