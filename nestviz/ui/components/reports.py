"""What components report from the browser."""

from typing import Any

import streamlit as st


def reported(key: str, name: str) -> Any:
    """Return what a component has just reported under a name, or None.

    Parameters
    ----------
    key : str
        Key of the component.
    name : str
        Name of the value.

    Returns
    -------
    object or None
    """
    return (st.session_state.get(key) or {}).get(name)


def do_nothing() -> None:
    """Declare a value of a component: Streamlit only accepts those that have a callback."""
