"""The view of the running session, and its address.

The record is the single source of truth. Controls show its values and change them; code changes it
by `change`, at any time. The address is read on arrival at a page, by a link or by Back and
Forward, and otherwise only written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import urlencode

import streamlit as st

from nestviz.resources import app_dir
from nestviz.ui.components.address import replace_address
from nestviz.ui.session.view_state import View, decode, encode

_VIEW, _KEYS, _ARRIVAL = "view", "view:keys", "view:arrival"
_ASKED, _PAGE = "view:asked", "view:page"


@dataclass(frozen=True)
class Arrival:
    """An arrival at a page: its number, the addresses of the page and of all pages, and the view
    that the address asked for (empty, if the menu led there)."""

    number: int
    page: str
    pages: tuple[str, ...]
    asked: View


def view() -> View:
    """Return the view of the session."""
    found: View = st.session_state.get(_VIEW, View())
    return found


def change(**values: Any) -> None:
    """Change the values of some keys; None restores the default of the page."""
    put(values)


def put(values: dict[str, Any]) -> None:
    """Change the values of some keys, which need not be Python names."""
    st.session_state[_VIEW] = view().with_values(values)


def open_page(file: str, asked: View | None = None) -> None:
    """Open the page of a file in the next run; for callbacks. ``asked`` replaces the view."""
    st.session_state[_PAGE] = file
    if asked is not None:
        st.session_state[_VIEW] = st.session_state[_ASKED] = asked


def follow() -> None:
    """Go to the page of `open_page`; called first in a run, after the menu."""
    if _PAGE in st.session_state:
        st.switch_page(app_dir() / st.session_state.pop(_PAGE))


def arrive(page: str, pages: tuple[str, ...] = ()) -> None:
    """Apply the address, if another page was shown before.

    A key that the address lacks keeps its value: Streamlit's menu leads to addresses without any.
    """
    st.session_state[_KEYS] = []
    last: Arrival | None = st.session_state.get(_ARRIVAL)
    if last is not None and last.page == page and _ASKED not in st.session_state:
        return
    asked = st.session_state.pop(_ASKED, None)
    if asked is None:
        given = {name: st.query_params.get_all(name) for name in st.query_params}
        asked = decode(given)
        st.session_state[_VIEW] = decode(given, view())
    number = 0 if last is None else last.number + 1
    st.session_state[_ARRIVAL] = Arrival(number, page, pages, asked)


def arrival() -> Arrival:
    """Return the arrival at the current page."""
    found: Arrival = st.session_state.get(_ARRIVAL, Arrival(0, "", (), View()))
    return found


def name_in_address(key: str) -> None:
    """Include a key in the address of the current page."""
    keys: list[str] = st.session_state.setdefault(_KEYS, [])
    keys.append(key)


def parameters() -> dict[str, list[str]]:
    """Return the parameters of the address of the current page."""
    return encode(view(), st.session_state.get(_KEYS, ()))


def write_address() -> None:
    """Write the view to the address; called last in a run."""
    arrived = arrival()
    if arrived.pages:
        with st.sidebar:
            search = urlencode(parameters(), doseq=True)
            replace_address(arrived.page, list(arrived.pages), search)


def stop_page(message: str = "") -> NoReturn:
    """Show a message, if any, write the address, and end the run of the page here."""
    if message:
        st.info(message, icon=":material/info:")
    write_address()
    st.stop()
