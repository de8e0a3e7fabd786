"""`Store`: a folder of results, one file for each cell, complete or absent."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.engine.files import PARTIAL, write_whole

ABANDONED = 3600.0
"""Age in seconds from which an unfinished file is one that nobody writes any more."""


@dataclass(frozen=True)
class Kept:
    """A stored result, and the processor time that it took."""

    result: Result
    cpu_seconds: float


@dataclass(frozen=True)
class Store:
    """Results of cells in a folder.

    A file is there as a whole or not at all, and ends with a checksum: a process that is killed
    leaves no half result, and a file that was damaged later counts as missing.

    Attributes
    ----------
    folder : Path
        Where the results are; made when the first one is written.
    """

    folder: Path

    def read(self, cell: Cell) -> Kept | None:
        """Return what is stored for a cell, or None where nothing is or the file is damaged."""
        try:
            content, _, check = self._path(cell).read_text("utf-8").rstrip("\n").rpartition("\n")
            if check != _checksum(content):
                return None
            found: dict[str, Any] = json.loads(content)
            if found["cell"] != json.loads(cell.text):
                return None
            return Kept(found["result"], found["cpu_seconds"])
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            return None

    def write(self, cell: Cell, kept: Kept) -> None:
        """Store the result of a cell."""
        content = {"cell": json.loads(cell.text), "result": kept.result}
        text = json.dumps(content | {"cpu_seconds": kept.cpu_seconds}, ensure_ascii=False)
        write_whole(self._path(cell), f"{text}\n{_checksum(text)}\n")

    def clean(self) -> None:
        """Remove unfinished files that killed processes have left."""
        for file in self.folder.glob(f"*/{PARTIAL}*"):
            try:
                if file.stat().st_mtime < time.time() - ABANDONED:
                    file.unlink()
            except FileNotFoundError:
                # Another process has finished or removed it.
                continue

    def _path(self, cell: Cell) -> Path:
        return self.folder / cell.key[:2] / f"{cell.key}.json"


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
