"""Compute one cell inside a worker, whatever happens there."""

from __future__ import annotations

import json
import time
import traceback
from dataclasses import dataclass

from nestviz import __version__
from nestviz.escaping import plain
from nestviz.kernel_matrices import ONE_BLAS_THREAD
from nestviz.studies.engine.cells import Cell
from nestviz.studies.engine.store import Kept


class WorkersError(RuntimeError):
    """Nothing can be computed by these workers; the message says why."""


@dataclass(frozen=True)
class Failure:
    """A cell that could not be computed: why, and the traceback if there is one."""

    reason: str
    details: str = ""


Outcome = Kept | Failure


def attempt(cell: Cell, version: str) -> Outcome:
    """Compute a cell on one thread of this process.

    Parameters
    ----------
    cell : Cell
        What to compute.
    version : str
        Version of nestviz that asks. Another one here might give other numbers.

    Returns
    -------
    Kept or Failure
        The result with its processor time; or what the task raised, as text, since not every
        exception can be sent to another process.

    Raises
    ------
    WorkersError
        If the versions differ.
    """
    if version != __version__:
        raise WorkersError(
            f"A worker has nestviz {__version__}, and this is nestviz {version}. Install the same "
            f"version in both places."
        )
    try:
        task = cell.function
        with ONE_BLAS_THREAD.held():
            begin = time.thread_time()
            result = task(**cell.parameters, **cell.locations)
            seconds = time.thread_time() - begin
        json.dumps(result)
    except Exception as error:
        reason = plain(f"{type(error).__name__}: {error}".rstrip(": "))
        return Failure(reason, traceback.format_exc())
    return Kept(result, seconds)
