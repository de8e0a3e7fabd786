"""What a session remembers beside its widgets: the user's own data and where they came from."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nestviz.data import Dataset

MINE = "mine"
"""The entry of the data list that stands for the user's own points."""

DATA_KEY = "data"
LINK_VERSION = 1
"""Version of the names and meanings of URL parameters, in links as ``v``."""
_NEXT = "next_data"


@dataclass(frozen=True)
class OwnData:
    """Data that a user brought along."""

    dataset: Dataset
    origin: str


def own_data() -> OwnData | None:
    """The user's own data, if there are any."""
    found: OwnData | None = st.session_state.get("own_data")
    return found


def use_own_data(dataset: Dataset, origin: str) -> None:
    """Keep a user's data for this session and make them the current data of all pages.

    Data that are kept already stay as they are: a user who has since turned to a sample is not
    pulled back.
    """
    known = own_data()
    if known is not None and known.dataset == dataset and known.origin == origin:
        return
    st.session_state["own_data"] = OwnData(dataset, origin)
    # The data list in the sidebar is drawn already, and may only be set before it is.
    st.session_state[_NEXT] = MINE
    st.rerun()


def bring_back(dataset: Dataset, origin: str) -> None:
    """Take over the own data of a session file; the page that is opened next shows them."""
    st.session_state["own_data"] = OwnData(dataset, origin)
    st.session_state[_NEXT] = MINE


def choose(name: str) -> None:
    """Make a sample, or the user's own data, the current data; for use in callbacks."""
    st.session_state[DATA_KEY] = name


def apply_next_choice() -> None:
    """Carry out a choice that was made after the data list was drawn; call before drawing it."""
    if _NEXT in st.session_state:
        choose(st.session_state.pop(_NEXT))
