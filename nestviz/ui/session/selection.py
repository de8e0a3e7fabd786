"""The selection: points, branch and level, one per session, shown on every page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import streamlit as st

from nestviz.data import Dataset
from nestviz.ui.compute.methods import Kind
from nestviz.ui.session.view import arrival, change, put, view
from nestviz.ui.session.view_state import Selection


def selection(data: Dataset) -> Selection:
    """Return the selection of these data; empty, if it belongs to other data."""
    found = view().selection
    if found.fingerprint != data.fingerprint or max(found.points, default=0) >= data.n:
        return Selection(data.fingerprint)
    return found


def select(data: Dataset, points: Iterable[Any], branch: int | None = None) -> None:
    """Select points in place of the current selection, ignoring invalid rows; for callbacks."""
    numbers = (listed_number(point) for point in points)
    rows = dict.fromkeys(row for row in numbers if row is not None and row < data.n)
    change(selection=replace(selection(data), points=tuple(rows), branch=branch))


def clear(data: Dataset) -> None:
    """Select nothing."""
    select(data, ())


def drop() -> None:
    """Clear the selection, whatever the data."""
    change(selection=Selection())


def belongs_to(data: Dataset) -> None:
    """Match the point of a link to these data, if they have that many rows."""
    found = view().selection
    if found.points and not found.fingerprint:
        change(selection=Selection(data.fingerprint))
        select(data, found.points)


def listed_number(value: Any) -> int | None:
    """Return the number of a point or a branch from an entry of a list, or None.

    An entry that the list no longer has comes back as its text.
    """
    if isinstance(value, str):
        digits = re.match(r"[^\d−-]{0,20}(\d{1,9})(?!\d)", value)
        return int(digits[1]) if digits else None
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if number >= 0 else None


def level_share(kind: Kind) -> float | None:
    """Return the level last shown: a share of the largest level λ, or a cost asymmetry."""
    return view().one_class_share if kind == "one class" else view().two_class_share


def keep_level_share(kind: Kind, share: float, shown_by: str | None = None) -> None:
    """Keep the level shown, so that the next page starts from it.

    ``shown_by`` is the key of the control that shows it, if `follow_level` sets it.
    """
    kept = min(max(float(share), 0.0), 1.0)
    if kind == "one class":
        change(one_class_share=kept)
    else:
        change(two_class_share=kept)
    if shown_by is not None:
        st.session_state[f"{shown_by}:shown"] = arrival().number, kept


def follow_level(
    key: str, kind: Kind, on_scale: Callable[[float], float], tolerance: float = 0.0
) -> None:
    """Set a control to the level last shown on another page.

    On arrival, a level in the address has priority. Call before the control is drawn, and
    `keep_level_share` after. ``on_scale`` rounds a share to the steps of the control; changes below
    the tolerance are roundings of the other page.
    """
    linked, arrived = level_share(kind), arrival()
    visit, shown = st.session_state.get(f"{key}:shown", (None, None))
    if linked is None or (visit != arrived.number and arrived.asked[key] is not None):
        return
    if shown is None or abs(linked - shown) > tolerance:
        put({key: on_scale(linked)})
