"""Run many small fits at once: threads, progress, and a way to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from nestviz.solvers.records import Callback, Progress

Result = TypeVar("Result")


class _OneBlasThread:
    """Limit the linear algebra library to one thread while any caller asks for it.

    The limit applies to the whole process. Counting callers keeps overlapping requests from
    restoring each other's limit instead of the original one.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._limit: Any = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Run matrix products on one thread inside this block."""
        from threadpoolctl import threadpool_limits

        with self._lock:
            if not self._users:
                self._limit = threadpool_limits(1, user_api="blas")
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if not self._users:
                    self._limit.restore_original_limits()


ONE_BLAS_THREAD = _OneBlasThread()


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
        for result in run(delayed(unless_stopped)(task) for task in tasks):
            results.append(result)
            if callback and not stopped.is_set() and callback(counted(len(results), len(tasks))):
                stopped.set()
    return results


def counted(done: int, total: int) -> Progress:
    """Return the progress of tasks that are counted."""
    return Progress(done, share=done / total, total=total)
