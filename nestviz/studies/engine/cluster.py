"""Workers of a Dask cluster."""

from __future__ import annotations

import sys
from concurrent.futures import CancelledError, Future
from typing import Any

from nestviz import __version__
from nestviz.extras import require
from nestviz.studies.engine.attempt import Failure, Outcome, WorkersError, attempt
from nestviz.studies.engine.cells import Cell
from nestviz.studies.engine.processes import uninterrupted

TIMEOUT = 10.0
"""Seconds in which a scheduler has to answer."""


class Cluster:
    """The workers of a Dask scheduler.

    Parameters
    ----------
    scheduler : str
        Its address, such as ``"tcp://10.0.0.1:8786"``.

    Raises
    ------
    WorkersError
        If the scheduler does not answer.
    """

    at_once: int | None = None
    """The scheduler spreads the cells, also over workers that come later."""

    def __init__(self, scheduler: str) -> None:
        require("distributed", "cluster", "Computations on a cluster")
        from distributed import Client

        try:
            self._client: Any = Client(scheduler, timeout=TIMEOUT, set_as_default=False)
        except (OSError, ValueError, ImportError) as error:
            raise WorkersError(f"No Dask scheduler answers at {scheduler} ({error}).") from error
        self._scheduler = scheduler
        self._executor = self._client.get_executor(pure=False)
        if not self._client.nthreads():
            print(f"The scheduler at {scheduler} has no workers yet; waiting.", file=sys.stderr)

    def submit(self, cell: Cell) -> Future[Outcome]:
        """Hand out a cell."""
        submitted: Future[Outcome] = self._executor.submit(attempt, cell, __version__)
        return submitted

    def lost(self, error: Exception) -> Failure | None:
        """Say why there is no outcome; the scheduler itself has tried again what was lost."""
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return Failure("The workers that computed it ended; they may need more memory.")
        if isinstance(error, WorkersError):
            raise error
        if isinstance(error, CancelledError):
            raise WorkersError(f"The scheduler at {self._scheduler} has gone.") from error
        raise WorkersError(
            f"The workers of {self._scheduler} cannot run the tasks of nestviz {__version__}: "
            f"{error}. Install it there with the same versions of its packages."
        ) from error

    def stop(self) -> None:
        """Cancel what has not begun, and leave the cluster as it was."""
        with uninterrupted():
            self._executor.shutdown(wait=False)
            self._client.close()
