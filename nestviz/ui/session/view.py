"""The view of the running session, and its address.

The record is the single source of truth. Controls show its values and change them; code changes it
by `change`, at any time. The address is read on arrival at a page, by a link or by Back and
Forward, and otherwise only written.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NoReturn
from urllib.parse import urlencode

import streamlit as st

from nestviz.resources import app_dir
from nestviz.ui.components.address import replace_address
from nestviz.ui.session.view_state import RULES, Address, View, encode, read_address

_VIEW, _KEYS, _ARRIVAL = "view", "view:keys", "view:arrival"
_ASKED, _PAGE, _NOTICE = "view:asked", "view:page", "view:notice"
MOST_NAMED = 6
"""Keys of a link that are named where their values could not be used."""


@dataclass(frozen=True)
class Arrival:
    """An arrival at a page: its number, the addresses of the page and of all pages, the view that
    the address asked for (empty, if the menu led there), and the keys with unusable values."""

    number: int
    page: str
    pages: tuple[str, ...]
    asked: View
    unusable: tuple[str, ...] = ()


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


def open_page(file: str, asked: View | None = None, unusable: tuple[str, ...] = ()) -> None:
    """Open the page of a file in the next run; for callbacks.

    ``asked`` replaces the view; ``unusable`` are keys whose values could not be read.
    """
    st.session_state[_PAGE] = file
    if asked is not None:
        st.session_state[_VIEW] = asked
        st.session_state[_ASKED] = asked, unusable


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
    if _ASKED in st.session_state:
        asked, unusable = st.session_state.pop(_ASKED)
    else:
        given = _address()
        asked, unusable = given.over(View()), given.unusable
        st.session_state[_VIEW] = given.over(view())
    number = 0 if last is None else last.number + 1
    st.session_state[_ARRIVAL] = Arrival(number, page, pages, asked, unusable)


def _address() -> Address:
    """Return what the address of the browser asks for."""
    given = st.query_params
    return read_address({key: given.get_all(key) for key in RULES if key in given})


def refuse(key: str) -> None:
    """Restore the default of a key whose value in the address its control does not have."""
    arrived = arrival()
    if key not in arrived.unusable:
        asked = arrived.asked.with_values({key: None})
        st.session_state[_ARRIVAL] = replace(
            arrived, asked=asked, unusable=(*arrived.unusable, key)
        )
    put({key: None})


def take(key: str, value: Any) -> None:
    """Change the value of a key as a user asks; its value in the address no longer matters."""
    arrived = arrival()
    if key in arrived.unusable:
        others = tuple(name for name in arrived.unusable if name != key)
        st.session_state[_ARRIVAL] = replace(arrived, unusable=others)
    put({key: value})


def arrival() -> Arrival:
    """Return the arrival at the current page."""
    found: Arrival = st.session_state.get(_ARRIVAL, Arrival(0, "", (), View()))
    return found


def reserve_notice() -> None:
    """Leave a gap in the page for a sentence about values of the link that are not used.

    Some are found by the controls of the page, so the sentence is written last.
    """
    found = arrival()
    by_link = found.unusable or found.asked != View()
    st.session_state[_NOTICE] = st.empty() if by_link else None


def _write_notice() -> None:
    gap, keys = st.session_state.get(_NOTICE), arrival().unusable
    if gap is None or not keys:
        return
    names = ", ".join(f"`{key}`" for key in keys[:MOST_NAMED])
    more = f" and {len(keys) - MOST_NAMED} more" if len(keys) > MOST_NAMED else ""
    words = "One value of the link could not be used and has its default"
    if len(keys) > 1:
        words = f"{len(keys)} values of the link could not be used and have their defaults"
    gap.info(f"{words}: {names}{more}.", icon=":material/link_off:")


def name_in_address(key: str) -> None:
    """Include a key in the address of the current page."""
    keys: list[str] = st.session_state.setdefault(_KEYS, [])
    keys.append(key)


def parameters() -> dict[str, list[str]]:
    """Return the parameters of the address of the current page."""
    return encode(view(), st.session_state.get(_KEYS, ()))


def write_address() -> None:
    """Write the view to the address, and what could not be read; called last in a run."""
    _write_notice()
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
