"""Calibrate the sets of a method on held-out points, for worker processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from nestviz.analysis.coverage import CoverageRatio, promised_band
from nestviz.analysis.level_sweep import Rings, outline
from nestviz.analysis.tree.pixel_outlines import entry_field
from nestviz.arrays import FloatArray
from nestviz.estimators.conformal_sets import ConformalSets
from nestviz.grids import Grid
from nestviz.ui.compute.quantiles import METHODS, QuantileSettings
from nestviz.ui.compute.tasks import Report

WAYS = {
    "split": "One part of the training points is fitted to, the other calibrates.",
    "cross": "Each of ten parts calibrates a fit to the others: all points are used, ten fits.",
    "jackknife+": "Each point calibrates a fit to all others: as many fits as training points.",
}
"""Ways to hold out points for calibration, as they stand in links."""
FEWEST = 4
"""Training points that can be divided into points to fit to and points to calibrate on."""
MOST_FITS = 400
"""Training points up to which each is left out once."""
TAIL = (0.9, 0.95, 0.98, 0.995)
"""Quantiles that are added: calibrated sets are often larger than those that were asked for."""
USUAL = 0.9
"""A coverage that is measured besides the quantiles of the page, if it lies between them."""
PIXELS = 80
"""Along a side of the pictures of calibrated sets."""


class StoppedError(Exception):
    """The work was cancelled."""


@dataclass(frozen=True, eq=False)
class CalibratedResult:
    """The calibrated sets of a method."""

    name: str  # Key of `METHODS`
    sets: ConformalSets
    coverage: CoverageRatio  # Mass of the held-out points in the calibrated sets
    bounds: FloatArray  # What is proved of each coverage
    grid: Grid
    counts: FloatArray  # Calibrating points that are no more typical than each pixel
    entry: FloatArray | None  # Entry level of each pixel, where there is one family

    @property
    def n_calibration(self) -> int:
        """Number of points that calibrate."""
        return int(self.sets.n_calibration_)

    @property
    def band(self) -> FloatArray:
        """Where the shares of held-out points lie if what is promised holds, in 95 of 100 cases."""
        n = self.n_calibration if self.sets.method_ == "split" else None
        return promised_band(self.coverage.quantiles, self.coverage.size, n)

    def outline(self, coverage: float) -> Rings:
        """Return rings around the calibrated set."""
        rank = np.floor((1.0 - coverage) * (self.n_calibration + 1) + 1e-9)
        if rank < 1:
            return (whole(self.grid),)
        if self.entry is None:
            return outline(self.counts - rank + 0.5, self.grid)
        turn, level = self.sets.families_[0].orientation, self.sets.level_at(coverage)
        return outline(entry_field(self.entry, level, turn), self.grid)

    def is_everything(self, coverage: float) -> bool:
        """Return whether too few points calibrate to leave anything outside."""
        return bool((1.0 - coverage) * (self.n_calibration + 1) + 1e-9 < 1.0)


def whole(grid: Grid) -> FloatArray:
    """Return the ring around all pixels, for a set that is the whole plane."""
    xmin, xmax, ymin, ymax = grid.box
    corners = [(xmin, ymin), (xmax, ymin), (xmax, ymax), (xmin, ymax), (xmin, ymin)]
    return np.array(corners)


def promises(settings: QuantileSettings) -> FloatArray:
    """Return the coverages that are measured: the quantiles of the page, and the usual one."""
    found = settings.quantiles
    usual = [USUAL] if found[0] < USUAL < found[-1] else []
    return np.union1d(found, usual)


def unfitted(name: str, settings: QuantileSettings) -> Any:
    """Return the estimator of a method, with quantiles beyond those of the page."""
    import nestviz

    method = METHODS[name]
    given = settings.parameters(method)
    if "quantiles" in given:
        given["quantiles"] = np.union1d(given["quantiles"], TAIL)
    return getattr(nestviz, method.estimator)(**given)


def calibrate(
    name: str, settings: QuantileSettings, way: str, X: FloatArray, plane: Any, report: Report
) -> CalibratedResult | None:
    """Calibrate a method on the training points; count held-out points in its sets."""
    training, held_out = settings.parts(len(X))
    sets = ConformalSets(unfitted(name, settings), method=way, random_state=settings.seed)
    try:
        sets.fit(X[training], callback=progress_of(report))
    except StoppedError:
        return None
    if report(0.8, "counting held-out points"):
        return None
    p_values = sets.p_values(X[held_out])
    coverages = promises(settings)
    inside = p_values > 1.0 - coverages[:, None] + 1e-12
    ratio = CoverageRatio(coverages, inside.mean(axis=1), len(held_out))
    bounds = np.array([sets.coverage_bound(share) for share in coverages])
    if report(0.9, "drawing the sets"):
        return None
    grid = Grid.around(X, resolution=PIXELS, plane=plane)
    counts = sets.p_values(grid.points()) * (sets.n_calibration_ + 1) - 1.0
    entry = sets.families_[0].first_level(grid).reshape(grid.shape) if way == "split" else None
    return CalibratedResult(name, sets, ratio, bounds, grid, counts.reshape(grid.shape), entry)


def progress_of(report: Report) -> Any:
    """Return a callback that reports the share of the fits, and stops by an exception."""

    def called(share: float) -> None:
        if report(0.8 * share, "fitting and calibrating"):
            raise StoppedError

    return called
