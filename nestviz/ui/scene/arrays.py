"""The arrays of a message to the browser."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


@dataclass
class ArrayTable:
    """The arrays of a message; equal ones, such as points shown twice, are sent once."""

    entries: list[dict[str, Any]] = field(default_factory=list)
    chunks: list[bytes] = field(default_factory=list)
    indices: dict[tuple[str, bytes], int] = field(default_factory=dict)
    size: int = 0

    def add(self, array: ArrayLike, dtype: str) -> int:
        """Append ``array`` unless it is there already, and return its index."""
        flat = np.ascontiguousarray(array, dtype=np.dtype(dtype).newbyteorder("<")).ravel()
        raw = flat.tobytes()
        if (dtype, raw) not in self.indices:
            self.indices[dtype, raw] = len(self.entries)
            self.entries.append({"dtype": dtype, "offset": self.size, "length": flat.size})
            padded = raw + b"\0" * (-len(raw) % 8)
            self.chunks.append(padded)
            self.size += len(padded)
        return self.indices[dtype, raw]

    def message(self, header: dict[str, Any]) -> bytes:
        """Return header and arrays as one message."""
        text = json.dumps(header | {"arrays": self.entries}, allow_nan=False, default=_plain_value)
        raw = text.encode()
        padding = b"\0" * (-(len(raw) + 4) % 8)
        return b"".join([len(raw).to_bytes(4, "little"), raw, padding, *self.chunks])


def _plain_value(value: object) -> object:
    """Convert NumPy scalars and arrays for JSON."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"A scene cannot contain a {type(value).__name__}; use text or numbers.")
