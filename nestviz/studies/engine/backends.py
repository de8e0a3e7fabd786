"""Where cells are computed: processes of this machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nestviz.studies.engine.cells import Cell
from nestviz.studies.engine.drive import timed
from nestviz.studies.engine.store import Kept


def on_this_machine(
    cells: Iterable[Cell], n_jobs: int | None = None
) -> Iterator[tuple[Cell, Kept]]:
    """Compute cells in processes of this machine, and yield each as it ends."""
    from joblib import Parallel, delayed

    yield from Parallel(n_jobs=n_jobs, return_as="generator_unordered")(
        delayed(_computed)(cell) for cell in cells
    )


def _computed(cell: Cell) -> tuple[Cell, Kept]:
    return cell, timed(cell)
