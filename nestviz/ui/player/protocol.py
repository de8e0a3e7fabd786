"""The message that carries a sweep to the browser.

The message is ``<header length: uint32> <JSON header> <padding> <arrays>``, all little
endian, header and arrays each padded to four bytes. Coordinates are int16: the view box
is mapped to -16000..16000 on both axes, which leaves half a box on every side and is finer
than a tenth of a pixel on a screen 3000 pixels wide.
"""

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestviz.palette import QUANTUM
from nestviz.ui.player.data import Panel, Rings, SweepData

__all__ = ["Panel", "Rings", "SweepData", "decode", "encode", "read_header"]

VERSION = 1


@dataclass
class _ArrayTable:
    """The arrays of a message; equal ones, such as points shown twice, are sent once."""

    entries: list[dict[str, Any]] = field(default_factory=list)
    chunks: list[bytes] = field(default_factory=list)
    indices: dict[tuple[str, bytes], int] = field(default_factory=dict)
    size: int = 0

    def add(self, array: NDArray[Any], dtype: str) -> int:
        """Append ``array`` unless it is there already, and return its index."""
        flat = np.ascontiguousarray(array, dtype=np.dtype(dtype).newbyteorder("<")).ravel()
        raw = flat.tobytes()
        if (dtype, raw) not in self.indices:
            self.indices[dtype, raw] = len(self.entries)
            self.entries.append({"dtype": dtype, "offset": self.size, "length": flat.size})
            padded = raw + b"\0" * (-len(raw) % 4)
            self.chunks.append(padded)
            self.size += len(padded)
        return self.indices[dtype, raw]


def _quantise(points: NDArray[np.float64], view: Sequence[float]) -> NDArray[np.int16]:
    xmin, xmax, ymin, ymax = view
    unit = (points - (xmin, ymin)) / (xmax - xmin, ymax - ymin)
    # A point may lie far outside the view; at the limit it is still outside, not drawn.
    return np.clip(np.rint((unit - 0.5) * QUANTUM), -32_768, 32_767).astype(np.int16)


def _restore(quantised: NDArray[np.int16], view: Sequence[float]) -> NDArray[np.float64]:
    xmin, xmax, ymin, ymax = view
    unit = quantised.reshape(-1, 2) / QUANTUM + 0.5
    return unit * (xmax - xmin, ymax - ymin) + (xmin, ymin)


def _encode_layer(
    frames: Sequence[Rings], view: Sequence[float], table: _ArrayTable
) -> dict[str, int]:
    rings = [ring for frame in frames for ring in frame]
    vertices = np.concatenate(rings) if rings else np.empty((0, 2))
    ring_starts = np.cumsum([0, *(len(ring) for ring in rings)])
    frame_starts = np.cumsum([0, *(len(frame) for frame in frames)])
    return {
        "vertices": table.add(_quantise(vertices, view), "int16"),
        "ring_starts": table.add(ring_starts, "uint32"),
        "frame_starts": table.add(frame_starts, "uint32"),
    }


def _encode_panel(panel: Panel, view: Sequence[float], table: _ArrayTable) -> dict[str, Any]:
    overlay, sizes, texts = panel.overlay, panel.marker_sizes, panel.texts
    flags = panel.flags
    return {
        "title": panel.title,
        "points": table.add(_quantise(panel.points, view), "int16"),
        "classes": table.add(panel.classes, "uint8"),
        "sets": _encode_layer(panel.sets, view, table),
        "overlay": None if overlay is None else _encode_layer(overlay, view, table),
        "marker_sizes": None if sizes is None else table.add(np.rint(sizes * 255), "uint8"),
        "texts": None if texts is None else list(texts),
        "flags": None if flags is None else table.add(flags, "uint8"),
    }


_PLAIN = (
    "labels", "captions", "level_name", "view", "alt", "axis_names", "class_names", "set_name",
    "overlay_name", "flag_name", "shown", "start", "autoplay", "loop", "ghost_every",
    "keep_aspect", "frames_per_second",
)  # fmt: skip
"""Fields of ``SweepData`` that the header holds as they are."""


