"""A sweep as Python packs it, and as Python reads it back, for the test of the browser's decoder.

``python tests/js/sweep_fixture.py`` writes both files anew; ``test_protocol.py`` compares them.
"""

import json
from pathlib import Path

import numpy as np

from nestviz.ui.player.protocol import Panel, Rings, SweepData, decode, encode

MESSAGE = Path(__file__).with_name("sweep.bin")
EXPECTED = Path(__file__).with_name("sweep.json")
PLAYER = {"id": "ünïcode", "height": 300, "show": ["legend", "speed"], "report": True}
SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
TRIANGLE = np.array([(-0.5, 0.0), (0.5, 0.0), (0.0, 0.75)])


def build() -> SweepData:
    """Return a sweep in which no two parts are equal: empty frames, holes, sizes, flags, texts."""
    points = np.array([(-2.0, -1.0), (3.0, 1.5), (0.5, 0.25), (-1.99, 1.49), (40.0, -40.0)])
    classes = np.array([0, 1, 1, 0, 2])
    left = Panel(
        "left „1“", points, classes,
        [(), (SQUARE / 2,), (SQUARE, TRIANGLE / 2)],
        overlay=[(TRIANGLE,), (), ()],
        marker_sizes=np.linspace(0, 1, 15).reshape(3, 5),
        texts=[f"Zeile {i} <b>" for i in range(5)],
        flags=classes == 1,
    )  # fmt: skip
    right = Panel("right", points[:2], classes[:2], [(TRIANGLE,), (TRIANGLE, SQUARE), ()])
    return SweepData(
        (left, right), (0.125, 0.25, 1 / 3), ("⅛", "¼", "⅓"), ("one", "two", "three"), "level λ",
        (-2.0, 3.0, -1.0, 1.5), "Squares", axis_names=("α", "β"), class_names=("+1", "−1", "new"),
        overlay_name="violated", start=1, ghost_every=2,
    )  # fmt: skip


def _layer(frames: tuple[Rings, ...] | None) -> list | None:
    return None if frames is None else [[ring.tolist() for ring in frame] for frame in frames]


def expected(message: bytes) -> str:
    """Return what Python's decoder reads, as JSON."""
    sweep = decode(message)
    panels = [
        {
            "title": panel.title,
            "points": panel.points.tolist(),
            "classes": panel.classes.tolist(),
            "sets": _layer(panel.sets),
            "overlay": _layer(panel.overlay),
            "sizes": None if panel.marker_sizes is None else panel.marker_sizes.tolist(),
            "texts": None if panel.texts is None else list(panel.texts),
            "flags": None if panel.flags is None else panel.flags.tolist(),
        }
        for panel in sweep.panels
    ]
    plain = {
        name: getattr(sweep, name)
        for name in ("levels", "labels", "captions", "level_name", "view", "class_names", "start")
    }
    return json.dumps(plain | {"player": PLAYER, "panels": panels}) + "\n"


if __name__ == "__main__":
    MESSAGE.write_bytes(encode(build(), PLAYER))
    EXPECTED.write_text(expected(MESSAGE.read_bytes()), "utf-8")
