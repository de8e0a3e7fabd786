"""``nestviz bench``: ours and the peers in one run, as ratios.

A shared machine is noisy, so nothing here is compared with a number from another day: every row
times both sides on the same data, best of several, and prints how many times faster ours is and
how accurate the two results are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from nestviz.studies import (
    bench_analysis,
    bench_error_control,
    bench_families,
    bench_interaction,
    bench_nested_cost,
    bench_nested_one_class,
    bench_nu,
    bench_paths,
    bench_quantiles,
    bench_report,
    bench_scale,
    bench_start,
)
from nestviz.studies.bench_report import Row
from nestviz.studies.bench_timing import one_core

GROUPS: dict[str, Callable[[bool], Iterator[Row]]] = {
    "families": bench_families.rows,
    "nested-one-class": bench_nested_one_class.rows,
    "nested-cost": bench_nested_cost.rows,
    "paths": bench_paths.rows,
    "nu": bench_nu.rows,
    "quantiles": bench_quantiles.rows,
    "analysis": bench_analysis.rows,
    "error-control": bench_error_control.rows,
    "start": bench_start.rows,
    "scale": bench_scale.rows,
    "interaction": bench_interaction.rows,
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
    print(bench_report.summary(rows))
    if json_file is not None:
        bench_report.write(rows, json_file)
    return 0


def _measured(groups: Sequence[str], quick: bool) -> list[Row]:
    """All rows of some groups, printed as they come."""
    rows = []
    print(bench_report.header())
    for name in groups:
        for row in GROUPS[name](quick):
            rows.append(row)
            print(bench_report.line(row), flush=True)
    return rows
