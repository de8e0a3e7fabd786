"""Which work may run now: runs of pages, solves, and sessions.

Python runs one thread at a time. Many runs of pages at once delay each other, and the event loop
that sends their pictures, far more than one after the other would. So a few run at a time, and a
run that has to solve steps aside: solves wait for a free core, in an order that is fair to all
sessions, and pages whose results are cached never wait for them.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from nestviz.ui.results.turns import Ticket, Turns
from nestviz.ui.results.worker.runner import usable_cores

RUNS_AT_ONCE = 1
RUN_SECONDS = 0.15
"""A run that takes longer no longer keeps others waiting: it reads a file, or waits for a job."""
QUIET_SECONDS = 0.5
"""A page that waits longer for a core says so."""
POLL_SECONDS = 0.1
"""How often a waiting run looks whether it is still needed."""

WAY_SECONDS, PAUSE_SECONDS = 0.5, 0.02
"""How long a solve lets runs of pages go first, and how often it looks."""
SWITCH_SECONDS = 0.0005

SOLVES = Turns(usable_cores())
"""Turns at solving in this process, for pages, the route of the player and background searches."""
RUNS = Turns(RUNS_AT_ONCE, RUN_SECONDS)
"""Turns at running a page."""


class _Here(threading.local):
    """The turns that this thread has."""

    run: Ticket | None = None
    solve: Ticket | None = None


_here = _Here()


@contextmanager
def page_run() -> Iterator[None]:
    """Run a page when its turn comes; a run that is no longer needed leaves the queue."""
    _enter_run()
    try:
        yield
    finally:
        _leave_run()


@contextmanager
def aside() -> Iterator[None]:
    """Let the runs of other pages pass while this one blocks."""
    had_turn = _leave_run()
    yield
    if had_turn:  # not after an exception, which ends the run
        _enter_run()


@contextmanager
def solving() -> Iterator[None]:
    """Solve when a core is free; the page says so if that takes a while.

    Call it only for results that are not cached. Inside another solve it has no effect.
    """
    if _here.solve is not None:
        yield
        return
    with aside():
        _give_way()
        ticket = _here.solve = SOLVES.join(_session())
        try:
            _wait_in_words(ticket)
            yield
        finally:
            _here.solve = None
            ticket.leave()


def share_the_interpreter() -> None:
    """Let threads that compute give way sooner to the event loop.

    The loop gives up the interpreter at every message, and would wait 5 ms for it each time.
    """
    sys.setswitchinterval(SWITCH_SECONDS)


def waiting_words(ahead: int) -> str:
    """Return what a page says while it waits for a core."""
    if not ahead:
        return "Waiting for a free core: you are next"
    return f"Waiting for a free core: {ahead} other{'s' if ahead > 1 else ''} before you"


def _enter_run() -> None:
    ticket = RUNS.join(_session())
    try:
        while not ticket.wait(POLL_SECONDS):
            end_if_superseded()
    except BaseException:
        ticket.leave()
        raise
    _here.run = ticket


def _leave_run() -> bool:
    """Give the turn back; return whether there was one."""
    ticket, _here.run = _here.run, None
    if ticket is not None:
        ticket.leave()
    return ticket is not None


def _give_way() -> None:
    """Let runs of pages that wait go first, for a while: they are short, and may solve nothing."""
    end = time.monotonic() + WAY_SECONDS
    while len(RUNS) and time.monotonic() < end:
        time.sleep(PAUSE_SECONDS)
        end_if_superseded()


def _wait_in_words(ticket: Ticket) -> None:
    if _waited(ticket, QUIET_SECONDS):
        return
    while not ticket.has_turn:
        ahead = ticket.ahead
        with st.spinner(waiting_words(ahead)):
            while ticket.ahead == ahead and not _waited(ticket, POLL_SECONDS):
                continue


def _waited(ticket: Ticket, seconds: float) -> bool:
    """Wait some time for a turn; return whether it has come."""
    end = time.monotonic() + seconds
    while not ticket.wait(POLL_SECONDS):
        end_if_superseded()
        if time.monotonic() >= end:
            return False
    return True


def end_if_superseded() -> None:
    """End this run here if Streamlit asks for it: a newer one has come, or the tab is closed."""
    if get_script_run_ctx() is not None:
        # Any use of the session's state is such a place; no key has this name.
        st.session_state.get("admission:nothing")


def _session() -> str:
    context = get_script_run_ctx()
    return f"thread {threading.get_ident()}" if context is None else context.session_id
