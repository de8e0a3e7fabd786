"""What components report from the browser."""

from typing import TypeVar

import streamlit as st

from nestviz.ui.decoding import Decoder, several, whole

T = TypeVar("T")


def reported(key: str, name: str, decode: Decoder[T]) -> T | None:
    """Return what a component has just reported under a name.

    Parameters
    ----------
    key : str
        Key of the component.
    name : str
        Name of the value.
    decode : callable
        Returns the value in its type, or None where it is not one: a report may be of a page that
        showed other data, or of no page at all.

    Returns
    -------
    object or None
        None if nothing was reported, or nothing sound.
    """
    value = (st.session_state.get(key) or {}).get(name)
    return None if value is None else decode(value)


def rows_of(count: int) -> Decoder[tuple[int, ...]]:
    """Return the decoder of a list of rows of a table, or of points."""
    return several(whole(0, count - 1), count)


def do_nothing() -> None:
    """Declare a value of a component: Streamlit only accepts those that have a callback."""
