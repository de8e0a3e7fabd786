"""Scenes of families written by hand, for the component app and the tests beside it.

Nothing is solved: the app starts fast, and the tests compute what the player must show.
"""

import numpy as np

from nestviz.analysis.level_sweep import points_inside
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel
from nestviz.ui.scene.lattices import Truth
from nestviz.ui.scene.scene import Panel, Scale, Scene

VIEW = (-2.0, 2.0, -1.5, 1.5)
FOCI = np.array([(-1.0, 0.0), (1.0, 0.0)])
TITLES = ("One-class SVM", "Nested one-class SVM")


def sample(n: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return points around the foci and their classes; the first point is a focus."""
    rng = np.random.default_rng(seed)
    classes = np.arange(n) % 2
    points = FOCI[classes] + 0.35 * rng.standard_normal((n, 2))
    points[0] = FOCI[0]
    return points, classes


def wandering() -> SetFamily:
    """Return a family whose set is first around one focus, then around the other, then both."""
    weights = [(0.5, 0.5), (0.15, 0.85), (0.95, 0.05), (1.0, 0.0)]
    offsets = [0.05, 0.3, 0.7, 0.99]
    return SetFamily(
        [0.0, 0.6, 0.8, 1.0], weights, offsets, FOCI, GaussianKernel(0.5), -1, level_name="λ"
    )


def ring() -> SetFamily:
    """Return a nested family around a circle; no set reaches its centre."""
    angle = np.arange(8) * np.pi / 4
    centres = 0.9 * np.column_stack([np.cos(angle), np.sin(angle)])
    weights = np.full((2, 8), 0.125)
    return SetFamily(
        [0.0, 1.0], weights, [0.1, 0.19], centres, GaussianKernel(0.4), -1, is_nested=True
    )  # fmt: skip


def growing(points: np.ndarray) -> SetFamily:
    """Return a family whose coefficients grow along with its sets."""
    weights = np.outer([0.05, 1.0], np.ones(len(points)))
    return SetFamily([0.0, 1.0], weights, [0.1, 0.5], points, GaussianKernel(0.3), 1)


def levels(stops: int) -> np.ndarray:
    """Return levels from small sets to large ones."""
    return np.linspace(0.95, 0.05, stops)


def pair(stops: int = 20, n: int = 300) -> Scene:
    """Return two panels: a family that violates nesting, and a nested one."""
    points, classes = sample(n)
    families = dict(zip(TITLES, (wandering(), ring()), strict=True))
    across, along = np.linspace(-2, 2, 41), np.linspace(-1.5, 1.5, 31)
    density = np.exp(-(along[:, None] ** 2) - across**2)
    return Scene(
        panels=[
            Panel(title, points, classes, family, intervals=family.intervals(points))
            for title, family in families.items()
        ],
        scale=Scale("level λ", levels(stops), levels(stops)),
        view=VIEW,
        alt="Two families of sets over 300 points",
        axis_names=("first feature", "second feature"),
        class_names=("class +1", "class −1 <img src=x onerror=alert(1)>"),
        overlay_name="leaves and comes back",
        start=6,
        ghosts=5,
        truth=Truth(across, along, density, 1.0),
    )


def plain(stops: int, *, autoplay: bool = False) -> Scene:
    """Return one panel of one class, with markers as large as their coefficients."""
    points, _ = sample(60)
    family, given = growing(points), np.linspace(0.05, 0.95, stops)
    panel = Panel(
        "Level sets", points, np.zeros(60, int), family,
        inside=points_inside(family, points, given), size_scale=1.0,
    )  # fmt: skip
    return Scene(
        panels=[panel],
        scale=Scale("level", given, given, "2f"),
        view=VIEW,
        alt="Growing sets",
        shown=("outline", "fill", "sizes"),
        autoplay=autoplay,
        loop="wrap",
    )
