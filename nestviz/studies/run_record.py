"""`Run`: what a study found, with what is needed to judge it, and its folder of files."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from nestviz.data import table_to_csv
from nestviz.studies.engine.files import write_whole
from nestviz.studies.findings import Claim, Findings, Row, Value

FINDINGS = "findings.json"
RUN = "run.json"
TABLES = "tables.json"
_OWN = ("values", "claims")
"""Names of the files that every run has beside its tables."""
_INFINITE = {"inf": math.inf, "-inf": -math.inf}


@dataclass(frozen=True)
class Run:
    """A study that ran to its end.

    Attributes
    ----------
    name : str
        Name of the target or study, which is also the name of its folder.
    title, source : str
        What it shows, and where it is printed.
    protocol : str
        ``"quick"`` or ``"full"``; ``"own"`` for a study of one's own.
    describe : sequence of str
        The protocol in sentences.
    findings : Findings
        What was found.
    cpu_seconds : float
        Processor time of all cells, whenever they were computed.
    wall_seconds : float
        Time of the last command, which computed `computed` of the cells.
    cells, computed : int
        Number of all cells, and of those that the last command computed.
    versions : mapping of str to str
        Versions of Python, nestviz and the packages that the numbers depend on.
    machine : mapping of str to str
        System, processor and how the cells were computed.
    seed : int or None
        Seed of all random numbers; None where nothing is random.
    page : str
        Page of the app that shows the subject.
    """

    name: str
    title: str
    source: str
    protocol: str
    describe: Sequence[str]
    findings: Findings
    cpu_seconds: float
    wall_seconds: float
    cells: int
    computed: int = 0
    versions: Mapping[str, str] = field(default_factory=dict)
    machine: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    page: str = ""


_VARIES = ("cpu_seconds", "wall_seconds", "computed", "versions", "machine")
"""What may differ between two runs of the same study; everything else is the same to the byte."""


def write_run(folder: Path, run: Run) -> Path:
    """Write a run into its folder below `folder`, in place of an earlier run of that name.

    Returns
    -------
    Path
        The folder: ``findings.json``, ``tables.json``, ``values.csv``, ``claims.csv`` and a CSV
        file for each table, which are the same bytes whenever and however the study ran, and
        ``run.json`` with times, versions and machine.
    """
    own, files = folder / run.name, _file_names(run.findings.tables)
    tables = {
        "values": [_value_row(value) for value in run.findings.values],
        "claims": [asdict(claim) for claim in run.findings.claims],
    } | {files[name]: rows for name, rows in run.findings.tables.items()}
    _remove_tables_of_earlier_run(own, keep=set(tables))
    for name, rows in tables.items():
        write_whole(own / f"{name}.csv", _csv(rows, _COLUMNS.get(name, ())))
    everything = {f.name: getattr(run, f.name) for f in fields(run)}
    everything["findings"] = run.findings.plain() | {"tables": {}}
    packed = {name: _packed(rows) for name, rows in run.findings.tables.items()}
    write_whole(own / TABLES, json.dumps(_storable(packed), ensure_ascii=False) + "\n")
    steady = {name: part for name, part in everything.items() if name not in _VARIES}
    write_whole(own / RUN, _json({name: everything[name] for name in _VARIES}))
    write_whole(own / FINDINGS, _json(steady))
    return own


def read_run(folder: Path) -> Run:
    """Read a run from its own folder.

    Raises
    ------
    ValueError
        If a file is missing or damaged.
    """
    try:
        content = {
            name: part
            for file in (FINDINGS, RUN)
            for name, part in json.loads((folder / file).read_text("utf-8")).items()
        }
        tables = json.loads((folder / TABLES).read_text("utf-8"))
        content["findings"]["tables"] = {name: _unpacked(part) for name, part in tables.items()}
        content["findings"] = _findings(content["findings"])
        return Run(**content)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as fault:
        raise ValueError(f"{folder} does not hold the results of a study: {fault}.") from fault


def run_folders(folder: Path) -> list[Path]:
    """Return the folders of all runs in a folder, by name."""
    return [file.parent for file in sorted(folder.glob(f"*/{FINDINGS}"))]


def read_runs(folder: Path) -> list[Run]:
    """Read all runs of a folder, by name."""
    return [read_run(own) for own in run_folders(folder)]


_COLUMNS = {
    "values": [f.name for f in fields(Value) if f.name != "view"] + ["distance"],
    "claims": [f.name for f in fields(Claim)],
}


def _value_row(value: Value) -> Row:
    return {name: getattr(value, name) for name in _COLUMNS["values"]}


def _file_names(tables: Iterable[str]) -> dict[str, str]:
    """Return the name of the file of each table: its words, joined by hyphens."""
    found: dict[str, str] = {}
    for name in tables:
        file = re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.")
        if not file or file in _OWN or file in found.values():
            raise ValueError(f"A table of a study cannot be called {name!r}: its file has no name.")
        found[name] = file
    return found


def _remove_tables_of_earlier_run(own: Path, keep: set[str]) -> None:
    """Remove tables that an earlier run has written and this one does not have."""
    if not (own / FINDINGS).exists():
        return
    try:
        earlier = _file_names(read_run(own).findings.tables)
    except ValueError:
        return
    for file in set(earlier.values()) - keep:
        (own / f"{file}.csv").unlink(missing_ok=True)


def _packed(rows: Sequence[Row]) -> Any:
    """Return rows without repeating the names of their columns, if all have the same."""
    names = list(rows[0]) if rows else []
    if not rows or any(list(row) != names for row in rows):
        return list(rows)
    return {"columns": names, "rows": [list(row.values()) for row in rows]}


def _unpacked(part: Any) -> list[Row]:
    if isinstance(part, list):
        return part
    return [dict(zip(part["columns"], row, strict=True)) for row in part["rows"]]


def _csv(rows: Sequence[Row], columns: Sequence[str]) -> str:
    names = list(columns) or list(dict.fromkeys(name for row in rows for name in row))
    return table_to_csv(names, ([_cell(row.get(name)) for name in names] for row in rows))


def _cell(value: Any) -> object:
    """Return a value for a CSV file: numbers with all their digits, nothing for NaN."""
    value = value.item() if isinstance(value, np.generic) else value
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return value


def _json(content: Any) -> str:
    return json.dumps(_storable(content), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _storable(value: Any) -> Any:
    """Return what JSON can hold: null for NaN, text for infinity."""
    if isinstance(value, Mapping):
        return {str(name): _storable(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_storable(part) for part in value]
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else str(value)
    return value


def _findings(content: dict[str, Any]) -> Findings:
    values = [_numbers(value, but=("item", "quantity", "view")) for value in content["values"]]
    tables = {name: [_numbers(row) for row in rows] for name, rows in content["tables"].items()}
    return replace(Findings.of_plain(content | {"values": values}), tables=tables)


def _numbers(row: Row, but: Sequence[str] = ()) -> Row:
    """Return a row with the numbers that JSON cannot hold; nothing in a table is NaN."""
    return {name: x if name in but else _number(x) for name, x in row.items()}


def _number(value: Any) -> Any:
    if value is None:
        return math.nan
    return _INFINITE.get(value, value) if isinstance(value, str) else value
