"""Write and read session files: points to the last bit, settings, and the selection.

A link carries settings only. The file is plain JSON with numbers in base64; nothing in it is ever
executed, and the running session changes only after the whole file has been checked.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nestviz import __version__
from nestviz.data import DataError, Dataset, Limits
from nestviz.ui.compute.methods import METHODS, Kind
from nestviz.ui.session.view_state import Parameters

FORMAT = "nestviz session"
VERSION = 1
ENDING = "nestviz.json"
KINDS: tuple[Kind, ...] = tuple(METHODS)
MOST_PARAMETERS, LONGEST = 200, 2_000
AGAIN = "Save the session once more and use the new file."


@dataclass(frozen=True)
class Session:
    """The content of a session file."""

    page: str  # Address of the page, such as ``"one-class"``
    parameters: Parameters = field(default_factory=dict)  # The settings, as in a link
    dataset: Dataset | None = None  # The user's own data; None where the settings name a sample
    origin: str = ""  # Where the own data came from, such as ``"file"``
    points: tuple[int, ...] = ()  # Rows that are selected
    fingerprint: str = ""  # Of the data that they are selected from
    branch: int | None = None  # Branch of the cluster tree that they were taken from
    # Level last shown, by kind of problem
    levels: dict[str, float] = field(default_factory=dict)


def write(session: Session) -> str:
    """Return the text of a session file."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "written_by": f"nestviz {__version__}",
        "page": session.page,
        "parameters": session.parameters,
        "selection": {
            "fingerprint": session.fingerprint,
            "points": list(session.points),
            "branch": session.branch,
        },
        "levels": session.levels,
        "data": None if session.dataset is None else _packed(session.dataset, session.origin),
    }
    return json.dumps(content, ensure_ascii=False, indent=1)


def read(content: bytes) -> Session:
    """Read a session file; raise DataError where it is damaged, too new or too large."""
    Limits().check_file_size(len(content))
    fields = _parsed(content)
    version = fields.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise DataError("The session file does not say which version it is.", hint=AGAIN)
    if version > VERSION:
        raise DataError(
            f"This session file is of version {version}; this nestviz ({__version__}) reads up to "
            f"version {VERSION}.",
            hint="Update nestviz to open it.",
        )
    chosen = _part(fields, "selection", dict)
    branch = chosen.get("branch")
    dataset, origin = _unpacked(fields.get("data"))
    return Session(
        page=_part(fields, "page", str),
        parameters=_checked_parameters(_part(fields, "parameters", dict)),
        dataset=dataset,
        origin=origin,
        points=_whole_numbers(chosen.get("points", [])),
        fingerprint=str(chosen.get("fingerprint", "")),
        branch=branch if isinstance(branch, int) else None,
        levels=_shares(_part(fields, "levels", dict)),
    )


def _parsed(content: bytes) -> Mapping[str, Any]:
    ours = FORMAT.encode() in content[:200]
    try:
        fields = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        if ours:
            raise DataError(
                "The session file ends too early or was changed: it cannot be read to its end.",
                hint=AGAIN,
            ) from None
        fields = None
    if not isinstance(fields, dict) or fields.get("format") != FORMAT:
        raise DataError(
            "This is not a session file of nestviz.",
            hint=f"Choose a file that ends in .{ENDING}; tables of points go under File.",
        )
    return fields


def _part(fields: Mapping[str, Any], name: str, kind: type) -> Any:
    found = fields.get(name)
    if not isinstance(found, kind):
        raise DataError(f"The part “{name}” of the session file is missing or damaged.", hint=AGAIN)
    return found


def _checked_parameters(given: Mapping[str, Any]) -> Parameters:
    fine = len(given) <= MOST_PARAMETERS and all(
        isinstance(values, list)
        and len(values) <= MOST_PARAMETERS
        and all(isinstance(value, str) and len(value) <= LONGEST for value in values)
        for values in given.values()
    )
    if not fine:
        raise DataError("The settings in the session file are damaged.", hint=AGAIN)
    return {name: list(values) for name, values in given.items()}


def _whole_numbers(given: Any) -> tuple[int, ...]:
    fine = isinstance(given, list) and all(type(row) is int and row >= 0 for row in given)
    if not fine:
        raise DataError("The selection in the session file is damaged.", hint=AGAIN)
    return tuple(given)


def _shares(given: Mapping[str, Any]) -> dict[str, float]:
    return {
        kind: float(given[kind])
        for kind in KINDS
        if isinstance(given.get(kind), (int, float)) and 0 <= given[kind] <= 1
    }


def _packed(dataset: Dataset, origin: str) -> dict[str, Any]:
    return {
        "name": dataset.name,
        "origin": origin,
        "provenance": list(dataset.provenance),
        "feature_names": list(dataset.feature_names),
        "shape": [dataset.n, dataset.d],
        "points": base64.b64encode(dataset.X.astype("<f8").tobytes()).decode(),
        "labels": None if dataset.y is None else base64.b64encode(dataset.y.tobytes()).decode(),
        "fingerprint": dataset.fingerprint,
    }


def _unpacked(given: Any) -> tuple[Dataset | None, str]:
    if given is None:
        return None, ""
    if not isinstance(given, dict):
        raise DataError("The points in the session file are damaged.", hint=AGAIN)
    shape = _whole_numbers(given.get("shape"))
    if len(shape) != 2:
        raise DataError("The session file does not say how many points it holds.", hint=AGAIN)
    Limits().check_shape(*shape)
    X = _array(given.get("points"), "<f8", shape)
    y = None if given.get("labels") is None else _array(given["labels"], "i1", shape[:1])
    names, story = (
        tuple(str(text)[:LONGEST] for text in _part(given, part, list))
        for part in ("feature_names", "provenance")
    )
    dataset = Dataset(X, y, names, str(given.get("name", "data"))[:LONGEST], story)
    if dataset.fingerprint != given.get("fingerprint"):
        raise DataError("The points in the session file were changed on their way.", hint=AGAIN)
    return dataset, str(given.get("origin", ""))[:100]


def _array(text: Any, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    try:
        raw = base64.b64decode(text, validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise DataError("The points in the session file are damaged.", hint=AGAIN) from None
    if len(raw) != int(np.prod(shape)) * np.dtype(dtype).itemsize:
        raise DataError("The session file does not hold all of its points.", hint=AGAIN)
    return np.frombuffer(raw, dtype).reshape(shape)
