"""Opening a session file: everything set as it was, then on to its page.

Streamlit lets a widget be set before it is drawn only, and an address be set only where no widget
that is on the page stands in it. So the session is set up in a callback, before anything is drawn,
and left for its page once the sidebar has been.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from nestviz.data import SAMPLES
from nestviz.resources import app_dir
from nestviz.ui import selection
from nestviz.ui.session_file import KINDS, Parameters, Session
from nestviz.ui.state import DATA_KEY, bring_back

_NEXT = "session_next"
WORDS = (DATA_KEY, "show", "from", "kind")
"""Keys of the sidebar and the Data page, whose widgets are drawn already: values are words,"""
NUMBERS = ("seed", "most")
"""or whole numbers,"""
SWITCHES = ("standardise",)
"""or yes and no."""


def begin(session: Session, page: str) -> None:
    """Set everything up as the session has it; for use as a callback.

    Parameters
    ----------
    session : Session
        From a file that was checked.
    page : str
        File of the page to go on with.
    """
    for key in [key for key, value in st.session_state.items() if _simple(value)]:
        del st.session_state[key]
    if session.dataset is not None:
        bring_back(session.dataset, session.origin)
    selection.bring_back(session.fingerprint, session.points, session.branch)
    for kind in KINDS:
        if kind in session.levels:
            selection.keep_level_share(kind, session.levels[kind])
    drawn, rest = split(session.parameters)
    st.session_state.update(drawn)
    st.session_state[_NEXT] = page, rest


def follow() -> None:
    """Go on to the page of a session that was just opened; call after the sidebar was drawn."""
    if _NEXT in st.session_state:
        page, parameters = st.session_state.pop(_NEXT)
        st.switch_page(app_dir() / page, query_params=parameters)


def split(parameters: Parameters) -> tuple[dict[str, Any], Parameters]:
    """Values of widgets that are drawn on every page, and the parameters of all others.

    A value that its widget could not take is left out.
    """
    drawn: dict[str, Any] = {}
    rest: Parameters = {}
    options = {f"{s.name}.{o.name}": o for s in SAMPLES.values() for o in s.options}
    for name, values in parameters.items():
        text = values[-1] if values else ""
        if name in WORDS:
            drawn[name] = text
        elif name in SWITCHES:
            drawn[name] = text.lower() == "true"
        elif name in NUMBERS or name in options:
            number = _number(text)
            if number is not None:
                whole = name in NUMBERS or options[name].whole
                drawn[name] = int(number) if whole else number
        else:
            rest[name] = values
    return drawn, rest


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _simple(value: Any) -> bool:
    """Whether a value is a setting, and not data, a selection or a file."""
    if isinstance(value, (list, tuple)):
        return all(_simple(part) for part in value)
    return value is None or isinstance(value, (bool, int, float, str))
