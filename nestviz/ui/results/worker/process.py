"""A worker process as seen by the server."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
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

    A new interpreter, not a fork: the server has threads, whose locks may stay closed in a copy.
    Not `multiprocessing`: every worker would run the current page, which Streamlit presents as the
    main module.
    """

    def __init__(self) -> None:
        # The worker must find the same modules, wherever the server was started from.
        paths = os.pathsep.join(path for path in sys.path if path)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "nestviz.ui.results.worker.main"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | ONE_THREAD | {"PYTHONPATH": paths},
        )
        self._sending = threading.Lock()
        self._spent = 0
        self._sign = time.monotonic()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def silent_seconds(self) -> float:
        """Return the time since the last sign of life; call it regularly.

        Signs are answers and, where the system tells, CPU time. A stopped process gives none. One
        that waits for a core or a disk on a busy machine is not silent.
        """
        if self._is_at_work():
            self._sign = time.monotonic()
        return time.monotonic() - self._sign

    def _is_at_work(self) -> bool:
        try:
            fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:  # another system: answers only
            return False
        before, self._spent = self._spent, int(fields[11]) + int(fields[12])
        return fields[0] in "RD" or self._spent != before

    def run(self, number: int, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        """Send an order; its answers carry the number."""
        self._sign = time.monotonic()
        self._send("run", number, pickle.dumps((work, arguments), pickle.HIGHEST_PROTOCOL))

    def stop(self, number: int) -> None:
        """Ask the work to stop, which it does at its next report; ignored if it has ended."""
        with suppress(OSError, ValueError):
            self._send("stop", number)

    def answer(self) -> tuple[Any, ...]:
        """Return the next answer; raise EOFError when the process has ended."""
        assert self._process.stdout is not None
        try:
            answer: tuple[Any, ...] = pickle.load(self._process.stdout)
        except (pickle.UnpicklingError, OSError, ValueError) as cut_off:
            raise EOFError("The worker ended in the middle of an answer.") from cut_off
        self._sign = time.monotonic()
        return answer

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()

    def close(self) -> None:
        """Kill the process and close its pipes."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # an order was not read completely
                    continue

    def _send(self, *order: Any) -> None:
        assert self._process.stdin is not None
        message = pickle.dumps(order, protocol=pickle.HIGHEST_PROTOCOL)
        with self._sending:
            self._process.stdin.write(message)
            self._process.stdin.flush()
