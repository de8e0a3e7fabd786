"""The user's own data in the session."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from nestviz.data import Dataset
from nestviz.ui.session.view import change, view
from nestviz.ui.session.view_state import MINE

DATA_KEY = "data"
OWN_DATA = "own_data"
"""Key of the own data in the session's state."""

RANKED_NEXT = "own_data:ranked_next"
"""Set while the Outliers page should choose settings for new data: the data before, if any."""


@dataclass(frozen=True)
class OwnData:
    """A user's data, and where they came from."""

    dataset: Dataset
    origin: str


def own_data() -> OwnData | None:
    """Return the user's own data, if any."""
    found: OwnData | None = st.session_state.get(OWN_DATA)
    return found


def own_data_missing() -> bool:
    """Return whether the view shows own data that this session does not have."""
    return view().data == MINE and own_data() is None


def rank_next(before: Dataset | None = None) -> None:
    """Have the Outliers page choose settings for own data other than ``before``."""
    st.session_state[RANKED_NEXT] = before


def new_to_rank() -> Dataset | None:
    """Return own data for which the Outliers page should choose settings, if any."""
    known = own_data()
    if known is None or RANKED_NEXT not in st.session_state:
        return None
    return None if known.dataset == st.session_state[RANKED_NEXT] else known.dataset


def use_own_data(dataset: Dataset, origin: str) -> None:
    """Keep a user's data in the session and use them on all pages.

    Data that are kept already are ignored: the user may have chosen a sample since.
    """
    known = own_data()
    if known is not None and known.dataset == dataset and known.origin == origin:
        return
    bring_back(dataset, origin)
    st.rerun()


def bring_back(dataset: Dataset, origin: str) -> None:
    """Keep a user's data and use them from the next run on; for callbacks."""
    st.session_state[OWN_DATA] = OwnData(dataset, origin)
    choose(MINE)


def choose(name: str) -> None:
    """Use a sample, or the user's own data, on all pages; for callbacks."""
    change(data=name)
