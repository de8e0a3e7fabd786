"""Excel and OpenDocument workbooks, read in a separate process."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nestviz.data.archives import open_zip, read_member
from nestviz.data.errors import DataError
from nestviz.data.limits import MEGABYTE, Limits
from nestviz.data.records import Frame, read_records
from nestviz.data.tables import Guess, ReadChoices

XLS_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_WORKER = Path(__file__).with_name("sheet_worker.py")
_SECONDS, _SECONDS_PER_MEGABYTE = 20, 2
# Memory of the process itself, and for an orderly end when the limit is reached.
_BASE_MEMORY = 512 * MEGABYTE
# A cell takes about ten times eight bytes inside the spreadsheet library.
_MEMORY_FACTOR = 10


def read_spreadsheet(
    content: bytes, choices: ReadChoices, limits: Limits
) -> tuple[Frame, list[Guess]]:
    """Read one sheet of a workbook."""
    if importlib.util.find_spec("python_calamine") is None:
        raise DataError(
            "Workbooks need the package python-calamine, which is not installed.",
            hint='Install it with: pip install "nestviz[io]"',
        )
    if content.startswith(b"PK"):
        _check_unpacking(content, limits)
    about, *rows = _ask_worker(content, choices.sheet, limits)
    _check_answer(about, choices.sheet)
    limits.check_shape(about["rows"], about["columns"])
    guesses = []
    if choices.sheet is None:
        sheets = ", ".join(about["sheets"])
        why = f"It is the first sheet with data, of {sheets}."
        guesses.append(Guess("sheet", about["sheet"], why))

    def open_rows() -> Iterator[list[str]]:
        return (json.loads(row) for row in rows)

    frame = read_records(open_rows, choices.decimal or ".", choices.header, limits)
    return frame, guesses


def _check_unpacking(content: bytes, limits: Limits) -> None:
    """Unpack every member once, counting, since a declared size may be false."""
    archive = open_zip(content, limits)
    total = 0
    for name in archive.namelist():
        total += len(read_member(archive, name, limits))
        limits.check_unpacked_size(total)


def _ask_worker(content: bytes, sheet: str | None, limits: Limits) -> list[Any]:
    """Run the worker; return the description of the sheet, then one JSON text for each row."""
    request = {
        "sheet": sheet,
        "max_rows": limits.max_rows,
        "max_columns": limits.max_columns,
        "max_cells": limits.max_decompressed_bytes // 8,
        "max_memory": _BASE_MEMORY + _MEMORY_FACTOR * limits.max_decompressed_bytes,
    }
    command = [sys.executable, "-P", str(_WORKER), json.dumps(request)]
    # A trace of the native code would only cost time and memory.
    environment = {**os.environ, "RUST_BACKTRACE": "0"}
    seconds = _SECONDS + _SECONDS_PER_MEGABYTE * len(content) // MEGABYTE
    try:
        done = subprocess.run(
            command,
            input=content,
            capture_output=True,
            timeout=seconds,
            check=False,
            env=environment,
        )
    except subprocess.TimeoutExpired as fault:
        raise DataError(
            f"The workbook could not be read within {seconds} seconds.",
            hint="Save the sheet as CSV and try again.",
        ) from fault
    if done.returncode != 0:
        raise DataError(
            "The workbook cannot be read: it is damaged, or spreads its cells too widely.",
            hint="Save the sheet as CSV and try again.",
        )
    about, *rows = done.stdout.splitlines()
    return [json.loads(about), *rows]


def _check_answer(about: dict[str, Any], wanted: str | None) -> None:
    if about.get("fault") == "password":
        raise DataError("The workbook is protected by a password.", hint="Save it without one.")
    if "fault" in about:
        raise DataError(
            f"The workbook cannot be read ({about['fault']}).",
            hint="Open it in a spreadsheet program and save it again, or save it as CSV.",
        )
    if about["sheet"] is None and wanted is not None:
        raise DataError(
            f"The workbook has no sheet called '{wanted}'.",
            hint=f"Choose one of {', '.join(about['sheets'])}.",
        )
    if about["sheet"] is None or about["rows"] == 0:
        raise DataError("The workbook has no data.", hint="Choose a sheet with at least a row.")
