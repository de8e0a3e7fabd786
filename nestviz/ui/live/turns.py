"""Turns at computing, waited for in an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable

from nestviz.ui.results.turns import Ticket, Turns


async def take(turns: Turns, session: Hashable) -> Ticket:
    """Wait for a turn; ``leave`` of the ticket gives it back.

    Parameters
    ----------
    turns : Turns
        The turns, which threads may share.
    session : hashable
        Whose request this is.

    Returns
    -------
    Ticket
    """
    loop = asyncio.get_running_loop()
    come = asyncio.Event()

    def granted() -> None:
        loop.call_soon_threadsafe(come.set)

    ticket = turns.join(session, granted)
    try:
        if not ticket.has_turn:
            await come.wait()
    except BaseException:
        ticket.leave()
        raise
    return ticket
