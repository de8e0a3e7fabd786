"""Integrated volume: the area under the mass-volume curve, by cross-validation.

Level sets of a density hold their mass in the smallest volume possible, so the area under the
curve (P(G_θ), μ(G_θ)) is smallest for the true density (Lee & Scott 2007, section 3.5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray, IndexArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.volume.curves import MassVolumeCurve, counted, follow
from nestviz.volume.extrapolation import extrapolated_count
from nestviz.volume.moves import Moves
from nestviz.volume.parallel import run_all
from nestviz.volume.reference import Reference, chosen_reference


@dataclass(frozen=True, eq=False)
class IntegratedVolume:
    """The area under the mass-volume curve of an estimator, estimated by K-fold cross-validation.

    Each fold has its own area: sets from the other folds, mass from the points held out, volume
    from the reference. It equals (1 − AUC) · box volume for the ROC between held-out points and
    reference points, ties counted half; a held-out point that no set contains enters with
    the whole box, at mass 1.

    Attributes
    ----------
    value : float
        Mean of the areas, every held-out point counted once.
    fold_values : (K,) array
        The area of each fold.
    spread : float
        Standard deviation over the folds.
    error : float
        Standard error on account of the reference points; zero for pixels. Estimates with the
        same reference share most of it, so that differences between them are more precise.
    curve : MassVolumeCurve
        All folds in one: at every level the mass of all held-out points, each judged by the sets
        it did not help to make, and the mean volume over folds.
    """

    value: float
    fold_values: FloatArray
    spread: float
    error: float
    curve: MassVolumeCurve

    @property
    def auc(self) -> float:
        """Area under the ROC against a uniform alternative: 1 − value / box volume."""
        return 1.0 - self.value / self.curve.box_volume

    @property
    def extrapolated(self) -> float:
        """Share of the held-out points that are ranked by extrapolation, over all folds."""
        return self.curve.extrapolated


class Fold(NamedTuple):
    """What one fold contributes: comings and goings, and the area by scrambling.

    ``extrapolated`` counts the held-out points that come in below the smallest solved level.
    """

    held_out: Moves
    sites: Moves
    areas: FloatArray
    orientation: int
    level_name: str
    extrapolated: int = 0


def integrated_volume(
    X: ArrayLike,
    estimator: Any,
    *,
    folds: int = 5,
    reference: Reference | Grid | None = None,
    margin: float | None = None,
    seed: int = 0,
    n_jobs: int | None = -1,
) -> IntegratedVolume:
    """The integrated volume of an estimator's sets, by K-fold cross-validation.

    Parameters
    ----------
    X : (n, d) array
        The data.
    estimator : estimator
        Anything with ``fit(X)`` that leaves a ``family_``. It is copied, not changed.
    folds : int
        Number of folds, drawn at random with the seed.
    reference : Reference or Grid, optional
        What volume is measured with; by default 2,048 points of `uniform_reference`.
    margin : float, optional
        How far the default box reaches beyond the points on each side, as a share of their
        spread; 0.1 if not given. Not together with a reference.
    seed : int
        For the folds and the default reference.
    n_jobs : int, optional
        Threads, as in joblib: −1 for one per core, None for one.
    """
    points = checked_table(X)
    box = chosen_reference(points, reference, margin, seed)
    parts = split(len(points), folds, seed)
    tasks = [partial(fit_fold, estimator, points, part, [box]) for part in parts]
    done = [found[0] for found in run_all(tasks, n_jobs, None) if found is not None]
    return join_folds(done, box)


def checked_table(X: ArrayLike) -> FloatArray:
    """Data as a table of finite numbers with two rows or more."""
    points = np.asarray(X, dtype=np.float64)
    if points.ndim != 2 or not np.all(np.isfinite(points)):
        raise ValueError("The data must be a table of finite numbers, one row per point.")
    if len(points) < 2:
        raise ValueError(
            f"Cross-validation needs two points or more to hold one out; n_samples = {len(points)}."
        )
    return points


def split(n: int, folds: int, seed: int) -> list[IndexArray]:
    """Return the rows of each fold, of sizes as equal as possible."""
    if isinstance(folds, bool) or not isinstance(folds, (int, np.integer)) or not 2 <= folds <= n:
        raise ValueError(f"folds must be a whole number from 2 to the {n} points, not {folds!r}.")
    shuffled = np.random.default_rng(seed).permutation(n)
    return [np.sort(part) for part in np.array_split(shuffled, folds)]


def fit_without(
    estimator: Any,
    points: FloatArray,
    held_out: IndexArray,
    *labels: NDArray[Any],
    fit_params: Mapping[str, Any] | None = None,
    **params: Any,
) -> Any:
    """Fit a copy of the estimator to the points that are not held out, with their labels if any."""
    from sklearn.base import clone

    rest = [np.delete(table, held_out, axis=0) for table in (points, *labels)]
    return clone(estimator).set_params(**params).fit(*rest, **(fit_params or {}))


def fit_fold(
    estimator: Any,
    points: FloatArray,
    held_out: IndexArray,
    references: Sequence[Reference],
    **params: Any,
) -> list[Fold]:
    """Fit without one fold, and follow its points and each reference through all levels."""
    family = fit_without(estimator, points, held_out, **params).family_
    return folds_of(family, points[held_out], references)


def folds_of(
    family: SetFamily, held_out: FloatArray, references: Sequence[Reference]
) -> list[Fold]:
    """What one fitted family contributes, for each reference."""
    mine, sites = follow(family, held_out, references)
    count = extrapolated_count(family, mine)
    return [
        Fold(
            mine,
            places,
            counted([(mine, places)], reference).areas(reference),
            family.orientation,
            family.level_name,
            count,
        )
        for places, reference in zip(sites, references, strict=True)
    ]


def join_folds(folds: Sequence[Fold], reference: Reference) -> IntegratedVolume:
    """One estimate from all folds."""
    sizes = np.array([fold.held_out.size for fold in folds], dtype=np.float64)
    areas = np.array([fold.areas for fold in folds])
    values = areas.mean(axis=1)
    total = counted([(fold.held_out, fold.sites) for fold in folds], reference)
    curve = total.curve(folds[0].orientation, reference, folds[0].level_name)
    share = sum(fold.extrapolated for fold in folds) / sizes.sum()
    return IntegratedVolume(
        float(values @ sizes / sizes.sum()),
        values,
        float(values.std(ddof=1)),
        float(reference.standard_error(sizes @ areas / sizes.sum())),
        replace(curve, extrapolated=float(share)),
    )
