"""The message that carries a scene to the browser.

The message is ``<header length: uint32> <JSON header> <padding> <arrays>``, all little endian,
header and arrays each padded to eight bytes. ``js/decode.js`` reads it.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from nestviz.ui.scene.arrays import ArrayTable
from nestviz.ui.scene.family_form import family_form
from nestviz.ui.scene.lattices import band_form, truth_form
from nestviz.ui.scene.scene import Panel, Scene

__all__ = ["PackedScene", "encode_scene", "pack_scene", "read_header"]

VERSION = 2
SCREEN = 600
"""Pixels along the longer side of a panel, for the error that knots may make."""
Detail = Literal["knots", "exact"]


_PLAIN = (
    "view", "alt", "axis_names", "class_names", "set_name", "overlay_name", "flag_name", "shown",
    "start", "autoplay", "loop", "ghosts", "stops_per_second", "stepwise", "captions", "notes",
    "by_class", "live",
)  # fmt: skip
"""Fields of ``Scene`` that the header holds as they are."""


def encode_scene(
    scene: Scene, player: Mapping[str, Any] | None = None, detail: Detail = "exact"
) -> bytes:
    """Pack a scene for the browser.

    Parameters
    ----------
    scene : Scene
        The scene to show.
    player : mapping, optional
        Settings of the player itself (its id, its height); they go into the header.
    detail : {"exact", "knots"}
        Whether solution paths are sent with all their breakpoints, or by knots between which the
        outline is off by less than a tenth of a pixel.

    Returns
    -------
    bytes
        The message; the same scene gives the same bytes.
    """
    return pack_scene(scene, detail).message(player)


@dataclass(frozen=True)
class PackedScene:
    """A scene whose arrays are packed, for messages to several browsers."""

    header: dict[str, Any]
    table: ArrayTable

    def message(
        self, player: Mapping[str, Any] | None = None, live: Mapping[str, str] | None = None
    ) -> bytes:
        """Return the message to one browser.

        Parameters
        ----------
        player : mapping, optional
            Settings of the player itself.
        live : mapping, optional
            How this browser asks for families; by default that of the scene.

        Returns
        -------
        bytes
        """
        own = {"player": dict(player or {})}
        return self.table.message(self.header | own | ({} if live is None else {"live": live}))


def pack_scene(scene: Scene, detail: Detail = "exact") -> PackedScene:
    """Pack the arrays of a scene; see `encode_scene`."""
    table = ArrayTable()
    header: dict[str, Any] = {name: getattr(scene, name) for name in _PLAIN}
    header["version"] = VERSION
    if scene.neutral:
        header["neutral"] = True
    if scene.point_names:
        header["point_names"] = list(scene.point_names)
    header["player"] = {}
    scale = scene.scale
    header["scale"] = {
        "name": scale.name,
        "form": scale.form,
        "levels": table.add(scale.levels, "float64"),
        "numbers": table.add(scale.numbers, "float64"),
    }
    header["panels"] = [_panel(panel, scene, table, detail) for panel in scene.panels]
    header["knobs"] = [asdict(knob) for knob in scene.knobs]
    header["truth"] = None if scene.truth is None else truth_form(scene.truth, table)
    table.indices.clear()  # the arrays once more
    return PackedScene(header, table)


def _panel(panel: Panel, scene: Scene, table: ArrayTable, detail: Detail) -> dict[str, Any]:
    xmin, xmax, ymin, ymax = scene.view
    levels = scene.scale.levels
    return {
        "title": panel.title,
        "points": table.add(panel.points, "float64"),
        "classes": table.add(panel.classes, "uint8"),
        "family": family_form(
            panel.family,
            panel.plane,
            table,
            detail=detail,
            span=(float(levels.min()), float(levels.max())),
            pixel=max(xmax - xmin, ymax - ymin) / SCREEN,
        ),
        "intervals": _intervals(panel, table),
        "inside": None if panel.inside is None else table.add(np.packbits(panel.inside), "uint8"),
        "size_scale": panel.size_scale,
        "size_rows": None if panel.size_rows is None else table.add(panel.size_rows, "uint32"),
        "weights": None if panel.weights is None else table.add(panel.weights, "float32"),
        "hollow": None if panel.hollow is None else table.add(panel.hollow, "uint8"),
        "band": None if panel.band is None else band_form(panel.band, table),
    }


def _intervals(panel: Panel, table: ArrayTable) -> dict[str, int] | None:
    found = panel.intervals
    if found is None:
        return None
    # Levels beyond all numbers are drawn at the end of the axis.
    ends = (np.nan_to_num(side, posinf=1e300, neginf=-1e300) for side in (found.lower, found.upper))
    lower, upper = (table.add(side, "float64") for side in ends)
    return {"starts": table.add(found.indptr, "uint32"), "lower": lower, "upper": upper}


def read_header(payload: bytes) -> dict[str, Any]:
    """Return the JSON header of a message.

    Parameters
    ----------
    payload : bytes
        A message of `encode_scene`.

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
