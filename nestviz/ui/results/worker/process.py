"""A worker process as the server sees it: orders in, answers out, and an end at any time."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

ONE_THREAD = dict.fromkeys(
    (
        "OPENBLAS_NUM_THREADS",
        "MKL_NUM_THREADS",
        "OMP_NUM_THREADS",
        "VECLIB_MAXIMUM_THREADS",
        "BLIS_NUM_THREADS",
    ),
    "1",
)


class WorkerProcess:
    """A process that runs `nestviz.ui.results.worker.main`.

    A new interpreter, not a fork: the server has threads, and a forked copy of their locks may
    never open again. Not `multiprocessing` either: it would run the page that is being shown, which
    Streamlit presents as the main module, in every worker.
    """

    def __init__(self) -> None:
        # The same modules must be found there as here, wherever the server was started from.
        paths = os.pathsep.join(path for path in sys.path if path)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "nestviz.ui.results.worker.main"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | ONE_THREAD | {"PYTHONPATH": paths},
        )
        self._sending = threading.Lock()

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process is still there."""
        return self._process.poll() is None

    def run(self, number: int, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        """Order some work; its answers carry the number."""
        self._send("run", number, pickle.dumps((work, arguments), pickle.HIGHEST_PROTOCOL))

    def stop(self, number: int) -> None:
        """Ask the work to come to an end by itself; it hears this when it next reports."""
        self._send("stop", number)

    def answer(self) -> tuple[Any, ...]:
        """The next answer; EOFError when the process has ended."""
        assert self._process.stdout is not None
        try:
            answer: tuple[Any, ...] = pickle.load(self._process.stdout)
        except (pickle.UnpicklingError, OSError, ValueError) as cut_off:
            raise EOFError("The worker ended in the middle of an answer.") from cut_off
        return answer

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()

    def close(self) -> None:
        """End the process and give back what it held here."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # the rest of an order that nobody will read
                    continue

    def _send(self, *order: Any) -> None:
        assert self._process.stdin is not None
        message = pickle.dumps(order, protocol=pickle.HIGHEST_PROTOCOL)
        with self._sending:
            self._process.stdin.write(message)
            self._process.stdin.flush()
