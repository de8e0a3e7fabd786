"""Sessions whose browser is gone, kept for a short time in case it comes back.

Streamlit's own storage drops such a session only when the next one is stored, and the objects of a
session refer to each other, so that they stay until a full garbage collection.
"""

from __future__ import annotations

import gc
import math
import time
import weakref
from collections.abc import Callable
from typing import Any

from streamlit.runtime import memory_session_storage
from streamlit.runtime.session_manager import SessionInfo, SessionStorage

from nestviz.ui.live import memory
from nestviz.ui.session.own_data import OWN_DATA

MOST = 128
"""Sessions kept at most; the oldest are dropped first."""
COLLECTED_SECONDS, LONGEST_SECONDS = 10.0, 300.0
"""Sweeps collect garbage for this long after a session has ended, and for as long as its data are
still there: a last run or answer of the session may end later than it, much later where
the machine is busy."""
_STATES = ("_session_state", "_fragment_storage")
"""What refers to the data of a session; clearing the state would leave its callbacks."""


class DisconnectedSessions(SessionStorage):
    """Storage of disconnected sessions that `sweep` really ends.

    Use it from one event loop.

    Parameters
    ----------
    maxsize : int
        Largest number of sessions.
    ttl_seconds : float
        How long a browser may take to come back.
    clock : callable, optional
        Returns the time in seconds.
    """

    newest: DisconnectedSessions | None = None
    """The storage of the server of this process."""

    def __init__(
        self,
        maxsize: int = MOST,
        ttl_seconds: float = 15.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most = maxsize
        self.seconds = ttl_seconds
        self._clock = clock
        self._kept: dict[str, tuple[SessionInfo, float]] = {}
        self._ended = -math.inf
        self._left: list[weakref.ref[Any]] = []
        DisconnectedSessions.newest = self

    def get(self, session_id: str) -> SessionInfo | None:
        """Return a session that can be resumed."""
        found, since = self._kept.get(session_id, (None, 0.0))
        return None if self._clock() - since > self.seconds else found

    def save(self, session_info: SessionInfo) -> None:
        """Keep a session whose browser is gone."""
        self._kept[session_info.session.id] = session_info, self._clock()
        while len(self._kept) > self._most:
            self._end(next(iter(self._kept)))

    def delete(self, session_id: str) -> None:
        """Forget a session, which goes on elsewhere."""
        self._kept.pop(session_id, None)

    def list(self) -> list[SessionInfo]:
        """Return all sessions that are kept."""
        return [info for info, _ in self._kept.values()]

    def sweep(self) -> int:
        """End the sessions whose time is over; return how many.

        Ending a session drops its uploads and downloads. The collection then finds its state, and
        with it its own data and their results.
        """
        now = self._clock()
        over = [name for name, (_, since) in self._kept.items() if now - since > self.seconds]
        for name in over:
            self._end(name)
        if over:
            self._ended = now
        self._left = [one for one in self._left if one() is not None]
        wait = LONGEST_SECONDS if self._left else COLLECTED_SECONDS
        if now - self._ended <= wait:
            gc.collect()
            memory.trim()
        return len(over)

    def _end(self, session_id: str) -> None:
        info, _ = self._kept.pop(session_id)
        self._left += _belongings(info.session)
        info.session.shutdown()
        # Streamlit's loop refers to the session that it served last until it serves another.
        for name in _STATES:
            setattr(info.session, name, type(getattr(info.session, name))())
        info.session.flush_browser_queue()


def _belongings(session: object) -> list[weakref.ref[Any]]:
    """Return references to what must be gone soon after a session: its fragments and own data."""
    state, fragments = (getattr(session, name) for name in _STATES)
    own = state[OWN_DATA].dataset if OWN_DATA in state else None
    return [weakref.ref(one) for one in (fragments, own) if one is not None]


def install() -> None:
    """Let Streamlit keep disconnected sessions here; before it creates its runtime."""
    memory.limit_arenas()
    vars(memory_session_storage)["MemorySessionStorage"] = DisconnectedSessions


def sweep() -> None:
    """End the sessions of this process whose time is over."""
    if DisconnectedSessions.newest is not None:
        DisconnectedSessions.newest.sweep()
