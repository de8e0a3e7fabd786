"""Cells of figure 3: holes and parts of sets, counted on pixels, and their outlines."""

from __future__ import annotations

from typing import Any

import numpy as np

from nestviz.arrays import BoolArray, FloatArray
from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.reproduce.lee_scott_2007.protocol import Protocol
from nestviz.studies.reproduce.lee_scott_2007.volumes import checked_sample, sample

STAGES = 5
"""Sets of the right column of the figure."""
DIGITS, EVERY = 3, 4
"""Outlines are kept with few digits, and every fourth of their points, which are pixels apart."""


def picture_cell(protocol: Protocol, name: str, seed: int, sigma: float, outlines: bool) -> Cell:
    """Return the cell of one draw."""
    return Cell(
        f"{__name__}:final_sets",
        {
            "data": name, "seed": seed, "points": protocol.points,
            "fingerprint": sample(name, seed, protocol.points).fingerprint,
            "sigma": sigma, "pixels": protocol.pixels, "outlines": outlines,
        },
    )  # fmt: skip


def final_sets(
    data: str, seed: int, points: int, fingerprint: str, sigma: float, pixels: int, outlines: bool
) -> Result:
    """Compare the last set of a path with the union of all its sets.

    The last set is that of the smallest positive breakpoint: below it nothing changes.
    """
    from nestviz.analysis.nesting import nesting_report
    from nestviz.estimators import OneClassPath
    from nestviz.grids import Grid

    X = checked_sample(data, seed, points, fingerprint)
    path = OneClassPath(sigma, hold_below=None).fit(X)
    grid = Grid.around(X, resolution=pixels)
    breakpoints = path.breakpoints_[path.breakpoints_ > 0]
    union = path.family_.union()
    # Five stages, evenly over the breakpoints: about the same number of points enter in each.
    picked = np.linspace(len(breakpoints) - 1, 0, STAGES + 1)[:-1].round().astype(int)[::-1]
    stages, last = breakpoints[picked], float(breakpoints[-1])
    plain, joined = (f.contains(grid, last).reshape(grid.shape) for f in (path.family_, union))
    return {
        "plain": described(plain),
        "union": described(joined),
        "violated": nesting_report(path.family_, grid).share,
        "stages": [described(union.contains(grid, s).reshape(grid.shape)) for s in stages],
        "levels": stages.tolist(),
        "outlines": _outlines(path.family_, union, grid, stages) if outlines else [],
    }


def described(inside: BoolArray) -> dict[str, Any]:
    """Return parts, holes and area of a set of pixels; areas are shares of the picture."""
    from scipy.ndimage import label

    _, parts = label(inside, structure=np.ones((3, 3)))
    around = np.pad(~inside, 1, constant_values=True)
    names, regions = label(around)
    in_holes = around & (names != names[0, 0])
    return {
        "parts": int(parts),
        "holes": int(regions) - 1,
        "area": float(inside.mean()),
        "hole_area": float(in_holes.sum() / inside.size),
    }


def _outlines(plain: Any, union: Any, grid: Any, stages: Any) -> list[dict[str, Any]]:
    """Return the rings of the last set of the path, and of five sets of the union."""
    from nestviz.analysis.level_sweep import sweep

    rings = []
    for title, family, levels in (("last set", plain, stages[-1:]), ("unions", union, stages)):
        found = sweep(family, grid, np.zeros((1, 2)), levels)
        rings += [
            {
                "panel": title,
                "stage": k + 1,
                "ring": number,
                "points": _thinned(ring).round(DIGITS).tolist(),
            }
            for k, outline in enumerate(found.outlines)
            for number, ring in enumerate(outline)
        ]
    return rings


def _thinned(ring: FloatArray) -> FloatArray:
    """Return some points of a closed ring, the last one the same as the first."""
    return np.concatenate([ring[:-1:EVERY], ring[:1]])
