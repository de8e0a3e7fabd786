"""The state of a job."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Literal

from nestviz.ui.results.worker.process import WorkerProcess

State = Literal["waiting", "running", "done", "failed", "stopped", "died"]
Alive = Callable[[], bool]


@dataclass(eq=False)
class Watcher:
    """A session that waits for a job: whether it is connected, and when it last asked."""

    alive: Alive
    seen: float


@dataclass(eq=False)
class Job:
    """A piece of work and its state."""

    # Identify the job and its result
    owner: str | None
    key: Hashable
    title: str
    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    number: int
    # "waiting" and "running"; then "done", "failed" (with ``error``, ``traceback``), "stopped"
    # (by its watchers), or "died" (its process was ended from outside)
    state: State = "waiting"
    # Progress from 0 to 1, and a comment
    done: float = 0.0
    text: str = ""
    started: float = 0.0
    # The result, and the partial result before that
    result: Any = None
    partial: Any = None
    error: Exception | None = None
    traceback: str = ""
    stop_asked: bool = False
    watchers: dict[str, Watcher] = field(default_factory=dict)
    # Set when the state is final
    finished: threading.Event = field(default_factory=threading.Event)
    process: WorkerProcess | None = None
    # Whether its process was killed because it was silent, and how often it was started again
    is_silent: bool = False
    restarts: int = 0

    @property
    def elapsed(self) -> float:
        """Running time in seconds."""
        return time.monotonic() - self.started if self.started else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Remaining time at the pace so far; None while it is unknown."""
        if self.elapsed < 1.0 or self.done < 0.02:
            return None
        return self.elapsed * (1.0 - self.done) / self.done
