"""Small pictures of data sets, as SVG text."""

from __future__ import annotations

import numpy as np

from nestviz.data import Dataset, project, standardise, subsample
from nestviz.drawing import small
from nestviz.grids import Grid

AT_MOST = 250


def thumbnail(dataset: Dataset, alt: str) -> str:
    """Return a scatter of at most a few hundred points."""
    few = subsample(dataset, AT_MOST, 0)
    if few.d > 2:
        few = project(standardise(few), "pca").dataset
    points = few.X if few.d == 2 else np.column_stack([few.X[:, 0], np.zeros(few.n)])
    axes = small.small_axes(Grid.around(points, resolution=2, margin=0.08).box)
    small.draw_points(axes, points, few.y)
    return small.svg(axes, alt)
