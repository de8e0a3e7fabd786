"""The main program of a worker process, which can be killed at any time.

Started by `nestviz.ui.results.worker.process` as ``python -m nestviz.ui.results.worker.main``.
Orders arrive on standard input and answers leave on standard output, both as pickles; both sides
are trusted, since one starts the other. When the server ends, for whatever reason, its end of the
pipe closes and the worker exits.

Orders are ``("run", number, work)`` and ``("stop", number)``, where ``work`` is a pickle of
``(function, arguments)``. Answers are ``("progress", number, done, text)``, ``("partial", number,
value)``, ``("done", number, value)``, ``("failed", number, error, traceback)``, and ``("beat",
number)`` every second while an order is executed.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
import time
import traceback
from typing import Any, BinaryIO

REPORT_SECONDS = 0.1
"""Shortest time between two progress messages: work may report thousands of times a second."""
PRELOADED = ("nestviz.volume", "joblib", "nestviz.ui.compute.first_fit")
"""Modules that nearly every job needs, imported while the process waits for its first order."""


BEAT_SECONDS = 1.0
"""Time between two signs of life."""


class Worker:
    """Executes one order at a time and listens for the order to stop."""

    def __init__(self, orders: BinaryIO, answers: BinaryIO) -> None:
        self._orders = orders
        self._answers = answers
        self._sending = threading.Lock()
        self._next: queue.SimpleQueue[tuple[int, bytes]] = queue.SimpleQueue()
        self._stopped = -1
        self._number: int | None = None

    def serve(self) -> None:
        """Execute orders until the server closes its end."""
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._beat, daemon=True).start()
        for name in PRELOADED:
            if self._next.empty():
                __import__(name)
        if self._next.empty():
            # The estimators and their kernels are loaded when they are first used.
            sys.modules["nestviz.ui.compute.first_fit"].fit_a_few_points()
        while True:
            number, work = self._next.get()
            self._number = number
            self._carry_out(number, work)
            del work  # the data of a session, while this process waits
            self._number = None

    def _beat(self) -> None:
        while True:
            time.sleep(BEAT_SECONDS)
            number = self._number
            if number is not None:
                self._answer("beat", number)

    def _listen(self) -> None:
        try:
            while True:
                order, *rest = pickle.load(self._orders)
                if order == "stop":
                    self._stopped = rest[0]
                else:
                    self._next.put((rest[0], rest[1]))
        except (EOFError, OSError, pickle.UnpicklingError):
            # The server has ended.
            os._exit(0)

    def _carry_out(self, number: int, work: bytes) -> None:
        reported = 0.0

        def report(done: float, text: str = "", partial: Any = None) -> bool:
            nonlocal reported
            now = time.monotonic()
            if partial is not None:
                self._answer("partial", number, partial)
            if now - reported >= REPORT_SECONDS:
                reported = now
                self._answer("progress", number, min(max(float(done), 0.0), 1.0), text)
            return self._stopped == number

        try:
            function, arguments = pickle.loads(work)
            self._answer("done", number, function(*arguments, report))
        except Exception as error:
            self._answer("failed", number, _picklable(error), traceback.format_exc())

    def _answer(self, *answer: Any) -> None:
        # Pickle before writing: a value that cannot be pickled must not leave half a message.
        message = pickle.dumps(answer, protocol=pickle.HIGHEST_PROTOCOL)
        with self._sending:
            self._answers.write(message)
            self._answers.flush()


def _picklable(error: Exception) -> Exception | None:
    """Return the error if it can be pickled, else None."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return None
    return error


def main() -> None:
    """Serve the process that started this one."""
    # Ctrl+C reaches every process of the terminal; this one ends with the server.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)  # pages of other sessions go first
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Output of libraries goes to the log, not between the answers.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    Worker(sys.stdin.buffer, answers).serve()


if __name__ == "__main__":
    main()
