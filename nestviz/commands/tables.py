"""Columns as CSV or JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nestviz.commands.sources import Points
from nestviz.data import table_to_csv

Columns = Mapping[str, Any]


def arranged(points: Points, results: Columns) -> dict[str, Any]:
    """Return row, identifiers, results and features of points.

    Results keep their names; a column of the file whose name is taken gets underscores.
    """
    taken = {"row", *results}

    def free(columns: Columns) -> dict[str, Any]:
        found = {}
        for name, values in columns.items():
            while name in taken:
                name += "_"
            taken.add(name)
            found[name] = values
        return found

    ids = free(points.ids)
    return {"row": points.rows, **ids, **results, **free(points.features())}


def take(columns: Columns, rows: Any) -> dict[str, Any]:
    """Return some rows of all columns, in the order given."""
    order = np.asarray(rows, dtype=np.intp).tolist()
    cells = {name: _cells(values) for name, values in columns.items()}
    return {name: [values[k] for k in order] for name, values in cells.items()}


def to_csv(columns: Columns) -> str:
    """Return columns as CSV, numbers to their last digit, nothing where a value is missing."""
    cells = [_cells(values) for values in columns.values()]
    rows = zip(*cells, strict=True)
    return table_to_csv(
        list(columns), (["" if cell is None else cell for cell in row] for row in rows)
    )


def records(columns: Columns) -> list[dict[str, Any]]:
    """Return one object for each row."""
    cells = [_cells(values) for values in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*cells, strict=True)]


def to_json(value: Any) -> str:
    """Return a value as JSON; numbers that JSON does not have are null."""
    return json.dumps(plain(value), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def plain(value: Any) -> Any:
    """Return arrays as lists, NumPy numbers as Python ones, and None for infinity and NaN."""
    if isinstance(value, Mapping):
        return {str(name): plain(entry) for name, entry in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _cells(values: Any) -> Sequence[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else values