def encode(sweep: SweepData, player: Mapping[str, Any] | None = None) -> bytes:
    """Pack a sweep for the browser.

    Parameters
    ----------
    sweep : SweepData
        The sweep to show.
    player : mapping, optional
        Settings of the player itself (its id, its height); they go into the header.

    Returns
    -------
    bytes
        The message; the same sweep gives the same bytes.
    """
    table = _ArrayTable()
    header: dict[str, Any] = {name: getattr(sweep, name) for name in _PLAIN}
    header["version"] = VERSION
    header["player"] = dict(player or {})
    header["levels"] = table.add(np.asarray(sweep.levels), "float64")
    header["panels"] = [_encode_panel(panel, sweep.view, table) for panel in sweep.panels]
    header["arrays"] = table.entries
    text = json.dumps(header, allow_nan=False, default=_plain_value).encode()
    padding = b"\0" * (-len(text) % 4)
    return b"".join([len(text).to_bytes(4, "little"), text, padding, *table.chunks])


def _plain_value(value: object) -> object:
    """Convert NumPy scalars and arrays for JSON."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"A sweep cannot contain a {type(value).__name__}; use text or numbers.")


def read_header(payload: bytes) -> dict[str, Any]:
    """Return the JSON header of a message.

    Parameters
    ----------
    payload : bytes
        A message of `encode`.

    Returns
    -------
    dict
    """
    length = int.from_bytes(payload[:4], "little")
    header: dict[str, Any] = json.loads(payload[4 : 4 + length])
    if header["version"] != VERSION:
        raise ValueError(
            f"The message has version {header['version']}, but version {VERSION} is needed; "
            "write and read it with the same release."
        )
    return header


def decode(payload: bytes) -> SweepData:
    """Unpack a message, with coordinates exact to half a quantum.

    Parameters
    ----------
    payload : bytes
        A message of `encode`.

    Returns
    -------
    SweepData
    """
    header = read_header(payload)
    length = int.from_bytes(payload[:4], "little")
    body = 4 + length + (-length % 4)
    arrays = [
        np.frombuffer(
            payload,
            np.dtype(entry["dtype"]).newbyteorder("<"),
            count=entry["length"],
            offset=body + entry["offset"],
        )
        for entry in header["arrays"]
    ]
    panels = tuple(_decode_panel(panel, arrays, header["view"]) for panel in header["panels"])
    plain: dict[str, Any] = {
        name: tuple(header[name]) if isinstance(header[name], list) else header[name]
        for name in _PLAIN
    }
    return SweepData(panels=panels, levels=tuple(arrays[header["levels"]].tolist()), **plain)


def _decode_panel(
    panel: Mapping[str, Any], arrays: Sequence[NDArray[Any]], view: Sequence[float]
) -> Panel:
    overlay, sizes, texts = panel["overlay"], panel["marker_sizes"], panel["texts"]
    flags = panel["flags"]
    sets = _decode_layer(panel["sets"], arrays, view)
    return Panel(
        title=panel["title"],
        points=_restore(arrays[panel["points"]], view),
        classes=arrays[panel["classes"]],
        sets=sets,
        overlay=None if overlay is None else _decode_layer(overlay, arrays, view),
        marker_sizes=None if sizes is None else arrays[sizes].reshape(len(sets), -1) / 255,
        texts=None if texts is None else tuple(texts),
        flags=None if flags is None else arrays[flags].astype(np.bool_),
    )


def _decode_layer(
    layer: Mapping[str, int], arrays: Sequence[NDArray[Any]], view: Sequence[float]
) -> tuple[Rings, ...]:
    starts = arrays[layer["ring_starts"]]
    rings = np.split(_restore(arrays[layer["vertices"]], view), starts[1:-1])[: len(starts) - 1]
    frames = arrays[layer["frame_starts"]].tolist()
    return tuple(tuple(rings[a:b]) for a, b in itertools.pairwise(frames))
