"""Turns at a bounded resource, shared fairly by sessions; thread-safe, without Streamlit."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable


def do_nothing() -> None:
    """Ignore that a turn has come."""


class Ticket:
    """A request for one turn; made by `Turns.join`."""

    def __init__(self, turns: Turns, session: Hashable, granted: Callable[[], None]) -> None:
        self.session = session
        self.granted = granted
        self.since = math.nan
        self._turns = turns
        self._has_turn = threading.Event()

    @property
    def has_turn(self) -> bool:
        """Whether the turn has come."""
        return self._has_turn.is_set()

    @property
    def ahead(self) -> int:
        """Number of requests that get their turn before this one."""
        return self._turns.ahead_of(self)

    def wait(self, seconds: float) -> bool:
        """Wait for the turn at most so long; return whether it has come."""
        if not self._has_turn.wait(seconds):
            self._turns.advance()
        return self.has_turn

    def leave(self) -> None:
        """Give the turn back, or leave the queue; a second call has no effect."""
        self._turns.leave(self)

    def _grant(self, now: float) -> None:
        self.since = now
        self._has_turn.set()


class Turns:
    """A bounded number of turns, given to waiting sessions in rotation.

    Ten requests of one session then delay the request of another by one turn, not by ten.

    Parameters
    ----------
    count : int
        Largest number of turns taken at once.
    lapse : float, optional
        Turns that are held for more seconds than this no longer count. What blocks while it has a
        turn then cannot hold up the others.
    clock : callable, optional
        Returns the time in seconds.
    """

    def __init__(
        self,
        count: int,
        lapse: float = math.inf,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.count = count
        self._lapse = lapse
        self._clock = clock
        self._taken: set[Ticket] = set()
        self._waiting: OrderedDict[Hashable, deque[Ticket]] = OrderedDict()
        # A ticket may be given back by the garbage collector while this thread has the lock.
        self._lock = threading.RLock()

    def __len__(self) -> int:
        """Return the number of requests that wait."""
        with self._lock:
            return sum(map(len, self._waiting.values()))

    @property
    def taken(self) -> int:
        """Number of turns that are taken and count."""
        with self._lock:
            return self.count - self._free(self._clock())

    def join(self, session: Hashable, granted: Callable[[], None] = do_nothing) -> Ticket:
        """Ask for a turn.

        Parameters
        ----------
        session : hashable
            Whose request this is.
        granted : callable, optional
            Called, in any thread, when the turn comes.

        Returns
        -------
        Ticket
        """
        ticket = Ticket(self, session, granted)
        with self._lock:
            self._waiting.setdefault(session, deque()).append(ticket)
        self.advance()
        return ticket

    def take_free(self, session: Hashable, most: int) -> list[Ticket]:
        """Take up to so many turns that nobody waits for; possibly none."""
        with self._lock:
            free = 0 if self._waiting else self._free(self._clock())
            return [self.join(session) for _ in range(min(most, free))]

    def advance(self) -> None:
        """Give the free turns to those who wait."""
        granted = []
        with self._lock:
            now = self._clock()
            while self._waiting and self._free(now) > 0:
                session, line = self._waiting.popitem(last=False)
                ticket = line.popleft()
                if line:
                    self._waiting[session] = line
                self._taken.add(ticket)
                ticket._grant(now)
                granted.append(ticket)
        for ticket in granted:
            ticket.granted()

    def leave(self, ticket: Ticket) -> None:
        """Take a ticket out of the queue, or its turn back."""
        with self._lock:
            self._taken.discard(ticket)
            line = self._waiting.get(ticket.session)
            if line is not None and ticket in line:
                line.remove(ticket)
                if not line:
                    del self._waiting[ticket.session]
        self.advance()

    def ahead_of(self, ticket: Ticket) -> int:
        """Return how many requests get their turn before this one."""
        with self._lock:
            line = self._waiting.get(ticket.session, deque())
            if ticket not in line:
                return 0
            place, before, total = line.index(ticket), True, 0
            for session, others in self._waiting.items():
                if session == ticket.session:
                    before = False
                    total += place
                else:  # in each round of the rotation one request of every session
                    total += min(len(others), place + before)
            return total

    def _free(self, now: float) -> int:
        return self.count - sum(now - ticket.since <= self._lapse for ticket in self._taken)
