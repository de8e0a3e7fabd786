"""Turns at computing, shared fairly by sessions."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Hashable


class Turns:
    """A bounded number of turns, given to waiting sessions in rotation.

    Ten requests of one session then delay the request of another by one turn, not by ten. Use it
    from one event loop.

    Parameters
    ----------
    count : int
        Largest number of turns taken at once.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[None]]] = OrderedDict()

    async def take(self, session: Hashable) -> None:
        """Wait for a turn; `release` gives it back."""
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(session, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # given in the same moment
                self.release()
            raise

    def release(self) -> None:
        """Give a turn to the next session that waits."""
        while self._waiting:
            session, line = self._waiting.popitem(last=False)
            turn = line.popleft()
            if line:
                self._waiting[session] = line
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
