"""A small scene: a ring that grows with each stop, and a blob that is left behind."""

import numpy as np

from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel
from nestviz.ui.scene.scene import Panel, Scale, Scene

STOPS = 6
VIEW = (-2.0, 2.0, -2.0, 2.0)
ON_RING, IN_HOLE, FAR, ON_BLOB = (0.74, 0.31), (0.02, 0.03), (-1.9, -1.9), (1.5, 1.5)
"""Locations in the set at all stops, in its hole, outside, and left behind from stop 3 on."""


def ring_family() -> SetFamily:
    """Return sets that shrink as the level rises, but for a blob that goes at level 0.5."""
    angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    around = 0.8 * np.column_stack([np.cos(angle), np.sin(angle)])
    ring, blob = np.full((4, 24), 0.6), np.array([[0.0], [0.0], [1.5], [1.5]])
    levels = np.array([0.05, 0.5, 0.5, 1.2])
    centres, kernel = np.vstack([around, ON_BLOB]), GaussianKernel(0.2)
    return SetFamily(levels, np.hstack([ring, blob]), levels, centres, kernel, -1)


def make_points(n: int = 40, seed: int = 0) -> np.ndarray:
    """Return points that leave the named locations free."""
    drawn = np.random.default_rng(seed).uniform(-1.8, 1.8, (20 * n, 2))
    free = np.array([ON_RING, IN_HOLE, FAR, ON_BLOB])
    apart = np.linalg.norm(drawn[:, None] - free, axis=2).min(axis=1) > 0.3
    return drawn[apart][:n]


def make_panel(n: int = 40, seed: int = 0, kinds: int = 2, **changes) -> Panel:
    points, family = make_points(n, seed), ring_family()
    fields = {
        "title": "Panel 0",
        "points": points,
        "classes": np.arange(n) % kinds,
        "family": family,
        "intervals": family.intervals(points) if n else None,
    }
    return Panel(**(fields | changes))


def make_scene(panels: int | list[Panel] = 2, classes: int = 2, **changes) -> Scene:
    if isinstance(panels, int):
        panels = [make_panel(kinds=classes, title=f"Panel {k}") for k in range(panels)]
    levels = np.linspace(1, 0.1, STOPS)
    fields = {
        "panels": panels,
        "scale": Scale("level λ", levels, levels),
        "view": VIEW,
        "alt": 'Sets "growing" <here>',
        "class_names": [f"class {k} <&>" for k in range(classes)],
        "overlay_name": "left behind",
        "start": 4.0,
    }
    return Scene(**(fields | changes))
