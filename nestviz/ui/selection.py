"""What is selected: one choice of points, branch and level per session, shown on every page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

import streamlit as st

from nestviz.data import Dataset

Kind = Literal["one class", "two classes"]
_KEY = "selection"


@dataclass(frozen=True)
class Selection:
    """A choice that belongs to one data set.

    Attributes
    ----------
    points : tuple of int
        Rows of the data; the first is the one that details are shown of.
    branch : int or None
        The branch of the cluster tree that the points were taken from.
    """

    fingerprint: str
    points: tuple[int, ...] = ()
    branch: int | None = None

    @property
    def point(self) -> int | None:
        """The point that details are shown of."""
        return self.points[0] if self.points else None


def selection(data: Dataset) -> Selection:
    """What is selected of these data; nothing, where the choice was made on other data."""
    found: Selection | None = st.session_state.get(_KEY)
    if found is None or found.fingerprint != data.fingerprint:
        return Selection(data.fingerprint)
    if max(found.points, default=0) >= data.n:
        return Selection(data.fingerprint)
    return found


def select(data: Dataset, points: Iterable[int], branch: int | None = None) -> None:
    """Select points of these data in place of what was selected; for use in callbacks."""
    rows = tuple(dict.fromkeys(int(row) for row in points if 0 <= int(row) < data.n))
    st.session_state[_KEY] = replace(selection(data), points=rows, branch=branch)


def bring_back(fingerprint: str, points: tuple[int, ...], branch: int | None) -> None:
    """Take over the selection of a session file; rows that the data do not have are not shown."""
    st.session_state[_KEY] = Selection(fingerprint, points, branch)


def clear(data: Dataset) -> None:
    """Select nothing."""
    select(data, ())


def level_share(kind: Kind) -> float | None:
    """The level last looked at: a share of the largest level λ, or a cost asymmetry."""
    share: float | None = st.session_state.get(f"{_KEY}:{kind}")
    return share


def keep_level_share(kind: Kind, share: float) -> None:
    """Remember the level looked at, so that the next page starts from it."""
    st.session_state[f"{_KEY}:{kind}"] = min(max(float(share), 0.0), 1.0)


def take_from_link(data: Dataset) -> None:
    """Select the point that the link names; once, when the session begins."""
    if st.session_state.get("point:asked"):
        return
    st.session_state["point:asked"] = True
    asked = st.query_params.get("point", "")
    if asked.isdecimal() and int(asked) < data.n and selection(data).point is None:
        select(data, [int(asked)])


def keep_in_link(data: Dataset) -> None:
    """Name the selected point in the link, as ``point``."""
    chosen = selection(data).point
    if chosen is not None:
        st.query_params["point"] = str(chosen)
    elif "point" in st.query_params:
        del st.query_params["point"]
