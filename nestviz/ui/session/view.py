"""The view of the running session: what it shows, where it came from, and its address.

The record is the only truth. A control shows what it says and changes it when a user does; code
changes it by `change`, at any time. The address is read when a page is arrived at, by a link or by
Back and Forward, and otherwise only written.
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
    """How the page in view was arrived at.

    Attributes
    ----------
    number : int
        Counts arrivals.
    page : str
        Address of the page.
    pages : tuple of str
        Addresses of all pages.
    asked : View
        What the address asked for; nothing, where the menu led here.
    """

    number: int
    page: str
    pages: tuple[str, ...]
    asked: View


def view() -> View:
    """Return what the session shows."""
    found: View = st.session_state.get(_VIEW, View())
    return found


def change(**values: Any) -> None:
    """Change the values of some keys; None brings back the page's default."""
    put(values)


def put(values: dict[str, Any]) -> None:
    """Change the values of some keys, as `change` does, for keys that are no Python names."""
    st.session_state[_VIEW] = view().with_values(values)


def open_page(file: str, asked: View | None = None) -> None:
    """Go on to a page with the next run; for use in callbacks.

    Parameters
    ----------
    file : str
        Of the page, such as ``"pages/start/data.py"``.
    asked : View, optional
        What to show there, in place of all that is shown now.
    """
    st.session_state[_PAGE] = file
    if asked is not None:
        st.session_state[_VIEW] = st.session_state[_ASKED] = asked


def follow() -> None:
    """Go where `open_page` led; the first thing in a run, after the menu."""
    if _PAGE in st.session_state:
        st.switch_page(app_dir() / st.session_state.pop(_PAGE))


def arrive(page: str, pages: tuple[str, ...] = ()) -> None:
    """Take over what the address asks for, if another page was in view before.

    A key that the address does not have keeps its value: Streamlit's menu leads to addresses
    without any.
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
    """Return how the page in view was arrived at."""
    found: Arrival = st.session_state.get(_ARRIVAL, Arrival(0, "", (), View()))
    return found


def name_in_address(key: str) -> None:
    """Have a key written into the address of the page in view."""
    keys: list[str] = st.session_state.setdefault(_KEYS, [])
    keys.append(key)


def parameters() -> dict[str, list[str]]:
    """Return the parameters of the address: what the page in view shows."""
    return encode(view(), st.session_state.get(_KEYS, ()))


def write_address() -> None:
    """Write the view into the address; the last thing in a run."""
    arrived = arrival()
    if arrived.pages:
        with st.sidebar:
            search = urlencode(parameters(), doseq=True)
            replace_address(arrived.page, list(arrived.pages), search)


def stop_page() -> NoReturn:
    """End the page here: it waits for something, or asks for it. It has an address as well."""
    write_address()
    st.stop()
