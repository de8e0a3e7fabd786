"""Worker processes of this machine."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from typing import Any

from nestviz import __version__
from nestviz.studies.engine.attempt import Failure, Outcome, attempt
from nestviz.studies.engine.cells import Cell

IDLE = 300.0
"""Seconds after which a process without work ends."""
LOOK = 0.5
"""Seconds between two looks at whether the process that started this one still runs."""


class Processes:
    """Processes of this machine, started when they are needed, and again where one was killed.

    Parameters
    ----------
    n_jobs : int, optional
        Number of processes; by default one for each core.
    """

    def __init__(self, n_jobs: int | None = None) -> None:
        from joblib import cpu_count

        self.at_once: int | None = n_jobs or cpu_count()
        self._executor: Any = None

    def submit(self, cell: Cell) -> Future[Outcome]:
        """Hand out a cell."""
        try:
            return self._submit(cell)
        except BrokenExecutor:
            # One of the processes was killed, and with it the executor has ended all others.
            self.stop()
            return self._submit(cell)

    def lost(self, error: Exception) -> Failure | None:
        """Try again what a killed process computed."""
        if not isinstance(error, BrokenExecutor):
            raise error
        return None

    def stop(self) -> None:
        """Kill the processes."""
        with uninterrupted():
            executor, self._executor = self._executor, None
            if executor is not None:
                executor.shutdown(wait=True, kill_workers=True)

    def _submit(self, cell: Cell) -> Future[Outcome]:
        if self._executor is None:
            from joblib.externals.loky import ProcessPoolExecutor

            self._executor = ProcessPoolExecutor(
                self.at_once, timeout=IDLE, initializer=_prepare, initargs=(os.getpid(),)
            )
        # Processes start here. Those that cannot hear Ctrl-C do not print tracebacks of it.
        with _blocked():
            submitted: Future[Outcome] = self._executor.submit(attempt, cell, __version__)
        return submitted


def _prepare(parent: int) -> None:
    """Leave Ctrl-C to the process that started this one, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    # Where processes are not handed over to another parent, those without work end after `IDLE`.
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)


@contextmanager
def _blocked() -> Iterator[None]:
    """Keep Ctrl-C waiting; processes that start inside never hear it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ignore Ctrl-C while processes and connections are closed."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
