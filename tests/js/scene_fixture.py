"""A scene as Python packs it, and what Python says of it, for the tests of the browser's modules.

``python tests/js/scene_fixture.py`` writes both files anew; ``test_message.py`` compares them.
"""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel
from nestviz.scan_results import Intervals
from nestviz.ui.scene.drawn import draw_scene, points_inside_at
from nestviz.ui.scene.lattices import Band, Truth
from nestviz.ui.scene.message import encode_scene
from nestviz.ui.scene.scene import Knob, Panel, Scale, Scene

MESSAGE = Path(__file__).with_name("scene.bin")
EXPECTED = Path(__file__).with_name("scene.json")
PLAYER = {"id": "ünïcode", "height": 300, "show": ["legend", "speed"], "report": True}
POSITIONS = (0.0, 0.25, 1.0, 1.5, 1.8, 2.0, 3.0)
POINTS = np.array([(-2.0, -1.0), (3.0, 1.5), (0.5, 0.25), (-1.99, 1.49), (0.0, 0.0)])
CLASSES = np.array([0, 1, 1, 0, 2])


def growing() -> SetFamily:
    """Return sets around the origin that grow as the level falls; one blob is left behind."""
    levels, centres = np.array([0.1, 0.5, 0.5, 1.0]), np.array([(0.0, 0.0), (2.0, 1.0)])
    coefficients = np.array([[1.2, 0.0], [1.2, 0.0], [1.2, 2.0], [1.2, 2.0]])
    kernel = GaussianKernel(0.6)
    return SetFamily(levels, coefficients, levels, centres, kernel, -1, level_name="level λ")


def nested() -> SetFamily:
    """Return sets of constant coefficients, which are nested."""
    levels, coefficients = np.array([0.1, 1.0]), np.array([[1.0, 0.5], [1.0, 0.5]])
    kernel, centres = GaussianKernel(1.5), POINTS[[0, 4]]
    return SetFamily(levels, coefficients, levels, centres, kernel, -1, is_nested=True)


def band() -> Band:
    """Return a band between two ellipses that grow as the level falls, on a coarse lattice."""
    across, along = np.linspace(-3, 4, 15), np.linspace(-1.5, 2, 8)
    squares = np.add.outer((along / 1.5) ** 2, (across / 2) ** 2).ravel()
    levels = np.array([0.125, 0.5, 1.0])
    inner, outer = (np.array([size * (1.2 - t) - squares for t in levels]) for size in (0.5, 1.5))
    return Band(across, along, levels, inner, outer, 0.9, 50)


def build() -> Scene:
    """Return a scene in which no two parts are equal: intervals, bits, sizes, flags, a density."""
    stops = np.array([1.0, 0.6, 0.4, 0.125])
    # Numbers that are equal on all machines, unlike those found from the family.
    levels = Intervals(
        np.array([0, 0, 0, 2, 2, 3]), np.array([0.1, 0.5, 0.25]), np.array([0.45, 0.75, np.inf])
    )
    left = Panel(
        "left „1“", POINTS, CLASSES, growing(),
        intervals=levels, hollow=CLASSES == 1,
    )  # fmt: skip
    right = Panel(
        "right", POINTS[[0, 0, 4]], CLASSES[[0, 0, 2]], nested(),
        inside=np.array([[1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]], bool),
        size_scale=0.5, size_rows=np.array([0, 0, 1]), band=band(),
    )  # fmt: skip
    across, along = np.linspace(-2, 3, 6), np.linspace(-1, 1.5, 3)
    return Scene(
        (left, right), Scale("training mass", stops, 1 - stops, "1%"), (-2.0, 3.0, -1.0, 1.5),
        "Sets", axis_names=("α", "β"), class_names=("+1", "−1", "new"), overlay_name="violated",
        flag_name="leaves again", start=1.25, ghosts=2, notes=["a; ", "b; ", "", "d; "],
        knobs=[Knob("width", "Width σ", 0.4, 0.05, 2.0, log=True, marks=((1.0, "median"),))],
        truth=Truth(across, along, np.add.outer(along, across), 0.25),
        live={"url": "/live", "token": "t", "player": "p"},
    )  # fmt: skip


def _at(scene: Scene, position: float) -> dict:
    """What is said at a position; violations are those from the first position on."""
    scale = scene.scale
    drawn = draw_scene(scene, np.array([position]))
    counted = [points_inside_at(panel, scale, position) for panel in scene.panels]
    return {
        "position": position,
        "level": scale.level(position),
        "label": scale.label(position),
        "back": scale.position(scale.level(position)),
        "inside": [None if one is None else int(one.sum()) for one in counted],
        "caption": drawn.caption(0),
        "sizes": [None if part.sizes is None else part.sizes[0].tolist() for part in drawn.panels],
    }


def _banded(scene: Scene, position: float) -> dict:
    """What the band of the second panel is at a position, and what is said with it."""
    shown = replace(scene, shown=("outline", "band"))
    level = scene.scale.level(position)
    inner, outer = scene.panels[1].band.at(level)
    return {
        "position": position,
        "inner": inner.ravel().tolist(),
        "outer": outer.ravel().tolist(),
        "share": scene.panels[1].band.area(level),
        "caption": draw_scene(shown, np.array([position])).caption(0),
    }


def expected() -> str:
    """Return what Python says of the scene, as JSON."""
    scene = build()
    panels = [
        {
            "title": panel.title,
            "points": panel.points.ravel().tolist(),
            "classes": panel.classes.tolist(),
            "hollow": None if panel.hollow is None else panel.hollow.astype(int).tolist(),
            "inside": None if panel.inside is None else panel.inside.astype(int).ravel().tolist(),
            "size_scale": panel.size_scale,
            "size_rows": None if panel.size_rows is None else panel.size_rows.tolist(),
            "centres": panel.family.centres.ravel().tolist(),
            "intervals": None
            if panel.intervals is None
            else [np.minimum(panel.intervals[k], 1e300).tolist() for k in range(len(panel.points))],
        }
        for panel in scene.panels
    ]
    said = {
        "player": PLAYER,
        "view": scene.view,
        "levels": scene.scale.levels.tolist(),
        "numbers": scene.scale.numbers.tolist(),
        "truth": scene.truth.values.ravel().tolist(),
        "panels": panels,
        "at": [_at(scene, position) for position in POSITIONS],
        "banded": [_banded(scene, position) for position in POSITIONS],
    }
    return json.dumps(said) + "\n"


if __name__ == "__main__":
    MESSAGE.write_bytes(encode_scene(build(), PLAYER))
    EXPECTED.write_text(expected(), "utf-8")
