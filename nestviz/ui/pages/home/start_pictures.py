"""Small pictures for the starting points, most drawn from their own example, as SVG text."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from nestviz.analysis.level_sweep import sweep
from nestviz.arrays import FloatArray
from nestviz.data import Dataset, make_sample
from nestviz.grids import Grid
from nestviz.kernels import auto_sigma, median_distance
from nestviz.ui.compute import methods, tasks
from nestviz.ui.compute.methods import Spec

WIDTH, HEIGHT = 220, 130
PIXELS = 60
# Mid tones that stand out on a light and on a dark ground; not by colour alone: the alarm is
# hatched, class −1 is a triangle.
BLUE, ORANGE, GREY, ALARM = "#2C8FC9", "#DD6B20", "#7A8FA3", "#C2559A"
HATCH = (
    '<defs><pattern id="h" width="6" height="6" patternUnits="userSpaceOnUse" '
    f'patternTransform="rotate(45)"><path d="M0 0V6" stroke="{ALARM}" stroke-width="2.4"/>'
    "</pattern></defs>"
)


@dataclass(frozen=True, eq=False)
class Canvas:
    """The picture's box, with the data's own coordinates."""

    grid: Grid

    @classmethod
    def around(cls, dataset: Dataset) -> Canvas:
        """A box with a little room around the points."""
        return cls(Grid.around(dataset.X, resolution=PIXELS, margin=0.12))

    def place(self, points: FloatArray) -> FloatArray:
        """Data to pixels of the picture."""
        low_u, high_u, low_v, high_v = self.grid.box
        unit = (points - (low_u, low_v)) / (high_u - low_u, high_v - low_v)
        return np.column_stack([unit[:, 0], 1 - unit[:, 1]]) * (WIDTH, HEIGHT)

    def area(self, rings: Iterable[FloatArray], fill: str, stroke: str, opacity: float) -> str:
        """A set, filled and outlined."""
        loops = (" ".join(f"{x:.1f},{y:.1f}" for x, y in self.place(ring)) for ring in rings)
        path = "".join(f"M{loop}Z" for loop in loops)
        return (
            f'<path d="{path}" fill="{fill}" fill-opacity="{opacity}" fill-rule="evenodd" '
            f'stroke="{stroke}" stroke-width="1.6"/>'
        )

    def marks(self, points: FloatArray, signs: Iterable[int]) -> str:
        """Points: circles, and triangles for class −1."""
        parts = []
        for (x, y), sign in zip(self.place(points), signs, strict=True):
            if sign < 0:
                path = f"M{x:.1f} {y - 2.6:.1f}l2.4 4h-4.8z"
                parts.append(f'<path d="{path}" fill="{ORANGE}" fill-opacity="0.8"/>')
            else:
                colour = BLUE if sign > 0 else GREY
                parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.8" fill="{colour}"/>')
        return "".join(parts)

    def rings(self, points: FloatArray) -> str:
        """Rings around points."""
        return "".join(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5" fill="none" stroke="{ALARM}" '
            'stroke-width="1.8"/>'
            for x, y in self.place(points)
        )


def _violation(dataset: Dataset) -> str:
    """A set of the one-class SVM, and what it left behind."""
    canvas, sigma = Canvas.around(dataset), 0.4 * median_distance(dataset.X)
    top = methods.top_level(dataset.X, sigma)
    family = tasks.fit(Spec("one-class SVM", sigma), dataset.X).family
    walk = sweep(family, canvas.grid, dataset.X, top * np.linspace(0.98, 0.01, 40))
    frame = int(walk.broken_share.argmax())
    return (
        HATCH
        + canvas.area(walk.outlines[frame], BLUE, BLUE, 0.2)
        + canvas.marks(dataset.X, [0] * dataset.n)
        + canvas.area(walk.broken[frame], "url(#h)", ALARM, 1.0)
    )


def _outliers(dataset: Dataset) -> str:
    """A nested set, and the points that it reaches last."""
    canvas, sigma = Canvas.around(dataset), auto_sigma(dataset.X)
    family = tasks.fit(Spec("nested one-class SVM", sigma), dataset.X).family
    entry = family.first_level(dataset.X)
    last = np.argsort(entry, kind="stable")[:9]
    walk = sweep(family, canvas.grid, dataset.X, [float(np.quantile(entry, 0.1))])
    return (
        canvas.area(walk.outlines[0], BLUE, BLUE, 0.2)
        + canvas.marks(dataset.X, [0] * dataset.n)
        + canvas.rings(dataset.X[last])
    )


def _errors(dataset: Dataset) -> str:
    """Where a nested cost-sensitive SVM says +1, at three prices of a miss."""
    canvas, sigma = Canvas.around(dataset), 0.3 * median_distance(dataset.X)
    spec = Spec("nested cost-sensitive SVM", sigma, 11, 1.0)
    family = tasks.fit(spec, dataset.X, dataset.y).family
    walk = sweep(family, canvas.grid, dataset.X, [0.6, 0.75, 0.9])
    areas = "".join(canvas.area(rings, BLUE, BLUE, 0.14) for rings in walk.outlines)
    return areas + canvas.marks(dataset.X, np.asarray(dataset.y).tolist())


def _bandwidth(dataset: Dataset) -> str:
    """The shape of every such curve: too narrow, just right, too wide."""
    return (
        f'<path d="M22 14V112H204" stroke="{GREY}" stroke-width="1.6" fill="none"/>'
        f'<path d="M32 22C52 118 84 104 104 96C140 82 160 58 198 34" stroke="{BLUE}" '
        'stroke-width="3" fill="none" stroke-linecap="round"/>'
        f'<path d="M76 99V112" stroke="{ALARM}" stroke-width="2" stroke-dasharray="3 3"/>'
        f'<circle cx="76" cy="97" r="5.5" fill="{ALARM}"/>'
    )


def _tree(dataset: Dataset) -> str:
    """A tree with three leaves."""
    branches = "M110 122V92M64 92H156M64 92V30M156 92V60M128 60H184M128 60V18M184 60V40"
    leaves = ((64, 30), (128, 18), (184, 40))
    dots = "".join(f'<circle cx="{x}" cy="{y}" r="6.5" fill="{ALARM}"/>' for x, y in leaves)
    return (
        f'<path d="{branches}" stroke="{BLUE}" stroke-width="3.5" fill="none" '
        f'stroke-linecap="round"/>{dots}'
    )


DRAWN = {
    "violation": _violation,
    "bandwidth": _bandwidth,
    "tree": _tree,
    "outliers": _outliers,
    "errors": _errors,
}


@st.cache_data(max_entries=16, show_spinner=False)
def picture(name: str, title: str, sample: str, **options: float) -> str:
    """The picture of a starting point, drawn once per server."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img"><title>{html.escape(title)}</title>'
        f"{DRAWN[name](make_sample(sample, 0, **options))}</svg>"
    )
