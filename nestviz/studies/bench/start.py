"""Benchmark rows: the first call in a new process, with numba's cache warm."""

from __future__ import annotations

from collections.abc import Iterator

from nestviz.studies.bench.report import Row, at_most
from nestviz.studies.bench.timing import run_in_new_process

GROUP = "start"
JOBS = {
    "first-nested-one-class": "nested one-class SVM",
    "first-nested-cost": "nested cost-sensitive SVM",
    "first-one-class-path": "one-class path",
    "first-cost-path": "cost path",
}


def rows(quick: bool) -> Iterator[Row]:
    """Yield how much longer the first call takes than the second."""
    for job, what in JOBS.items():
        run_in_new_process(job)  # fills numba's cache
        starts = [run_in_new_process(job) for _ in range(1 if quick else 5)]
        best = min(starts, key=lambda start: start["first"] - start["second"])
        yield Row(
            GROUP,
            f"first call: {what}",
            "new process, N=100",
            "second call",
            best["first"],
            best["second"],
            value=best["first"] - best["second"],
            unit="s more",
            target=at_most(1.0, "s"),
        )
