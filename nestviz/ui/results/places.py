"""How many sessions the server accepts, and which."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from nestviz.ui.results.jobs import is_connected
from nestviz.ui.results.worker.runner import usable_cores

PER_CORE = 25
MEGABYTES = 40
"""Memory reckoned for a session, with its share of the cached results."""
_PLACE = "place"


class Places:
    """The sessions that are served, up to a limit; thread-safe.

    Disconnected sessions do not count, so that a reloaded tab finds its place free. A session that
    was served and comes back is served in any case.

    Parameters
    ----------
    limit : int
        Largest number of connected sessions.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._served: dict[str, Callable[[], bool]] = {}
        # A session may be finalized by the garbage collector while this thread has the lock.
        self._lock = threading.RLock()

    @property
    def taken(self) -> int:
        """Number of connected sessions that are served."""
        with self._lock:
            return sum(connected() for connected in self._served.values())

    def admit(self, session: str, connected: Callable[[], bool]) -> bool:
        """Return whether a session is served: it was before, or there is a place."""
        with self._lock:
            if session not in self._served and self.taken >= self.limit:
                return False
            self._served[session] = connected
            return True

    def drop(self, session: str) -> None:
        """Forget a session that has ended."""
        with self._lock:
            self._served.pop(session, None)


class _Place:
    """The place of a session; given up when it is deleted with the session."""

    def __init__(self, places: Places, session: str) -> None:
        weakref.finalize(self, places.drop, session)


def default_limit() -> int:
    """Return how many sessions this machine can serve: 25 for each core, if memory allows."""
    return max(1, min(PER_CORE * usable_cores(), int(memory_megabytes() / MEGABYTES)))


def memory_megabytes() -> float:
    """Return the memory of this machine, or of its container."""
    found = [float("inf")]
    if hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e6)
    container = Path("/sys/fs/cgroup/memory.max")
    text = container.read_text().strip() if container.exists() else "max"
    return min(*found, int(text) / 1e6 if text.isdecimal() else found[0])


PLACES = Places(default_limit())
"""The sessions of this server."""


def is_admitted(places: Places | None = None) -> bool:
    """Return whether the session of this run is served."""
    places = PLACES if places is None else places
    context = get_script_run_ctx()
    if context is None or not places.admit(context.session_id, is_connected()):
        return context is None
    if _PLACE not in st.session_state:
        st.session_state[_PLACE] = _Place(places, context.session_id)
    return True
