"""What a session remembers beside its widgets: the user's own data and where they came from."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nestviz.data import Dataset

MINE = "mine"
"""The entry of the data list that stands for the user's own points."""

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


def keep_own_data(dataset: Dataset, origin: str) -> bool:
    """Keep a user's data for this session; True when they are other data than before."""
    known = own_data()
    if known is not None and known.dataset == dataset and known.origin == origin:
        return False
    st.session_state["own_data"] = OwnData(dataset, origin)
    return True


def choose(name: str) -> None:
    """Make a sample, or the user's own data, the current data; for use in callbacks."""
    st.session_state[DATA_KEY] = name
