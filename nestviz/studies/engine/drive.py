"""Follow a plan: compute the cells it asks for, hand it their results, until it has its tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Any

from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.engine.store import Kept, Store

Tables = dict[str, list[dict[str, Any]]]
"""What a plan ends with: tidy rows under the name of their table."""
Plan = Generator[Sequence[Cell], list[Result], Tables]
"""A study: yields cells, gets their results in order, may ask for more, returns its tables.

What it computes in between must be fast: everything slow belongs into a cell.
"""
Compute = Callable[[Iterable[Cell]], Iterator[tuple[Cell, Kept]]]
"""Compute cells, in any order of ending."""


def follow(plan: Plan, store: Store, compute: Compute) -> Tables:
    """Run a plan to its end.

    Cells that are stored are read; the others are computed and stored one by one as they end. So a
    plan that was stopped at any moment goes on where it was, with the same tables in the end.
    """
    cells = next(plan)
    while True:
        results = _results(cells, store, compute)
        try:
            cells = plan.send(results)
        except StopIteration as end:
            tables: Tables = end.value
            return tables


def _results(cells: Sequence[Cell], store: Store, compute: Compute) -> list[Result]:
    found = {cell.key: store.read(cell) for cell in cells}
    missing = {cell.key: cell for cell in cells if found[cell.key] is None}
    for cell, kept in compute(missing.values()):
        store.write(cell, kept)
        # Read back: a result is the same whether it was computed now or before.
        found[cell.key] = store.read(cell)
    return [kept.result for cell in cells if (kept := found[cell.key]) is not None]


def timed(cell: Cell) -> Kept:
    """Compute a cell, with the processor time that it takes."""
    begin = time.process_time()
    result = cell.compute()
    return Kept(result, time.process_time() - begin)
