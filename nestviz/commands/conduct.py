"""Run studies from the command line: compute, write, report, and say what went wrong."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nestviz.extras import require
from nestviz.studies.engine.attempt import WorkersError
from nestviz.studies.engine.backends import workers
from nestviz.studies.engine.drive import Compute, FailedCellsError, Plan, Tally, follow
from nestviz.studies.engine.files import write_whole
from nestviz.studies.engine.progress import Line, duration
from nestviz.studies.engine.store import Store
from nestviz.studies.run_record import Run, read_run, run_folders, write_run
from nestviz.studies.surroundings import machine, versions

CELLS = "cells"
"""Folder of the stored cells, which all studies of an output share."""
FAILED = "failed.txt"
"""Tracebacks of cells that failed."""
INTERRUPTED = 130
"""Exit status after Ctrl-C."""

Report = Callable[[Path, Sequence[Run]], object]
"""Writes the report of runs into a folder."""


@dataclass(frozen=True)
class Study:
    """What to run, with the words for its report; see `Run` for the attributes."""

    name: str
    title: str
    source: str
    protocol: str
    describe: Sequence[str]
    plan: Callable[[], Plan]
    seed: int | None = None
    page: str = ""


@dataclass(frozen=True)
class Means:
    """Where studies are computed and stored, and whether progress is shown."""

    output: Path
    n_jobs: int | None = None
    scheduler: str | None = None
    quiet: bool = False

    @property
    def words(self) -> dict[str, str]:
        """Say how cells are computed, for the record of a run."""
        if self.scheduler:
            return {"computed by": "the workers of a Dask cluster"}
        from joblib import cpu_count

        return machine() | {"processes": str(self.n_jobs or cpu_count())}


def conduct(studies: Sequence[Study], means: Means, report: Report) -> int:
    """Run studies one after the other, and report on all runs of the output folder.

    Returns
    -------
    int
        Exit status: 0; 1 where a cell or all workers failed; 2 where the output folder cannot be
        written; 130 after Ctrl-C. All that was computed is stored in any case.
    """
    try:
        means.output.mkdir(parents=True, exist_ok=True)
        write_whole(means.output / FAILED, "")
        (means.output / FAILED).unlink()
    except OSError as error:
        return _said(f"Results cannot be written to {means.output}: {error.strerror}.", 2)
    status = 0
    try:
        with workers(means.n_jobs, means.scheduler) as compute:
            for study in studies:
                status = max(status, _conducted(study, means, compute))
        _reported(studies, means, report)
    except KeyboardInterrupt:
        return INTERRUPTED
    except (WorkersError, OSError) as error:
        return _said(f"{error} What was computed is stored; the same command goes on.", 1)
    return status


def _conducted(study: Study, means: Means, compute: Compute) -> int:
    begin, tally = time.monotonic(), Tally()
    line = Line(study.name, sys.stderr)
    show = (lambda tally: None) if means.quiet else line
    try:
        findings = follow(study.plan(), Store(means.output / CELLS), compute, tally, show)
    except FailedCellsError as error:
        line.end()
        return _failed(study, means, error, tally)
    except KeyboardInterrupt:
        line.end()
        _said(f"{study.name}: {_stored(tally)}", INTERRUPTED)
        raise
    finally:
        line.end()
    run = Run(
        study.name, study.title, study.source, study.protocol, study.describe, findings,
        cpu_seconds=tally.cpu_seconds, wall_seconds=time.monotonic() - begin, cells=tally.cells,
        computed=tally.computed, versions=versions(), machine=means.words, seed=study.seed,
        page=study.page,
    )  # fmt: skip
    folder = write_run(means.output, run)
    if not means.quiet:
        took = f"{duration(run.cpu_seconds)} of processor time"
        print(f"{study.name}: {tally.cells} cells, {took}, in {folder}", file=sys.stderr)
    return 0


def _failed(study: Study, means: Means, error: FailedCellsError, tally: Tally) -> int:
    texts = [
        f"{cell.text}\n{failure.details or failure.reason}" for cell, failure in error.failures
    ]
    file = means.output / FAILED
    before = file.read_text("utf-8") if file.exists() else ""
    write_whole(file, before + "".join(f"{text}\n" for text in texts))
    return _said(f"{study.name}: {error} Details are in {file}. {_stored(tally)}", 1)


def _stored(tally: Tally) -> str:
    return f"{tally.stored} of {tally.cells} cells are stored; the same command goes on."


def _reported(studies: Sequence[Study], means: Means, report: Report) -> None:
    runs = {run.name: run for run in _readable_runs(means.output)}
    order = [study.name for study in studies if study.name in runs]
    order += [name for name in runs if name not in order]
    if order:
        report(means.output, [runs[name] for name in order])
    if order and not means.quiet:
        print(f"The report is {means.output / 'report.html'}.")


def _readable_runs(output: Path) -> Iterator[Run]:
    for folder in run_folders(output):
        try:
            yield read_run(folder)
        except ValueError as error:
            print(f"{error} It is not in the report.", file=sys.stderr)


def report_writer() -> Report:
    """Return what writes the report; raise a sentence where its packages are not installed."""
    require("matplotlib", "plot", "Reports of studies")
    from nestviz.reports.report import write_report

    return write_report


def _said(sentence: str, status: int) -> int:
    print(sentence, file=sys.stderr)
    return status
