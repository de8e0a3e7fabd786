"""Write and read session files: points to the last bit, settings, and the selection.

A link carries settings only. The file is plain JSON with numbers in base64; nothing in it is ever
executed, and the running session changes only after the whole file has been checked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from nestviz import __version__
from nestviz.data import DataError, Dataset, Limits
from nestviz.data.limits import SERVED
from nestviz.ui.compute.methods import METHODS, Kind
from nestviz.ui.decoding import Decoder, name, number, parse_json, several, text, whole
from nestviz.ui.session.packing import (
    AGAIN,
    DAMAGED,
    pack,
    pack_annotations,
    unpack,
    unpack_annotations,
)
from nestviz.ui.session.view_state import RULES, Parameters

T = TypeVar("T")
FORMAT = "nestviz session"
VERSION = 1
ENDING = "nestviz.json"
KINDS: tuple[Kind, ...] = tuple(METHODS)
MOST_PARAMETERS, MOST_ROWS, MOST_SENTENCES, LONGEST = 200, 10_000_000, 1_000, 2_000
MOST_SELECTED = 1_000_000
MOST_VALUES, MOST_PARTS = 2_000_000, 100_000
"""Bounds on a file before it is parsed, by its commas, and by its brackets and colons: values, and
even more keys, take many times the memory of their text. A file of a million selected points has
half as many values."""


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
    version = whole(1, 1_000_000)(fields.get("version"))
    if version is None:
        raise DataError("The session file does not say which version it is.", hint=AGAIN)
    if version > VERSION:
        raise DataError(
            f"This session file is of version {version}; this nestviz ({__version__}) reads up to "
            f"version {VERSION}.",
            hint="Update nestviz to open it.",
        )
    chosen = _part(fields, "selection", dict)
    row = whole(0, MOST_ROWS)
    damaged = "The selection in the session file is damaged."
    dataset, origin = _unpacked(fields.get("data"))
    return Session(
        page=_sound(text(100), _part(fields, "page", str), "The page of the session is damaged."),
        parameters=_checked_parameters(_part(fields, "parameters", dict)),
        dataset=dataset,
        origin=origin,
        points=_sound(several(row, MOST_SELECTED), chosen.get("points", []), damaged),
        fingerprint=_sound(text(100), chosen.get("fingerprint", ""), damaged),
        branch=None if chosen.get("branch") is None else _sound(row, chosen["branch"], damaged),
        levels=_shares(_part(fields, "levels", dict)),
    )


def _parsed(content: bytes) -> Mapping[str, Any]:
    ours = FORMAT.encode() in content[:200]
    parts = sum(content.count(sign) for sign in (b"[", b"{", b":"))
    if parts > MOST_PARTS or content.count(b",") > MOST_VALUES:
        raise DataError("The session file has more parts than one of nestviz can have.", hint=AGAIN)
    try:
        fields = parse_json(content)
    except ValueError:
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


def _part(fields: Mapping[str, Any], part: str, kind: type) -> Any:
    found = fields.get(part)
    if not isinstance(found, kind):
        raise DataError(f"The part “{part}” of the session file is missing or damaged.", hint=AGAIN)
    return found


def _sound(decode: Decoder[T], value: Any, sentence: str) -> T:
    """Return a decoded value; raise a DataError with a sentence where it is not sound."""
    found = decode(value)
    if found is None:
        raise DataError(sentence, hint=AGAIN)
    return found


def _checked_parameters(given: Mapping[str, Any]) -> Parameters:
    """Return the settings of this version; what their texts stand for is read with the address."""

    def written(value: Any) -> str | None:
        found = name(LONGEST)(value)
        return found if found is not None and len(found) == len(value) else None

    texts = several(written, MOST_PARAMETERS)
    found = {key: texts(values) for key, values in given.items()}
    fine = len(given) <= MOST_PARAMETERS and all(values is not None for values in found.values())
    if not fine:
        raise DataError("The settings in the session file are damaged.", hint=AGAIN)
    return {key: list(values or ()) for key, values in found.items() if key in RULES}


def _shares(given: Mapping[str, Any]) -> dict[str, float]:
    damaged = "The levels in the session file are damaged."
    return {
        kind: _sound(number(0.0, 1.0), given[kind], damaged)
        for kind in KINDS
        if given.get(kind) is not None
    }


def _packed(dataset: Dataset, origin: str) -> dict[str, Any]:
    return {
        "name": dataset.name,
        "origin": origin,
        "provenance": list(dataset.provenance),
        "feature_names": list(dataset.feature_names),
        "shape": [dataset.n, dataset.d],
        "points": pack(dataset.X, "<f8"),
        "labels": None if dataset.y is None else pack(dataset.y, "i1"),
        "annotations": pack_annotations(dataset.annotations),
        "fingerprint": dataset.fingerprint,
    }


def _unpacked(given: Any) -> tuple[Dataset | None, str]:
    if given is None:
        return None, ""
    if not isinstance(given, dict):
        raise DataError(DAMAGED, hint=AGAIN)
    n, d = _sound(
        several(whole(0, 10**12), 2, least=2),
        given.get("shape"),
        "The session file does not say how many points it holds.",
    )
    SERVED.check_shape(n, d)
    X = unpack(given.get("points"), "<f8", (n, d))
    y = None if given.get("labels") is None else unpack(given["labels"], "i1", (n,))
    notes = unpack_annotations(given.get("annotations"), n, d)

    def part(key: str, decode: Decoder[T]) -> T:
        return _sound(decode, given.get(key), f"The part “{key}” of the session file is damaged.")

    # A changed name of a feature would be a change of the data.
    features = part("feature_names", several(text(LONGEST, controls=True), Limits().max_columns))
    story = part("provenance", several(name(LONGEST), MOST_SENTENCES))
    origin = part("origin", name(100))
    dataset = Dataset(X, y, features, part("name", name(LONGEST)), story, notes)
    if dataset.fingerprint != given.get("fingerprint"):
        raise DataError("The points in the session file were changed on their way.", hint=AGAIN)
    return dataset, origin
