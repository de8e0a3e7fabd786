"""Small pictures of data sets, as SVG text."""

from __future__ import annotations

import html

import numpy as np
from numpy.typing import NDArray

from nestviz.data import Dataset, project, standardise, subsample

WIDTH, HEIGHT, MARGIN = 220, 130, 10
AT_MOST = 250
# Mid tones that stand out on a light and on a dark ground.
COLOURS = {1: "#2C8FC9", -1: "#DD6B20"}
NEUTRAL = "#7A8FA3"


def thumbnail(dataset: Dataset, alt: str) -> str:
    """A scatter of at most a few hundred points; circles for +1, triangles for −1."""
    few = subsample(dataset, AT_MOST, 0)
    if few.d > 2:
        few = project(standardise(few), "pca").dataset
    points = _pixels(few.X if few.d == 2 else np.column_stack([few.X[:, 0], np.zeros(few.n)]))
    signs = [0] * few.n if few.y is None else few.y.tolist()
    marks = "".join(_mark(x, y, sign) for (x, y), sign in zip(points, signs, strict=True))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img"><title>{html.escape(alt)}</title>'
        f"{marks}</svg>"
    )


def _pixels(X: NDArray[np.float64]) -> NDArray[np.float64]:
    low, spread = X.min(axis=0), np.ptp(X, axis=0)
    unit = (X - low) / np.where(spread > 0, spread, 1.0)
    unit[:, spread == 0] = 0.5
    room = np.array([WIDTH, HEIGHT]) - 2 * MARGIN
    return MARGIN + np.column_stack([unit[:, 0], 1 - unit[:, 1]]) * room


def _mark(x: float, y: float, sign: int) -> str:
    if sign < 0:
        path = f"M{x:.1f} {y - 2.8:.1f}l2.6 4.4h-5.2z"
        return f'<path d="{path}" fill="{COLOURS[-1]}" fill-opacity="0.85"/>'
    colour = COLOURS.get(sign, NEUTRAL)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="{colour}" fill-opacity="0.85"/>'
