"""Where cells are computed: processes of this machine, or the workers of a Dask cluster.

Both are an executor to which `attempt` is submitted; everything else is the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Protocol

from nestviz.studies.engine.attempt import Failure, Outcome
from nestviz.studies.engine.cells import Cell
from nestviz.studies.engine.drive import Compute
from nestviz.studies.engine.processes import Processes

WAIT = 0.25
"""Longest wait in seconds between two looks at Ctrl-C, where a wait cannot be interrupted."""
ALONE = 2
"""How often a cell whose process ended is tried again, with no other cell beside it."""


class Workers(Protocol):
    """Processes that compute cells."""

    at_once: int | None
    """How many cells to hand out at once; None for all."""

    def submit(self, cell: Cell) -> Future[Outcome]:
        """Hand out a cell."""

    def lost(self, error: Exception) -> Failure | None:
        """Return what became of a cell without an outcome; None to try it again.

        Raises
        ------
        WorkersError
            If no cell can be computed.
        """

    def stop(self) -> None:
        """End all work at once."""


@contextmanager
def workers(n_jobs: int | None = None, scheduler: str | None = None) -> Iterator[Compute]:
    """Start workers, and end them with the block, also after Ctrl-C.

    Parameters
    ----------
    n_jobs : int, optional
        Number of processes on this machine; by default one for each core.
    scheduler : str, optional
        Address of a Dask scheduler, whose workers are used instead.

    Yields
    ------
    callable
        Takes cells and yields them with their outcomes as they end.

    Raises
    ------
    WorkersError
        If the scheduler does not answer.
    MissingPackageError
        If there is a scheduler, but Dask is not installed.
    """
    used: Workers
    if scheduler is None:
        used = Processes(n_jobs)
    else:
        from nestviz.studies.engine.cluster import Cluster

        used = Cluster(scheduler)
    try:
        yield lambda cells: _computed(cells, used)
    finally:
        used.stop()


def on_this_machine(
    cells: Iterable[Cell], n_jobs: int | None = None
) -> Iterator[tuple[Cell, Outcome]]:
    """Compute cells in processes of this machine, and yield each as it ends."""
    with workers(n_jobs) as compute:
        yield from compute(cells)


def _computed(cells: Iterable[Cell], used: Workers) -> Iterator[tuple[Cell, Outcome]]:
    """Compute cells; those whose process ended again, one at a time.

    When a process ends, all cells that ran beside it are lost. Alone, they show which one it was.
    """
    lost: list[Cell] = []
    yield from _handed_out(cells, used, used.at_once, lost)
    for _ in range(ALONE):
        again, lost = lost, []
        yield from _handed_out(again, used, 1, lost)
    for cell in lost:
        times = f"The process that computed it ended {ALONE + 1} times"
        yield cell, Failure(f"{times}; it may need more memory than there is.")


def _handed_out(
    cells: Iterable[Cell], used: Workers, at_once: int | None, lost: list[Cell]
) -> Iterator[tuple[Cell, Outcome]]:
    waiting = deque(cells)
    running: dict[Future[Outcome], Cell] = {}
    ended: SimpleQueue[Future[Outcome]] = SimpleQueue()
    while waiting or running:
        while waiting and (at_once is None or len(running) < at_once):
            cell = waiting.popleft()
            future = used.submit(cell)
            running[future] = cell
            future.add_done_callback(ended.put)
        try:
            future = ended.get(timeout=WAIT)
        except Empty:
            continue
        cell = running.pop(future)
        try:
            outcome: Outcome | None = future.result()
        except Exception as error:
            outcome = used.lost(error)
        if outcome is None:
            lost.append(cell)
        else:
            yield cell, outcome
