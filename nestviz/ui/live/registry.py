"""Which token reaches which players.

Tokens are kept as hashes: a lookup takes the same time whatever part of a token is right.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from nestviz.ui.live.question import Build, RefusalError

PLAYERS_KEPT = 16
"""Players of a session whose builds are kept; those of pages left behind are dropped first."""
AT_ONCE = 2
RATE, BURST = 40.0, 60.0
"""Questions a second, and the number that may come at once."""
GONE_SECONDS = 20.0
"""A session that is disconnected for longer is dropped; its next run registers it again."""

NOT_FOUND, TOO_MANY = 404, 429
_UNKNOWN = "This picture is no longer connected to its session. Reload the page to go on."


class LiveSession:
    """The players of one session, and the limits on its questions."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.players: OrderedDict[str, Build] = OrderedDict()
        self.alive: Callable[[], bool] = lambda: True
        self.gone_since: float | None = None
        self._clock = clock
        self._open = 0
        self._allowed, self._counted = BURST, clock()

    @contextmanager
    def question(self) -> Iterator[None]:
        """Count a question while it is open.

        Raises
        ------
        RefusalError
            If too many are open, or came within a short time.
        """
        now = self._clock()
        self._allowed = min(BURST, self._allowed + (now - self._counted) * RATE)
        self._counted = now
        if self._allowed < 1:
            raise RefusalError(
                TOO_MANY, f"This session asks more than {RATE:.0f} questions a second."
            )
        self._allowed -= 1
        if self._open >= AT_ONCE:
            raise RefusalError(TOO_MANY, f"This session has {AT_ONCE} open questions already.")
        self._open += 1
        try:
            yield
        finally:
            self._open -= 1


class Registry:
    """Thread-safe table of the sessions that can be asked.

    Parameters
    ----------
    clock : callable, optional
        Returns the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.url: str | None = None
        """Where questions are answered, relative to the app; None if nowhere."""
        self._clock = clock
        self._sessions: dict[bytes, LiveSession] = {}
        # A session may be finalized by the garbage collector while this thread has the lock.
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._sessions)

    def put(
        self, token: str, player: str, build: Build, alive: Callable[[], bool] = lambda: True
    ) -> None:
        """Register the newest build of a player.

        Parameters
        ----------
        token : str
            The secret of the session.
        player : str
            The player's key, unique in its session.
        build : callable
            Answers the player's questions.
        alive : callable, optional
            Returns whether the browser of the session is connected; thread-safe.
        """
        with self._lock:
            session = self._sessions.setdefault(_hash(token), LiveSession(self._clock))
            session.alive, session.gone_since = alive, None
            session.players[player] = build
            session.players.move_to_end(player)
            while len(session.players) > PLAYERS_KEPT:
                session.players.popitem(last=False)

    def find(self, token: str, player: str) -> tuple[LiveSession, Build]:
        """Return a session and the build of one of its players.

        Raises
        ------
        RefusalError
            If the session has ended or is disconnected, or has no such player; which of these is
            not said.
        """
        with self._lock:
            session = self._sessions.get(_hash(token))
            build = None if session is None else session.players.get(player)
        if session is None or build is None or not session.alive():
            raise RefusalError(NOT_FOUND, _UNKNOWN)
        return session, build

    def drop(self, token: str) -> None:
        """Drop a session and its builds."""
        with self._lock:
            self._sessions.pop(_hash(token), None)

    def sweep(self) -> None:
        """Drop the sessions that have been disconnected for long."""
        now = self._clock()
        with self._lock:
            for key, session in list(self._sessions.items()):
                if session.alive():
                    session.gone_since = None
                elif session.gone_since is None:
                    session.gone_since = now
                elif now - session.gone_since > GONE_SECONDS:
                    self._sessions.pop(key, None)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


REGISTRY = Registry()
"""The sessions of this server."""
