"""`Store`: a folder of results, one file for each cell, complete or absent."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nestviz.studies.engine.cells import Cell, Result


@dataclass(frozen=True)
class Kept:
    """A stored result, and the processor time that it took."""

    result: Result
    cpu_seconds: float


@dataclass(frozen=True)
class Store:
    """Results of cells in a folder.

    Results are written under another name and renamed: a process that is killed leaves either
    the whole result or none.

    Attributes
    ----------
    folder : Path
        Where the results are; made when the first one is written.
    """

    folder: Path

    def read(self, cell: Cell) -> Kept | None:
        """Return what is stored for a cell, or None where nothing is or the file is damaged."""
        try:
            content: dict[str, Any] = json.loads(self._path(cell).read_text("utf-8"))
            if content["cell"] != json.loads(cell.text):
                return None
            return Kept(content["result"], content["cpu_seconds"])
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            return None

    def write(self, cell: Cell, kept: Kept) -> None:
        """Store the result of a cell."""
        path = self._path(cell)
        path.parent.mkdir(parents=True, exist_ok=True)
        content = {"cell": json.loads(cell.text), "result": kept.result}
        text = json.dumps(content | {"cpu_seconds": kept.cpu_seconds}, ensure_ascii=False)
        partial = path.with_name(f".{path.name}.{os.getpid()}")
        partial.write_text(text, "utf-8")
        os.replace(partial, path)

    def _path(self, cell: Cell) -> Path:
        return self.folder / cell.key[:2] / f"{cell.key}.json"
