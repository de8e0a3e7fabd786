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
    """Limit matrix products to one thread, as the peers use one core.

    On a busy machine threads that wait for each other can take several times as long as one.
    """
    # A limit applies to loaded libraries, so those with their own threads are loaded now.
    import scipy.linalg  # noqa: F401
    import sklearn.svm  # noqa: F401
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield


def best_time(
    work: Callable[[], T], repeats: int, *, at_least: int = 2, patience: float = PATIENCE
) -> tuple[float, T]:
    """Time the shortest of several runs; return seconds and result.

    A job that takes more than ``patience`` seconds in all is not repeated beyond ``at_least`` runs.
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
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured
