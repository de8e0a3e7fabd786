"""What is known about a piece of work while it waits, runs, and has ended."""

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
    """A session that waits for a job: when it last asked, and whether it is still connected."""

    alive: Alive
    seen: float


@dataclass(eq=False)
class Job:
    """One piece of work and what is known about it.

    Attributes
    ----------
    owner, key : str or None, hashable
        Jobs with the same owner and key are one job; the result is kept under both.
    state : str
        "waiting" and "running"; then "done", "failed" (with ``error``, ``traceback``), "stopped"
        (on behalf of its watchers), or "died" (its process was ended by somebody else).
    done, text : float, str
        Progress from 0 to 1, and what the work says of it.
    result, partial : object
        What it has returned; the best that is known of the result before that.
    finished : Event
        Set when the state is final.
    """

    owner: str | None
    key: Hashable
    title: str
    work: Callable[..., Any]
    arguments: tuple[Any, ...]
    number: int
    state: State = "waiting"
    done: float = 0.0
    text: str = ""
    started: float = 0.0
    result: Any = None
    partial: Any = None
    error: Exception | None = None
    traceback: str = ""
    stop_asked: bool = False
    watchers: dict[str, Watcher] = field(default_factory=dict)
    finished: threading.Event = field(default_factory=threading.Event)
    process: WorkerProcess | None = None

    @property
    def elapsed(self) -> float:
        """Seconds of work so far."""
        return time.monotonic() - self.started if self.started else 0.0

    @property
    def seconds_left(self) -> float | None:
        """As many as it will take at the pace so far; None while that is anybody's guess."""
        if self.elapsed < 1.0 or self.done < 0.02:
            return None
        return self.elapsed * (1.0 - self.done) / self.done
