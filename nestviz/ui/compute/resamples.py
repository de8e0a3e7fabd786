"""Fits to samples drawn from the data, for worker processes: bands, ranks and trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestviz.analysis.resampling.bands import BoundaryBands, boundary_bands
from nestviz.analysis.resampling.draws import SHARES, SMALLEST, Method, Resampling
from nestviz.analysis.resampling.ranks import RankIntervals, rank_intervals
from nestviz.analysis.resampling.trees import ResampledTrees, resample_trees
from nestviz.arrays import FloatArray
from nestviz.grids import Grid, Plane
from nestviz.solvers.records import Progress
from nestviz.ui.compute.entry_maps import SAME_LEVEL
from nestviz.ui.compute.methods import Spec, top_level
from nestviz.ui.compute.scenes import view_of
from nestviz.ui.compute.tasks import Report, unfitted
from nestviz.ui.scene.lattices import Band

RESAMPLES = 200
SHARE = 0.9
"""Part of the resamples that bands and intervals hold."""
LATTICE = 91
"""Locations along each side of the picture, and one beyond each end."""
CROSSING_LEVELS = 21
"""Levels at which bands of sets that may cross are known; those of nested sets are at all."""


def too_few(n: int, method: Method) -> str:
    """Say that samples of the points would be too small to fit to; an empty text if they are not.

    ``n`` is the number of points, or of the rows that they stand for.
    """
    share = SHARES[method]
    if round(share * n) >= SMALLEST:
        return ""
    what = "Half of" if share < 1 else "A sample of"
    return f"{what} {n} points is too few to fit to: three or more points are needed."


def bands(
    specs: Sequence[Spec],
    X: FloatArray,
    y: NDArray[np.int8] | None,
    weights: FloatArray | None,
    plane: Plane,
    levels: Sequence[float],
    method: Method,
    report: Report,
) -> tuple[Band, ...] | None:
    """Return the band of each method over some levels; None if it was stopped."""
    found = []
    for number, spec in enumerate(specs):
        progress = _heard(report, number / len(specs), (number + 1) / len(specs))
        bounds = boundary_bands(
            unfitted(spec, X, weights),
            X,
            _lattice(view_of(X, plane), plane),
            np.unique(np.asarray(levels)[_stops(len(levels))]),
            stands_for=weights,
            y=y if spec.two_classes else None,
            share=SHARE,
            union=bool(spec.row.joins),
            resampling=Resampling(RESAMPLES, method),
            n_jobs=-1,
            callback=progress,
        )
        if not bounds.complete:
            return None
        found.append(_band(bounds))
    return tuple(found)


def ranks(
    spec: Spec, X: FloatArray, weights: FloatArray | None, report: Report
) -> RankIntervals | None:
    """Return the outlier ranks of resamples; None if nothing was finished."""
    found = rank_intervals(
        unfitted(spec.solved, X, weights),
        X,
        stands_for=weights,
        resolution=SAME_LEVEL * top_level(X, spec.sigma),
        resampling=Resampling(RESAMPLES, "subsample"),
        n_jobs=-1,
        callback=_heard(report),
    )
    return found if len(found.ranks) else None


def trees(
    spec: Spec, X: FloatArray, weights: FloatArray | None, method: Method, report: Report
) -> ResampledTrees | None:
    """Return the cluster trees of resamples; None if nothing was finished."""
    found = resample_trees(
        unfitted(spec.solved, X, weights),
        X,
        stands_for=weights,
        resampling=Resampling(RESAMPLES, method),
        n_jobs=-1,
        callback=_heard(report),
    )
    return found if found.trees else None


def _heard(report: Report, begin: float = 0.0, end: float = 1.0) -> Callable[[Progress], bool]:
    """Return a callback that reports a part of the work."""

    def heard(progress: Progress) -> bool:
        done = begin + (end - begin) * (progress.share or 0.0)
        return report(done, f"{progress.done} of {progress.total} resamples")

    return heard


def _stops(count: int) -> Any:
    return np.linspace(0, count - 1, min(CROSSING_LEVELS, count)).round().astype(int)


def _lattice(view: tuple[float, float, float, float], plane: Plane) -> Grid:
    """Return locations over the picture that reach one beyond it, so that its edge cuts bands."""
    xmin, xmax, ymin, ymax = view
    across, along = (xmax - xmin) / (LATTICE - 1), (ymax - ymin) / (LATTICE - 1)
    u = np.linspace(xmin - across, xmax + across, LATTICE + 2)
    return Grid(u, np.linspace(ymin - along, ymax + along, LATTICE + 2), plane)


def _band(found: BoundaryBands) -> Band:
    """Return a band for the player; of fields that are linear in the level the ends are enough."""
    rows = [0, -1] if found.nested else slice(None)
    most = 2.0 * float(np.abs(found.levels).max())
    inner, outer = (np.clip(side[rows], -most, most) for side in (found.inner, found.outer))
    grid = found.grid
    return Band(grid.u, grid.v, found.levels[rows], inner, outer, found.share, found.resamples)
