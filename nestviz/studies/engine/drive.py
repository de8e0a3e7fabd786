"""Follow a plan: compute the cells it asks for, hand it their results, until it ends."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from nestviz.studies.engine.attempt import Failure, Outcome
from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.engine.store import Kept, Store
from nestviz.studies.findings import Findings

Plan = Generator[Sequence[Cell], list[Result], Findings]
"""A study: yields cells, gets their results in order, may ask for more, returns its findings.

What it computes in between must be fast: everything slow belongs into a cell.
"""
Compute = Callable[[Iterable[Cell]], Iterator[tuple[Cell, Outcome]]]
"""Compute cells, in any order of ending."""


class FailedCellsError(RuntimeError):
    """Cells that could not be computed, so that the plan cannot go on.

    Attributes
    ----------
    failures : list of (Cell, Failure)
        All of them. The results of all other cells are stored.
    """

    def __init__(self, failures: Sequence[tuple[Cell, Failure]]) -> None:
        self.failures = list(failures)
        cell, failure = self.failures[0]
        more = len(self.failures) - 1
        others = f" So did {more} other{'s' if more > 1 else ''}." if more else ""
        super().__init__(f"The cell {cell.label} failed: {failure.reason}{others}")


@dataclass
class Tally:
    """How far a plan has come.

    Attributes
    ----------
    cells : int
        Cells that the plan has asked for so far, each counted once.
    computed : int
        Those of them that were computed now.
    cpu_seconds : float
        Processor time of all that are stored, computed now or before.
    step, step_cells, step_found, step_done : int
        Number of the plan's request; its cells, those that were stored before, and those that are
        stored or have failed by now.
    """

    cells: int = 0
    computed: int = 0
    cpu_seconds: float = 0.0
    step: int = 0
    step_cells: int = 0
    step_found: int = 0
    step_done: int = 0
    _stored: dict[str, float] = field(default_factory=dict, repr=False)

    @property
    def stored(self) -> int:
        """Return the number of cells that are stored."""
        return len(self._stored)

    def keep(self, cell: Cell, kept: Kept) -> None:
        """Count a cell that is stored."""
        if cell.key not in self._stored:
            self._stored[cell.key] = kept.cpu_seconds
            self.cpu_seconds += kept.cpu_seconds


def follow(
    plan: Plan,
    store: Store,
    compute: Compute,
    tally: Tally | None = None,
    show: Callable[[Tally], None] = lambda tally: None,
) -> Findings:
    """Run a plan to its end.

    Cells that are stored are read; the others are computed and stored one by one as they end. So a
    plan that was stopped at any moment goes on where it was, with the same findings in the end.

    Parameters
    ----------
    plan : Plan
        The study.
    store : Store
        Where results are kept.
    compute : callable
        Computes cells; see `nestviz.studies.engine.backends`.
    tally : Tally, optional
        Is kept up to date, also where an exception ends the run.
    show : callable, optional
        Called with the tally at the begin of a step and after each cell.

    Raises
    ------
    FailedCellsError
        If cells failed, after all others of the same step were computed and stored.
    """
    tally = Tally() if tally is None else tally
    store.clean()
    seen: set[str] = set()
    cells = next(plan)
    while True:
        seen |= {cell.key for cell in cells}
        tally.cells = len(seen)
        results = _results(cells, store, compute, tally, show)
        try:
            cells = plan.send(results)
        except StopIteration as end:
            findings: Findings = end.value
            return findings


def _results(
    cells: Sequence[Cell],
    store: Store,
    compute: Compute,
    tally: Tally,
    show: Callable[[Tally], None],
) -> list[Result]:
    wanted = {cell.key: cell for cell in cells}
    found: dict[str, Result] = {}
    for key, cell in wanted.items():
        if (kept := store.read(cell)) is not None:
            found[key] = kept.result
            tally.keep(cell, kept)
    missing = [cell for key, cell in wanted.items() if key not in found]
    tally.step += 1
    tally.step_cells, tally.step_found, tally.step_done = len(wanted), len(found), len(found)
    show(tally)
    failures = []
    for cell, outcome in compute(missing):
        tally.step_done += 1
        if isinstance(outcome, Failure):
            failures.append((cell, outcome))
        else:
            found[cell.key] = _kept(cell, outcome, store)
            tally.keep(cell, outcome)
            tally.computed += 1
        show(tally)
    if failures:
        raise FailedCellsError(failures)
    return [found[cell.key] for cell in cells]


def _kept(cell: Cell, outcome: Kept, store: Store) -> Result:
    """Store a result and read it back: it is the same whether it was computed now or before."""
    store.write(cell, outcome)
    stored = store.read(cell)
    if stored is None:
        raise OSError(f"A result that was just written to {store.folder} cannot be read.")
    return stored.result
