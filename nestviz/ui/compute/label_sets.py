"""Calibrate sets of labels for two classes, for worker processes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nestviz.analysis.coverage import promised_band
from nestviz.analysis.level_sweep import Rings, outline
from nestviz.analysis.tree.pixel_outlines import entry_field
from nestviz.arrays import BoolArray, FloatArray, IndexArray
from nestviz.data import Dataset
from nestviz.data.splits import hold_out
from nestviz.estimators.conformal_labels import ConformalLabels
from nestviz.estimators.nested_one_class import NestedOneClassSVM
from nestviz.grids import Grid, Plane
from nestviz.ui.compute.coverage import whole
from nestviz.ui.compute.tasks import Report

SEED = 0
ASIDE = 1 / 3
"""Share of each class that is held out to check the sets of labels on."""
FEWEST = 6
"""Points of each class: some to fit to, some to calibrate on, some to check on."""
PIXELS = 110


@dataclass(frozen=True, eq=False)
class LabelSetsResult:
    """p-values of both labels, at all pixels and at held-out points."""

    model: ConformalLabels
    grid: Grid
    pixels: FloatArray  # p-values of class −1 and of class +1 at each pixel
    entry: tuple[FloatArray, ...]  # Entry levels of the pixels, where each class has one family
    rows: IndexArray  # Held-out rows
    held: FloatArray  # Their p-values
    signs: NDArray[np.int8]  # Their classes

    @property
    def n_calibration(self) -> tuple[int, int]:
        """Number of points that calibrate class −1, and class +1."""
        minus, plus = (int(sets.n_calibration_) for sets in self.model.sets_)
        return minus, plus

    def labels(self, risk: float) -> BoolArray:
        """Return which labels each held-out point may have: class −1, class +1."""
        return np.asarray(self.held > risk + 1e-12)

    def regions(self, risk: float) -> tuple[BoolArray, BoolArray]:
        """Return the pixels whose set of labels has class −1, and those with class +1."""
        inside = self.pixels > risk + 1e-12
        minus, plus = (inside[:, k].reshape(self.grid.shape) for k in (0, 1))
        return minus, plus

    def outlines(self, risk: float) -> tuple[Rings, Rings]:
        """Return rings around the regions of class −1, and of class +1."""
        minus, plus = (self._outline(k, risk) for k in (0, 1))
        return minus, plus

    def _outline(self, k: int, risk: float) -> Rings:
        sets, n = self.model.sets_[k], self.n_calibration[k]
        rank = np.floor(risk * (n + 1) + 1e-9)
        if rank < 1:
            return (whole(self.grid),)
        if self.entry:
            turn = sets.families_[0].orientation
            return outline(entry_field(self.entry[k], sets.level_at(1.0 - risk), turn), self.grid)
        # Between two values that a count can have, so that no ring runs through a pixel.
        counts = (self.pixels[:, k] * (n + 1) - 1.0).reshape(self.grid.shape)
        return outline(np.clip(counts - rank + 0.5, -1.0, 1.0), self.grid)

    def coverage(self, risk: float) -> tuple[tuple[float, FloatArray, int], ...]:
        """Return the share of points whose label is in their set, its band, and their number.

        First for class −1, then for class +1.
        """
        labels, found = self.labels(risk), []
        for k, (sign, n) in enumerate(zip((-1, 1), self.n_calibration, strict=True)):
            mine = labels[self.signs == sign, k]
            split = n if self.model.method == "split" else None
            band = promised_band([1.0 - risk], len(mine), split)[0]
            found.append((float(mine.mean()), band, len(mine)))
        return tuple(found)


def find(
    data: Dataset, sigma: float, way: str, plane: Plane, report: Report
) -> LabelSetsResult | None:
    """Calibrate both classes; compute the p-values of pixels and of held-out points."""
    assert data.y is not None, "the page stops without labels"
    train, aside = hold_out(data, ASIDE, SEED)
    model = ConformalLabels(NestedOneClassSVM(sigma), method=way, random_state=SEED)
    if report(0.05, "fitting and calibrating"):
        return None
    model.fit(data.X[train], data.y[train])
    if report(0.6, "drawing the regions"):
        return None
    grid = Grid.around(data.X, resolution=PIXELS, plane=plane)
    pixels = model.p_values(grid.points())
    entry: tuple[FloatArray, ...] = ()
    if way == "split":
        families = [sets.families_[0] for sets in model.sets_]
        entry = tuple(family.first_level(grid).reshape(grid.shape) for family in families)
    held = model.p_values(data.X[aside])
    return LabelSetsResult(model, grid, pixels, entry, aside, held, np.asarray(data.y)[aside])
