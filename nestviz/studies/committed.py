"""Results of studies that come with the project: numbers of past runs, read from their files."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nestviz.resources import app_dir


@dataclass(frozen=True)
class Measured:
    """One number of a study: a row, a column, the mean and the standard deviation."""

    item: str
    quantity: str
    ours: float
    sd: float


def committed_values(study: str, folder: Path | None = None) -> tuple[Measured, ...] | None:
    """Read the values of a study's findings.

    Parameters
    ----------
    study : str
        Name of the study, such as ``"fig7"``.
    folder : Path, optional
        Where the results are; by default ``docs/results`` of the project.

    Returns
    -------
    tuple of Measured or None
        None where there are no results of this study.

    Raises
    ------
    ValueError
        If the file is not one of findings.
    """
    file = (folder or app_dir() / "docs" / "results") / study / "findings.json"
    if not file.is_file():
        return None
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
        return tuple(_measured(value) for value in content["values"])
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{file.name} of the study {study} is not a file of findings.") from error


def _measured(value: dict[str, Any]) -> Measured:
    sd = value.get("sd")
    spread = math.nan if sd is None else float(sd)
    return Measured(str(value["item"]), str(value["quantity"]), float(value["ours"]), spread)
