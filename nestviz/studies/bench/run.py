"""``nestviz bench``: ours and the peers in one run, as ratios.

Nothing is compared with a number from another day: every row times both sides on the same data,
best of several, and prints how many times faster ours is and how accurate the two results are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from nestviz.studies.bench import (
    analysis,
    error_control,
    families,
    guarantees,
    interaction,
    nested_cost,
    nested_one_class,
    nu,
    paths,
    quantiles,
    report,
    scale,
    start,
)
from nestviz.studies.bench.report import Row
from nestviz.studies.bench.timing import one_core

GROUPS: dict[str, Callable[[bool], Iterator[Row]]] = {
    "families": families.rows,
    "nested-one-class": nested_one_class.rows,
    "nested-cost": nested_cost.rows,
    "paths": paths.rows,
    "nu": nu.rows,
    "quantiles": quantiles.rows,
    "analysis": analysis.rows,
    "error-control": error_control.rows,
    "start": start.rows,
    "scale": scale.rows,
    "guarantees": guarantees.rows,
    "interaction": interaction.rows,
}


def run(groups: Sequence[str], *, quick: bool, json_file: Path | None) -> int:
    """Measure, print a table and optionally keep the rows; return an exit status."""
    unknown = [name for name in groups if name not in GROUPS]
    if unknown:
        known = ", ".join(GROUPS)
        print(f"There is no benchmark group {unknown[0]!r}; there is {known}.", file=sys.stderr)
        return 2
    if json_file is not None and not json_file.parent.is_dir():
        print(f"There is no folder {json_file.parent} to keep the rows in.", file=sys.stderr)
        return 2
    with one_core():
        rows = _measured(groups or tuple(GROUPS), quick)
    print(report.summary(rows))
    if json_file is not None:
        report.write(rows, json_file)
    return 0


def _measured(groups: Sequence[str], quick: bool) -> list[Row]:
    """Measure all rows of some groups and print them."""
    rows = []
    print(report.header())
    for name in groups:
        for row in GROUPS[name](quick):
            rows.append(row)
            print(report.line(row), flush=True)
    return rows
