"""What a page does to let its player ask.

    live = offer("one_class", build)

in every run of the page. ``build(question)`` returns the bytes of a scene. It runs in a thread
without a session: take from ``st.session_state`` in the page's run what it needs.
"""

from __future__ import annotations

import secrets
import weakref

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from nestviz.ui.live.question import Build, LiveQuestion
from nestviz.ui.live.registry import REGISTRY, Registry
from nestviz.ui.results.jobs import is_connected

__all__ = ["LiveQuestion", "offer"]

_TICKET = "live_ticket"


class _Ticket:
    """The token of a session; when it is deleted with the session, its builds are dropped."""

    def __init__(self, registry: Registry) -> None:
        self.token = secrets.token_urlsafe(32)
        weakref.finalize(self, registry.drop, self.token)


def offer(key: str, build: Build, registry: Registry = REGISTRY) -> dict[str, str] | None:
    """Let a player ask for other values of its controls, without a rerun.

    Parameters
    ----------
    key : str
        The player's key, unique in the session. The newest build of a key counts.
    build : callable
        Called as ``build(question)`` with a `LiveQuestion`; returns bytes. It may raise
        `nestviz.data.DataError`, whose sentence the player shows, and should return early where
        ``question.stopped()`` is true.
    registry : Registry, optional
        Another one than that of this server; for tests.

    Returns
    -------
    dict or None
        ``url``, ``token`` and ``player`` for the header of the scene; None where nothing answers,
        as under ``streamlit run``.
    """
    if registry.url is None or get_script_run_ctx() is None:
        return None
    if _TICKET not in st.session_state:
        st.session_state[_TICKET] = _Ticket(registry)
    ticket: _Ticket = st.session_state[_TICKET]
    registry.put(ticket.token, key, build, is_connected())
    return {"url": registry.url, "token": ticket.token, "player": key}
