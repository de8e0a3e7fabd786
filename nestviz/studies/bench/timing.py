"""Clocks for `nestviz bench`: the shortest of several runs, and jobs in a process of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

#: Seconds after which a job that is long anyway is not repeated any more.
PATIENCE = 2.0
_LIMITS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


@contextmanager
def one_core() -> Iterator[None]:
    """Hold matrix products to one thread: the peers run on one core, and a busy machine is fairer.

    Threads of a matrix product that wait for each other on a busy machine can take several times
    as long as one thread alone, which would say nothing about either side.
    """
    # A limit holds for libraries that are loaded, so those that come with their own are loaded now.
    import scipy.linalg  # noqa: F401
    import sklearn.svm  # noqa: F401
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield


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
    """Run a job of :mod:`nestviz.studies.bench.jobs` in a new interpreter, on one core."""
    command = [sys.executable, "-m", "nestviz.studies.bench.jobs", job, *map(str, arguments)]
    environment = {**os.environ, **dict.fromkeys(_LIMITS, "1")}
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    measured: dict[str, float] = json.loads(told.stdout)
    return measured
