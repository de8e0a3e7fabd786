"""The far end of a job: a process that works for the server and can be ended at any time.

Started by `nestviz.ui.results.worker.process` as ``python -m nestviz.ui.results.worker.main``.
Orders come in on standard input and answers go out on standard output, both as pickles; each side
trusts the other, since one has started the other. When the server goes away, for whatever reason,
its end of the pipe closes and the process ends itself: nothing is left behind.

Orders are ``("run", number, work)`` and ``("stop", number)``, where ``work`` is a pickle of
``(function, arguments)``. Answers are ``("progress", number, done, text)``, ``("partial", number,
value)``, ``("done", number, value)`` and ``("failed", number, error, traceback)``.
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
"""Progress is told no more often than this: work may report thousands of times a second."""
PRELOADED = ("nestviz.estimators", "nestviz.analysis.level_sweep", "nestviz.volume", "joblib")
"""What nearly every job needs, imported while the process waits for its first order."""


class Worker:
    """Carries out one order at a time and listens for the order to stop meanwhile."""

    def __init__(self, orders: BinaryIO, answers: BinaryIO) -> None:
        self._orders = orders
        self._answers = answers
        self._sending = threading.Lock()
        self._next: queue.SimpleQueue[tuple[int, bytes]] = queue.SimpleQueue()
        self._stopped = -1

    def serve(self) -> None:
        """Work until the server closes its end."""
        threading.Thread(target=self._listen, daemon=True).start()
        for name in PRELOADED:
            if self._next.empty():
                __import__(name)
        while True:
            self._carry_out(*self._next.get())

    def _listen(self) -> None:
        try:
            while True:
                order, *rest = pickle.load(self._orders)
                if order == "stop":
                    self._stopped = rest[0]
                else:
                    self._next.put((rest[0], rest[1]))
        except (EOFError, OSError, pickle.UnpicklingError):
            # The server is gone, or its last words were cut off. Nobody waits for what runs here.
            os._exit(0)

    def _carry_out(self, number: int, work: bytes) -> None:
        told = 0.0

        def report(done: float, text: str = "", partial: Any = None) -> bool:
            nonlocal told
            now = time.monotonic()
            if partial is not None:
                self._answer("partial", number, partial)
            if now - told >= REPORT_SECONDS:
                told = now
                self._answer("progress", number, min(max(float(done), 0.0), 1.0), text)
            return self._stopped == number

        try:
            function, arguments = pickle.loads(work)
            self._answer("done", number, function(*arguments, report))
        except Exception as error:
            self._answer("failed", number, _that_travels(error), traceback.format_exc())

    def _answer(self, *answer: Any) -> None:
        # Pickled before the pipe is touched: a value that cannot travel leaves no half message.
        message = pickle.dumps(answer, protocol=pickle.HIGHEST_PROTOCOL)
        with self._sending:
            self._answers.write(message)
            self._answers.flush()


def _that_travels(error: Exception) -> Exception | None:
    """The error itself, where it survives the way to the server; some do not."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return None
    return error


def main() -> None:
    """Serve the process that started this one."""
    # Ctrl+C reaches every process of the terminal; this one ends when the server has.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(5)  # pages of other people go first
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # What a library prints goes to the log, not in between the answers.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    Worker(sys.stdin.buffer, answers).serve()


if __name__ == "__main__":
    main()
