"""Small pictures for the starting points, most drawn from their own example, as SVG text."""

from __future__ import annotations

import numpy as np
import streamlit as st
from matplotlib.axes import Axes

from nestviz.analysis.level_sweep import sweep
from nestviz.data import Dataset, make_sample
from nestviz.drawing import canvas, small
from nestviz.grids import Grid
from nestviz.kernels import auto_sigma, median_distance
from nestviz.palette import MID
from nestviz.ui.compute import methods, tasks
from nestviz.ui.compute.methods import Spec

PIXELS = 60


def _grid(dataset: Dataset) -> Grid:
    return Grid.around(dataset.X, resolution=PIXELS, margin=0.12)


def _violation(dataset: Dataset) -> Axes:
    """Draw the set of the one-class SVM with the largest violated area."""
    grid, sigma = _grid(dataset), 0.4 * median_distance(dataset.X)
    top = methods.top_level(dataset.X, sigma)
    family = tasks.fit(Spec("one-class SVM", sigma), dataset.X).family
    walk = sweep(family, grid, dataset.X, top * np.linspace(0.98, 0.01, 40))
    frame = int(walk.broken_share.argmax())
    axes = small.small_axes(grid.box)
    small.draw_set(axes, walk.outlines[frame])
    small.draw_points(axes, dataset.X)
    small.draw_violation(axes, walk.broken[frame])
    return axes


def _outliers(dataset: Dataset) -> Axes:
    """Draw a nested set and rings around the points that enter last."""
    grid, sigma = _grid(dataset), auto_sigma(dataset.X)
    family = tasks.fit(Spec("nested one-class SVM", sigma), dataset.X).family
    entry = family.first_level(dataset.X)
    last = np.argsort(entry, kind="stable")[:9]
    walk = sweep(family, grid, dataset.X, [float(np.quantile(entry, 0.1))])
    axes = small.small_axes(grid.box)
    small.draw_set(axes, walk.outlines[0])
    small.draw_points(axes, dataset.X)
    canvas.selection_rings(axes, dataset.X[last], MID.alarm, 5.5)
    return axes


def _errors(dataset: Dataset) -> Axes:
    """Draw where a nested cost-sensitive SVM predicts +1, at three costs of a miss."""
    grid, sigma = _grid(dataset), 0.3 * median_distance(dataset.X)
    spec = Spec("nested cost-sensitive SVM", sigma, 11, 1.0)
    family = tasks.fit(spec, dataset.X, dataset.y).family
    axes = small.small_axes(grid.box)
    for rings in sweep(family, grid, dataset.X, [0.6, 0.75, 0.9]).outlines:
        small.draw_set(axes, rings, 0.14)
    small.draw_points(axes, dataset.X, dataset.y)
    return axes


def _bandwidth(dataset: Dataset) -> Axes:
    """Draw the typical curve: too narrow, right, too wide."""
    width = np.linspace(0.5, 5.1, 60)
    volume = width**-1.5 + 0.5 * width
    x, y = width[volume.argmin()], volume.min()
    axes = small.small_axes((0, 5.5, 0.4, 3.5))
    axes.plot([0.3, 0.3, 5.2], [3.2, 0.8, 0.8], color=MID.single, linewidth=1.6)
    axes.plot(width, volume, color=MID.accent, linewidth=3)
    axes.plot([x, x], [0.8, y], color=MID.alarm, linewidth=2, linestyle=(0, (1.5, 1.5)))
    axes.plot([x], [y], "o", color=MID.alarm, markersize=11)
    return axes


def _tree(dataset: Dataset) -> Axes:
    """Draw a tree with three leaves."""
    axes = small.small_axes((0, 220, 0, 130))
    for x, y in (
        ((110, 110), (8, 38)), ((64, 64, 156, 156), (100, 38, 38, 70)),
        ((128, 128, 184, 184), (112, 70, 70, 90)),
    ):  # fmt: skip
        axes.plot(x, y, color=MID.accent, linewidth=3.5, solid_capstyle="round")
    axes.plot((64, 128, 184), (100, 112, 90), "o", color=MID.alarm, markersize=13)
    return axes


DRAWN = {
    "violation": _violation,
    "bandwidth": _bandwidth,
    "tree": _tree,
    "outliers": _outliers,
    "errors": _errors,
}


@st.cache_data(max_entries=16, show_spinner=False)
def picture(name: str, title: str, sample: str, **options: float) -> str:
    """Return the picture of a starting point, drawn once per server."""
    return small.svg(DRAWN[name](make_sample(sample, 0, **options)), title)
