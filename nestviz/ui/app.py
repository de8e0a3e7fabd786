"""The frame around every page: menu, data controls, error messages."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from nestviz import __version__
from nestviz.palette import DARK, LIGHT
from nestviz.resources import app_dir
from nestviz.ui import data_choice, error_boundary
from nestviz.ui.components.assets import read_assets
from nestviz.ui.data_input import missing
from nestviz.ui.menu import PAGES
from nestviz.ui.results import admission, jobs, places
from nestviz.ui.session import selection, view
from nestviz.ui.session.view_state import LINK_VERSION

# Our own file: a symbol by name would be fetched from a server elsewhere.
ICON = Path(__file__).with_name("icon.svg")

STYLE = (
    '<style>\n[data-testid="stApp"] {\n'
    f"--primary: light-dark({LIGHT.primary}, {DARK.primary});\n"
    f"--on-primary: light-dark({LIGHT.background}, {DARK.background});\n"
    f"}}\n{read_assets('frame.css', 'presented.css')}</style>"
)
"""The style of the frame and of what Streamlit draws inside it."""
RETRY_SECONDS = 10.0
"""How often a page that found the server full looks again."""
FIRST_DATA = {"": "ring"}
"""The sample that a page shows where none was chosen, by its address; the start page has one that
needs no colours."""
WEIGHTED = frozenset(
    {"data", "one-class", "two-classes", "solution-path", "cluster-tree", "outliers"}
)
"""Addresses of the pages that can use weighted centres of many rows; others use a sample."""
WITHOUT_DATA = frozenset({"theory", "results"})
"""Addresses of the pages that do not use the data chosen in the sidebar."""


def run() -> None:
    """Show the current page inside the frame, when its turn comes."""
    st.set_page_config(layout="wide", page_icon=str(ICON))
    if not places.is_admitted():
        _show_full()
        return
    jobs.expect_work()
    with admission.page_run():
        _run()


def _show_full() -> None:
    """Say that the server is full; cheap, since it is shown when there is no time to spare."""
    st.navigation(_menu(), position="hidden")
    st.warning(
        f"The server is full: its limit of open sessions is {places.PLACES.limit}. As soon as one "
        "of them is closed, this page opens by itself.",
        icon=":material/hourglass:",
    )
    st.button("Try again", icon=":material/refresh:")
    _try_again()


@st.fragment(run_every=RETRY_SECONDS)
def _try_again() -> None:
    if places.is_admitted():
        st.rerun()


def _run() -> None:
    st.logo(str(ICON), size="large")
    st.html(STYLE)
    page = st.navigation(_menu(), expanded=True)
    view.follow()
    view.arrive(page.url_path, tuple(row[2] for rows in PAGES.values() for row in rows))
    st.session_state.pop(data_choice.KEY, None)
    found = None
    if page.url_path in WITHOUT_DATA:
        _name_data()
    else:
        with error_boundary.in_words():
            found = _choose_data(page.url_path)
    with st.sidebar:
        st.caption(f"nestviz {__version__}")
        if found is not None and found.own is not None:
            missing.keep_own_data()
    _check_link()
    view.reserve_notice()
    with error_boundary.in_words():
        page.run()
    # Only pages that are shown completely get here.
    jobs.end_of_page()
    view.write_address()


def _name_data() -> None:
    """Keep the choice of data in the address of a page without its controls."""
    options = (key for key, _ in view.view().options)
    for key in ("data", "seed", "standardise", "most", "rows", "centres", "show", *options):
        view.name_in_address(key)


def _choose_data(address: str) -> data_choice.Current | None:
    """Show the data controls, keep the data for the page, and match the selection to them."""
    found = st.session_state[data_choice.KEY] = data_choice.choose(
        FIRST_DATA.get(address, data_choice.DEFAULT), weighted=address in WEIGHTED
    )
    if found is None:
        selection.drop()
        return None
    # Some pages have the rows themselves, or some of them, others their centres.
    points = found.measured if address == "cluster-tree" else found.fitted
    rows = found.rows if address == "outliers" else None
    selection.belongs_to(points if rows is None else rows.fitted)
    view.name_in_address("point")
    return found


def _check_link() -> None:
    """Warn about links of a later version, whose parameters may differ."""
    if (view.arrival().asked.v or 0) > LINK_VERSION:
        st.info(
            "This link was made by a later version of nestviz; parameters that this version does "
            "not know are ignored.",
            icon=":material/link:",
        )


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
