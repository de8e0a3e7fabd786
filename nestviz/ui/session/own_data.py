"""What a session remembers beside its view: the user's own data and where they came from."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nestviz.data import Dataset
from nestviz.ui.session.view import change, view
from nestviz.ui.session.view_state import MINE

DATA_KEY = "data"


@dataclass(frozen=True)
class OwnData:
    """Data that a user brought along."""

    dataset: Dataset
    origin: str


def own_data() -> OwnData | None:
    """The user's own data, if there are any."""
    found: OwnData | None = st.session_state.get("own_data")
    return found


def own_data_missing() -> bool:
    """Whether the view is of own data that this session does not have."""
    return view().data == MINE and own_data() is None


def use_own_data(dataset: Dataset, origin: str) -> None:
    """Keep a user's data for this session and make them the current data of all pages.

    Data that are kept already stay as they are: a user who has since turned to a sample is not
    pulled back.
    """
    known = own_data()
    if known is not None and known.dataset == dataset and known.origin == origin:
        return
    bring_back(dataset, origin)
    st.rerun()


def bring_back(dataset: Dataset, origin: str) -> None:
    """Keep a user's data and show them from the next run on; for use in callbacks."""
    st.session_state["own_data"] = OwnData(dataset, origin)
    choose(MINE)


def choose(name: str) -> None:
    """Make a sample, or the user's own data, the current data; for use in callbacks."""
    change(data=name)
