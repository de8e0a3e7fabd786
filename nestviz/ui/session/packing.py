"""Arrays and annotations of points as parts of a session file, checked when they are read."""

from __future__ import annotations

import base64
import binascii
from typing import Any

import numpy as np

from nestviz.data import DataError
from nestviz.data.annotations import MOST_BYTES, TEXT_BYTES, Annotations, Cells
from nestviz.ui.decoding import several, text

PIECE = 1 << 20
"""Characters of base64 that are decoded at a time, so that other sessions get their turn."""
AGAIN = "Save the session once more and use the new file."
DAMAGED = "The points in the session file are damaged."
MOST_COLUMNS, LONGEST = 1_000, 2_000


def pack(array: np.ndarray, dtype: str) -> str:
    """Return numbers as base64, little-endian."""
    return base64.b64encode(array.astype(dtype).tobytes()).decode()


def unpack(packed: Any, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return an array of a shape; raise DataError where the text is not one."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    raw = _raw(packed)
    if len(raw) != size or len(packed) != 4 * -(-size // 3):
        raise DataError("The session file does not hold all of its points.", hint=AGAIN)
    return np.frombuffer(raw, dtype).reshape(shape)


def _raw(packed: Any) -> bytearray:
    if not isinstance(packed, str):
        raise DataError(DAMAGED, hint=AGAIN)
    raw = bytearray()
    try:
        for start in range(0, len(packed), PIECE):
            raw += binascii.a2b_base64(packed[start : start + PIECE], strict_mode=True)
    except ValueError:
        raise DataError(DAMAGED, hint=AGAIN) from None
    return raw


def pack_annotations(notes: Annotations | None) -> dict[str, Any] | None:
    """Return annotations as a part of a session file."""
    if notes is None:
        return None
    return {
        "rows": None if notes.rows is None else pack(notes.rows, "<i8"),
        "own": None if notes.own is None else pack(notes.own, "<f8"),
        "units": None if notes.units is None else pack(notes.units, "<f8"),
        "ids": list(notes.ids),
        "names": list(notes.columns),
        "columns": [_packed_cells(cells) for cells in notes.columns.values()],
        "digest": notes.digest,
    }


def _packed_cells(cells: Cells) -> dict[str, str]:
    if cells.dtype != object:
        return {"numbers": pack(cells, "<f8")}
    # One text for all: cells with their commas and colons would look like parts of the file.
    texts = [cell.encode(errors="replace") for cell in cells]
    lengths = np.array([len(cell) for cell in texts], dtype=np.int64)
    return {"lengths": pack(lengths, "<i4"), "texts": base64.b64encode(b"".join(texts)).decode()}


def unpack_annotations(given: Any, n: int, d: int) -> Annotations | None:
    """Return the annotations of n points with d features; files of earlier versions have none."""
    if given is None:
        return None
    if not isinstance(given, dict):
        raise DataError(DAMAGED, hint=AGAIN)
    names = several(text(LONGEST, controls=True), MOST_COLUMNS)(given.get("names"))
    ids = several(text(LONGEST, controls=True), MOST_COLUMNS)(given.get("ids"))
    columns = given.get("columns")
    if names is None or ids is None or not isinstance(columns, list) or len(columns) != len(names):
        raise DataError(DAMAGED, hint=AGAIN)

    def array(part: str, dtype: str, shape: tuple[int, ...]) -> np.ndarray | None:
        return None if given.get(part) is None else unpack(given[part], dtype, shape)

    cells = {name: _cells(packed, n) for name, packed in zip(names, columns, strict=True)}
    notes = Annotations(
        array("rows", "<i8", (n,)),
        ids,
        cells,
        array("own", "<f8", (n, d)),
        array("units", "<f8", (2, d)),
    )
    if notes.digest != given.get("digest"):
        raise DataError("The points in the session file were changed on their way.", hint=AGAIN)
    return notes


def _cells(packed: Any, n: int) -> Cells:
    if not isinstance(packed, dict):
        raise DataError(DAMAGED, hint=AGAIN)
    if "numbers" in packed:
        return unpack(packed["numbers"], "<f8", (n,))
    lengths = unpack(packed.get("lengths"), "<i4", (n,)).astype(np.int64)
    raw = bytes(_raw(packed.get("texts")))
    ends = np.cumsum(lengths)
    whole = int(ends[-1]) if n else 0
    if n * TEXT_BYTES + len(raw) > 4 * MOST_BYTES or (lengths < 0).any() or whole != len(raw):
        raise DataError(DAMAGED, hint=AGAIN)
    starts = (ends - lengths).tolist()
    # Each different text once, as in the table that it was read from.
    known: dict[bytes, str] = {}
    cells = np.empty(n, dtype=object)
    for row, (start, end) in enumerate(zip(starts, ends.tolist(), strict=True)):
        cell = raw[start:end]
        if cell not in known:
            known[cell] = cell.decode(errors="replace")
        cells[row] = known[cell]
    return cells
