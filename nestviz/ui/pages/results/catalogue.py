"""The tables that can be shown: targets of ``nestviz reproduce``, and results that are there."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from nestviz.resources import results_dir
from nestviz.studies.reproduce.registry import targets
from nestviz.studies.run_record import FINDINGS, Run, read_run

VALUES = "values.csv"


@dataclass(frozen=True)
class Entry:
    """A table or figure, with its results if there are any."""

    name: str
    title: str
    source: str
    run: Run | None
    damaged: bool = False  # Whether there are results that cannot be read
    minutes: tuple[float, float] | None = None  # Of the quick and the full protocol


def entries() -> dict[str, Entry]:
    """Return all tables by name: those with printed numbers first, those without results last."""
    folder, known = results_dir(), targets()
    written = sorted(file.parent.name for file in folder.glob(f"*/{FINDINGS}"))
    found = []
    for name in [*known, *(name for name in written if name not in known)]:
        run = _run(folder / name) if name in written else None
        damaged = name in written and run is None
        if name in known:
            target = known[name]
            entry = Entry(name, target.title, target.source, run, damaged, target.cpu_minutes)
        else:
            title, source = (run.title, run.source) if run else (name, "")
            entry = Entry(name, title, source, run, damaged)
        found.append(entry)
    return {entry.name: entry for entry in sorted(found, key=_place)}


def _place(entry: Entry) -> int:
    """Return where an entry stands: the page opens on numbers that can be compared."""
    if entry.run is None:
        return 2
    return int(all(math.isnan(value.published) for value in entry.run.findings.values))


def values_csv(name: str) -> bytes | None:
    """Return the file of a table's values, or None where there is none."""
    try:
        return (results_dir() / name / VALUES).read_bytes()
    except OSError:
        return None


def _run(folder: Path) -> Run | None:
    return _read(folder, (folder / FINDINGS).stat().st_mtime_ns)


@lru_cache(maxsize=64)
def _read(folder: Path, written: int) -> Run | None:
    """Read a run once for each time it was written; its large tables are not shown."""
    try:
        run = read_run(folder)
    except ValueError:
        return None
    return replace(run, findings=replace(run.findings, tables={}, plots=()))
