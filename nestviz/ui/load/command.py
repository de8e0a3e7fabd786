"""``nestviz load``: how many sessions the server carries on this machine."""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import os
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from nestviz.studies.bench.browser_session import AppServer
from nestviz.studies.bench.report import machine
from nestviz.ui.load.crowd import KINDS, Kind, Plan, Times, come_and_go, prepare, visit
from nestviz.ui.load.process import usage

AT_ONCE = 10
"""Sessions open at the same time while sessions come and go."""
EVERY = 50
RELEASED = 30.0
"""Seconds within which the data of closed sessions are released."""
COLUMNS = (
    "sessions", "kind", "actions", "p50", "p95", "longest", "errors", "memory_mb", "cpu_seconds",
    "load_average",
)  # fmt: skip
Row = dict[str, object]


def run(options: argparse.Namespace) -> int:
    """Measure, print a table and optionally keep the rows; return an exit status.

    Parameters
    ----------
    options : argparse.Namespace
        The options of `nestviz.ui.load.options`.

    Returns
    -------
    int
        0, 1 where an action failed, or 2 where the rows cannot be kept.
    """
    for file in (options.json, options.csv):
        if file is not None and not file.parent.is_dir():
            print(f"There is no folder {file.parent} to keep the rows in.", file=sys.stderr)
            return 2
    rows: list[Row] = []
    errors: list[str] = []
    print(_line(COLUMNS), flush=True)
    for sessions in options.sessions:
        plan = Plan(
            sessions, options.seconds, options.think, options.uncached, options.live,
            options.burst, options.seed,
        )  # fmt: skip
        found, wrong = _measured(plan)
        rows, errors = rows + found, errors + wrong
    curve: list[Row] = []
    if options.come_and_go:
        curve, wrong = _flow(options.come_and_go)
        errors += wrong
    print(f"{len(errors)} errors.", *errors[:5], sep="\n  ")
    if options.json is not None:
        kept = {"machine": machine(), "rows": rows, "errors": errors, "memory": curve}
        options.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    if options.csv is not None:
        _write_table(options.csv, rows)
    return 1 if errors else 0


def _measured(plan: Plan) -> tuple[list[Row], list[str]]:
    """Measure one plan on a new server; return its rows and errors."""
    with AppServer("--sessions", str(plan.sessions + 1)) as server:
        asyncio.run(prepare(server.url))
        before = usage(server.pid)
        times = asyncio.run(visit(server.url, plan))
        after = usage(server.pid)
    spent = after.cpu_seconds - before.cpu_seconds
    kinds = [kind for kind in KINDS if times.seconds[kind]]
    rows = [_row(plan, kind, times, after.megabytes, spent) for kind in kinds]
    for row in rows:
        print(_line(row.values()), flush=True)
    return rows, times.errors


def _row(plan: Plan, kind: Kind, times: Times, megabytes: float, spent: float) -> Row:
    """Return a row of the table; memory and CPU are those of the server for all kinds."""
    return {
        "sessions": f"{plan.sessions}{' at once' if plan.burst else ''}",
        "kind": kind,
        "actions": len(times.seconds[kind]),
        "p50": round(times.at(kind, 0.5), 3),
        "p95": round(times.at(kind, 0.95), 3),
        "longest": round(times.at(kind, 1.0), 3),
        "errors": sum(error.startswith(f"{kind}:") for error in times.errors),
        "memory_mb": round(megabytes),
        "cpu_seconds": round(spent, 1),
        "load_average": _load(),
    }


def _flow(visits: int) -> tuple[list[Row], list[str]]:
    """Let sessions come and go on a new server; return its memory over them, and errors."""
    curve: list[Row] = []
    with AppServer("--sessions", str(visits)) as server:
        asyncio.run(prepare(server.url))

        def seen(closed: int) -> None:
            if closed % EVERY == 0:
                row: Row = {"closed": closed, "memory_mb": round(usage(server.pid).megabytes)}
                curve.append(row | {"load_average": _load()})
                print(f"{closed:5} sessions have closed: {row['memory_mb']} MB", flush=True)

        seen(0)
        times = asyncio.run(come_and_go(server.url, visits, AT_ONCE, seen))
        time.sleep(RELEASED)
        seen(visits // EVERY * EVERY)
    return curve, times.errors


def _write_table(file: Path, rows: Sequence[Row]) -> None:
    with file.open("w", newline="", encoding="utf-8") as opened:
        writer = csv.DictWriter(opened, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def _load() -> float | None:
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def _line(cells: Iterable[object]) -> str:
    return " ".join(f"{cell!s:>12}" for cell in cells)
