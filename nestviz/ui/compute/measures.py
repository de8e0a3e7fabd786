"""Measures of families: exact ones of the fit, and estimates on held-out points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestviz.analysis.nesting import nesting_report
from nestviz.analysis.ranking import ranking_disagreement
from nestviz.analysis.roc import auc
from nestviz.arrays import FloatArray, IndexArray
from nestviz.families import SetFamily
from nestviz.grids import Grid, Plane
from nestviz.ui.compute import tasks
from nestviz.ui.compute.methods import Spec
from nestviz.ui.compute.tasks import Report
from nestviz.volume import uniform_reference
from nestviz.volume.extrapolation import extrapolated_share_of
from nestviz.volume.integrated import (
    Fold,
    IntegratedVolume,
    fit_without,
    folds_of,
    join_folds,
    split,
)

FOLDS = 5
SEED = 0
PIXELS, FEWEST_PIXELS = 75, 30
"""Pixels along each side on which the violated area is counted, for up to `FULL` points; fewer for
longer paths, so that the time stays about the same."""
FULL = 400


@dataclass(frozen=True)
class Measures:
    """Measures of a family that need no choice of level."""

    nested: str  # Whether its sets are nested, and how that is known
    violated: float  # Share of the picture that enters and leaves again at some level
    disagreement: float  # Share of the points that the two rankings s+ and s− order differently
    # Share of the points that are ranked by extrapolation, below the smallest solved level
    extrapolated: float
    pixels: int  # Along each side, where the area was counted; 0 where nothing had to be counted

    @property
    def by_construction(self) -> bool:
        """Whether nothing can cross."""
        return not self.pixels


def measures(
    family: SetFamily, X: FloatArray, plane: Plane, points: FloatArray | None = None
) -> Measures:
    """Measure a family exactly over all levels; nested families need no scan.

    ``points`` are those of which shares are counted; the training points X by default.
    """
    points = X if points is None else points
    beyond = extrapolated_share_of(family, points)
    if family.is_nested:
        return Measures("by construction", 0.0, 0.0, beyond, 0)
    pixels = max(FEWEST_PIXELS, int(PIXELS * min(1.0, np.sqrt(FULL / len(X)))))
    share = nesting_report(family, Grid.around(X, resolution=pixels, plane=plane)).share
    words = "no: they cross" if share > 0 else "no crossing found"
    return Measures(words, share, ranking_disagreement(family, points), beyond, pixels)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Performance of a method on held-out points, by cross-validation."""

    value: float  # Integrated volume as a share of the box around the points, or area under the ROC
    spread: float  # Standard deviation of the value over the folds
    volume: IntegratedVolume | None = None  # With its mass-volume curve; None for two classes

    @property
    def extrapolated(self) -> float:
        """Share of the held-out points that are ranked by extrapolation."""
        return 0.0 if self.volume is None else self.volume.extrapolated


def held_out(
    specs: tuple[Spec, ...], X: FloatArray, y: NDArray[np.int8] | None, report: Report
) -> tuple[HeldOut, ...]:
    """Cross-validate every method on the same folds; labels mean two classes.

    Finished methods are reported as partial results, and returned where ``report`` returns True.
    """
    parts = _folds(len(X), y)
    results: list[HeldOut] = []
    for place, spec in enumerate(specs):
        found: list[Any] = []
        for k, part in enumerate(parts):
            done = (place * len(parts) + k) / (len(specs) * len(parts))
            if report(done, spec.method, tuple(results) or None):
                return tuple(results)
            part_report = _Share(report, done, 1.0 / (len(specs) * len(parts)), spec.method)
            found.append(_one_fold(spec, X, y, part, part_report))
            if part_report.stopped:
                return tuple(results)
        results.append(_volumes(found, X) if y is None else _areas(found))
    return tuple(results)


@dataclass
class _Share:
    """Report the progress of one of many fits as a share of the whole."""

    report: Report
    before: float
    share: float
    text: str
    stopped: bool = False

    def __call__(self, done: float, text: str = "", partial: Any = None) -> bool:
        self.stopped = self.report(self.before + self.share * done, self.text, None)
        return self.stopped


def fold_count(y: NDArray[np.int8] | None, n: int) -> int:
    """Return the number of folds: each needs a point, of each class if there are two."""
    if y is None:
        return min(FOLDS, n)
    return min(FOLDS, int(np.sum(y == 1)), int(np.sum(y == -1)))


def _folds(n: int, y: NDArray[np.int8] | None) -> list[IndexArray]:
    """Return the rows of each fold, stratified by class."""
    count = fold_count(y, n)
    if y is None:
        return split(n, count, SEED)
    classes = [np.flatnonzero(y == sign) for sign in (1, -1)]
    shares = [[rows[part] for part in split(rows.size, count, SEED)] for rows in classes]
    return [np.sort(np.concatenate(pair)) for pair in zip(*shares, strict=True)]


def _one_fold(
    spec: Spec, X: FloatArray, y: NDArray[np.int8] | None, part: IndexArray, report: Report
) -> Fold | float:
    estimator = tasks.unfitted(spec, np.delete(X, part, axis=0))
    labels = () if y is None else (y,)
    params = tasks.fit_params(estimator, tasks.SolverProgress(report))
    family = spec.row.family(fit_without(estimator, X, part, *labels, fit_params=params))
    if y is not None:
        return auc(family, X[part], y[part])
    return folds_of(family, X[part], [uniform_reference(X, random_state=SEED, relative=True)])[0]


def _volumes(folds: list[Fold], X: FloatArray) -> HeldOut:
    result = join_folds(folds, uniform_reference(X, random_state=SEED, relative=True))
    return HeldOut(result.value, result.spread, result)


def _areas(areas: list[float]) -> HeldOut:
    return HeldOut(float(np.mean(areas)), float(np.std(areas, ddof=1)))
