"""What families are compared by: exact measures of the fit, and estimates from points held out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestviz.analysis.nesting import nesting_report
from nestviz.analysis.ranking import ranking_scores
from nestviz.analysis.roc import auc
from nestviz.grids import Grid
from nestviz.ui import methods
from nestviz.ui.methods import Fit, Spec
from nestviz.volume import uniform_reference
from nestviz.volume.extrapolation import extrapolated_share_of
from nestviz.volume.integrated import Fold, IntegratedVolume, folds_of, join_folds, split

FloatArray = NDArray[np.float64]
IndexArray = NDArray[np.intp]
Report = Callable[..., bool]
FOLDS = 5
SEED = 0


@dataclass(frozen=True)
class Measures:
    """What can be said of a family without choosing a level.

    Attributes
    ----------
    nested : str
        Whether its sets are nested, and how that is known.
    violated : float
        Share of the picture that enters and leaves again at some level.
    disagreement : float
        Share of the points that the two rankings s+ and s− order differently.
    auc : float or None
        Area under the ROC on the points of the fit; None without two classes.
    extrapolated : float
        Share of the points that are ranked by extrapolation, below the smallest solved level.
    """

    nested: str
    violated: float
    disagreement: float
    auc: float | None
    extrapolated: float = 0.0


def measures(fit: Fit, X: FloatArray, y: NDArray[np.int8] | None, grid: Grid) -> Measures:
    """Measure a fitted family; labels mean that it separates two classes."""
    family = fit.family
    area = None if y is None else auc(family, X, y)
    beyond = extrapolated_share_of(family, X)
    if family.is_nested:
        return Measures("by construction", 0.0, 0.0, area, beyond)
    share = nesting_report(family, grid).share
    words = "no: they cross" if share > 0 else "no crossing found"
    return Measures(words, share, ranking_scores(family, X).disagreement, area, beyond)


@dataclass(frozen=True, eq=False)
class HeldOut:
    """How a method does on points that it has not seen, by cross-validation.

    Attributes
    ----------
    value : float
        Integrated volume as a share of the box around the points, or area under the ROC.
    spread : float
        Standard deviation of the value over the folds.
    volume : IntegratedVolume or None
        With its mass-volume curve; None for two classes.
    """

    value: float
    spread: float
    volume: IntegratedVolume | None = None

    @property
    def extrapolated(self) -> float:
        """Share of the held-out points that are ranked by extrapolation."""
        return 0.0 if self.volume is None else self.volume.extrapolated


def held_out(
    specs: tuple[Spec, ...], X: FloatArray, y: NDArray[np.int8] | None, report: Report
) -> tuple[HeldOut, ...]:
    """Every method on the same folds, one after the other; for use as a job.

    Parameters
    ----------
    specs : tuple of Spec
        The methods.
    X, y
        The data; labels mean two classes.
    report : callable
        Told the share that is done, what is being done, and the methods finished so far; when it
        answers True, those are returned.
    """
    parts = _folds(len(X), y)
    results: list[HeldOut] = []
    for place, spec in enumerate(specs):
        found: list[Any] = []
        for k, part in enumerate(parts):
            done = (place * len(parts) + k) / (len(specs) * len(parts))
            if report(done, spec.method, tuple(results) or None):
                return tuple(results)
            found.append(_one_fold(spec, X, y, part))
        results.append(_volumes(found, X) if y is None else _areas(found))
    return tuple(results)


def fewest(y: NDArray[np.int8] | None, n: int) -> int:
    """How many folds the data can be split into: each needs a point, and one of each class."""
    if y is None:
        return min(FOLDS, n)
    return min(FOLDS, int(np.sum(y == 1)), int(np.sum(y == -1)))


def _folds(n: int, y: NDArray[np.int8] | None) -> list[IndexArray]:
    """Rows to hold out, every class spread evenly over the folds."""
    count = fewest(y, n)
    if y is None:
        return split(n, count, SEED)
    classes = [np.flatnonzero(y == sign) for sign in (1, -1)]
    shares = [[rows[part] for part in split(rows.size, count, SEED)] for rows in classes]
    return [np.sort(np.concatenate(pair)) for pair in zip(*shares, strict=True)]


def _one_fold(
    spec: Spec, X: FloatArray, y: NDArray[np.int8] | None, part: IndexArray
) -> Fold | float:
    kept = np.delete(X, part, axis=0)
    if y is not None:
        family = methods.fit(spec, kept, np.delete(y, part)).family
        return auc(family, X[part], y[part])
    family = methods.fit(spec, kept).family
    reference = uniform_reference(X, seed=SEED, relative=True)
    return folds_of(family, X[part], [reference])[0]


def _volumes(folds: list[Fold], X: FloatArray) -> HeldOut:
    result = join_folds(folds, uniform_reference(X, seed=SEED, relative=True))
    return HeldOut(result.value, result.spread, result)


def _areas(areas: list[float]) -> HeldOut:
    return HeldOut(float(np.mean(areas)), float(np.std(areas, ddof=1)))
