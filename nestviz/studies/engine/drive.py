"""Follow a plan: compute the cells it asks for, hand it their results, until it ends."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.engine.store import Kept, Store
from nestviz.studies.findings import Findings

Plan = Generator[Sequence[Cell], list[Result], Findings]
"""A study: yields cells, gets their results in order, may ask for more, returns its findings.

What it computes in between must be fast: everything slow belongs into a cell.
"""
Compute = Callable[[Iterable[Cell]], Iterator[tuple[Cell, Kept]]]
"""Compute cells, in any order of ending."""


def follow(plan: Plan, store: Store, compute: Compute) -> Findings:
    """Run a plan to its end.

    Cells that are stored are read; the others are computed and stored one by one as they end. So a
    plan that was stopped at any moment goes on where it was, with the same findings in the end.
    """
    cells = next(plan)
    while True:
        results = _results(cells, store, compute)
        try:
            cells = plan.send(results)
        except StopIteration as end:
            findings: Findings = end.value
            return findings


def _results(cells: Sequence[Cell], store: Store, compute: Compute) -> list[Result]:
    found = {cell.key: store.read(cell) for cell in cells}
    missing = {cell.key: cell for cell in cells if found[cell.key] is None}
    for cell, computed in compute(missing.values()):
        store.write(cell, computed)
        # Read back: a result is the same whether it was computed now or before.
        found[cell.key] = store.read(cell)
    return [kept.result for cell in cells if (kept := found[cell.key]) is not None]


def timed(cell: Cell) -> Kept:
    """Compute a cell, with the processor time that it takes."""
    begin = time.process_time()
    result = cell.compute()
    return Kept(result, time.process_time() - begin)
