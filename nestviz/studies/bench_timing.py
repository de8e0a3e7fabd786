"""Clocks for `nestviz bench`: the shortest of several runs, and jobs in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

#: Seconds after which a job that is long anyway is not repeated any more.
PATIENCE = 2.0


def best_time(
    work: Callable[[], T], repeats: int, *, at_least: int = 2, patience: float = PATIENCE
) -> tuple[float, T]:
    """Shortest of several runs, and the result.

    The first run counts like the others: it can only be the shortest where warming up costs
    nothing.

    Parameters
    ----------
    work : callable
        What to time.
    repeats : int
        Runs of a short job.
    at_least : int
        Runs even if the job is long.
    patience : float
        Seconds in all after which a long job is not run again.
    """
    shortest, spent, runs = float("inf"), 0.0, 0
    while True:
        start = time.perf_counter()
        result = work()
        taken = time.perf_counter() - start
        shortest, spent, runs = min(shortest, taken), spent + taken, runs + 1
        if runs >= repeats or (runs >= at_least and spent > patience):
            return shortest, result


def run_in_new_process(job: str, *arguments: object) -> dict[str, float]:
    """Run a job of :mod:`nestviz.studies.bench_jobs` in a new interpreter; return what it tells."""
    command = [sys.executable, "-m", "nestviz.studies.bench_jobs", job, *map(str, arguments)]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    measured: dict[str, float] = json.loads(told.stdout)
    return measured
