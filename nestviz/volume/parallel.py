"""Run many small fits at once: threads, progress, and a way to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from nestviz.kernel_matrices import ONE_BLAS_THREAD
from nestviz.solvers.records import Callback, Progress

Result = TypeVar("Result")


def run_all(
    tasks: Sequence[Callable[[], Result]],
    n_jobs: int | None,
    callback: Callback | None = None,
    results: list[Result | None] | None = None,
) -> list[Result | None]:
    """Return the results of all tasks, in order; None for those that a callback stopped.

    ``results``, if given, is filled before each call of the callback.

    Threads, not processes: the kernels release the interpreter's lock, and a process would take
    longer to start than these tasks take to finish. Products of small matrices are slower on
    several threads than on one, the more so when the tasks already fill all cores.
    """
    from joblib import Parallel, delayed

    stopped = threading.Event()

    def unless_stopped(task: Callable[[], Result]) -> Result | None:
        return None if stopped.is_set() else task()

    results = [] if results is None else results
    with ONE_BLAS_THREAD.held():
        run = Parallel(n_jobs=n_jobs, backend="threading", return_as="generator")
        try:
            for result in run(delayed(unless_stopped)(task) for task in tasks):
                results.append(result)
                done = counted(len(results), len(tasks))
                if callback and not stopped.is_set() and callback(done):
                    stopped.set()
        finally:
            # After an error or Ctrl-C no further task begins.
            stopped.set()
    return results


def counted(done: int, total: int) -> Progress:
    """Return the progress of tasks that are counted."""
    return Progress(done, share=done / total, total=total)
