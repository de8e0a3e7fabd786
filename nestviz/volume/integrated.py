"""Integrated volume: the area under the mass-volume curve, by cross-validation.

Level sets of a density hold their mass in the smallest volume possible, so the area under the
curve (P(G_θ), μ(G_θ)) is smallest for the true density (Lee & Scott 2007, section 3.5).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray, IndexArray
from nestviz.distances import inner, product
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.renamed import renamed
from nestviz.volume.curves import MassVolumeCurve, View, counted, follow
from nestviz.volume.extrapolation import extrapolated_count
from nestviz.volume.moves import Moves
from nestviz.volume.parallel import run_all
from nestviz.volume.reference import Reference, chosen_reference, seed_of


class Fold(NamedTuple):
    """What one fold contributes: its events, the area by scrambling, points extrapolated."""

    held_out: Moves
    sites: Moves
    areas: FloatArray
    orientation: int
    level_name: str
    extrapolated: int = 0


@dataclass(frozen=True, eq=False)
class IntegratedVolume:
    """The area under the mass-volume curve of an estimator, estimated by cross-validation.

    Each fold has its own area: sets from the other folds, mass from the points held out, volume
    from the reference. It equals (1 − AUC) · box volume for the ROC between held-out points and
    reference points, with ties counted half. A held-out point that no set contains counts with the
    whole box.

    Attributes
    ----------
    value : float
        Mean of the areas, every held-out point counted once.
    fold_values : ndarray of shape (n_folds,)
        The area of each fold.
    spread : float
        Standard deviation over the folds.
    error : float
        Standard error caused by the reference points; zero for pixels. Estimates with the same
        reference share most of it, so that differences between them are more precise.
    box_volume : float
        Volume of the reference box.
    extrapolated : float
        Share of the held-out points that are ranked by extrapolation, over all folds.
    """

    value: float
    fold_values: FloatArray
    spread: float
    error: float
    box_volume: float
    extrapolated: float
    _folds: tuple[Fold, ...] = field(default=(), repr=False)
    _reference: Reference | None = field(default=None, repr=False)

    @property
    def auc(self) -> float:
        """Area under the ROC against a uniform alternative: 1 − value / box volume."""
        return 1.0 - self.value / self.box_volume

    @cached_property
    def curve(self) -> MassVolumeCurve:
        """The mass-volume curve of all folds together.

        At every level it has the mass of all held-out points, each in the sets fitted without it,
        and the mean volume over folds.
        """
        if self._reference is None:
            raise ValueError("The curves of this search were not kept: call select_bandwidth.")
        total = counted([(fold.held_out, fold.sites) for fold in self._folds], self._reference)
        first = self._folds[0]
        curve = total.curve(first.orientation, self._reference, first.level_name)
        return replace(curve, extrapolated=self.extrapolated)

    def without_curve(self) -> IntegratedVolume:
        """Return the numbers alone, for keeping.

        Returns
        -------
        IntegratedVolume
            Without the curve, which takes far more memory than the rest.
        """
        return replace(self, _folds=(), _reference=None)


@renamed(folds="cv", seed="random_state")
def integrated_volume(
    X: ArrayLike,
    estimator: Any,
    *,
    cv: Any = 5,
    reference: Reference | Grid | None = None,
    margin: float | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
) -> IntegratedVolume:
    """Estimate the integrated volume of an estimator's sets by cross-validation.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        The data.
    estimator : estimator
        Has ``fit(X)`` and, after it, a ``family_``. It is copied, not changed.
    cv : int or scikit-learn splitter
        Number of shuffled folds, or what splits the points.
    reference : Reference or Grid, optional
        What measures volume; by default 2,048 points of `uniform_reference`.
    margin : float, optional
        How far the default box reaches beyond the points on each side, as a share of their
        spread; 0.1 if not given. Not together with a reference.
    random_state : int, RandomState or None
        Seed of the folds and of the default reference.
    n_jobs : int, optional
        Number of threads, as in joblib: −1 for one per core, None for one.

    Returns
    -------
    IntegratedVolume
        The estimate, with its value in each fold and its curve.
    """
    points, seed = checked_table(X), seed_of(random_state)
    box = chosen_reference(points, reference, margin, seed)
    parts = split(len(points), cv, seed)

    def fold_without(part: IndexArray) -> Fold:
        return folds_of(fit_without(estimator, points, part).family_, points[part], [box])[0]

    done = run_all([partial(fold_without, part) for part in parts], n_jobs, None)
    return join_folds([fold for fold in done if fold is not None], box)


def checked_table(X: ArrayLike) -> FloatArray:
    """Return the data as a table of finite numbers with two rows or more."""
    points = np.ascontiguousarray(X, dtype=np.float64)
    if points.ndim != 2 or not np.all(np.isfinite(points)):
        raise ValueError("The data must be a table of finite numbers, one row per point.")
    if len(points) < 2:
        raise ValueError(
            f"Cross-validation needs two points or more to hold one out; n_samples = {len(points)}."
        )
    return points


def split(n: int, cv: Any, seed: int) -> list[IndexArray]:
    """Return the held-out rows of each fold: shuffled folds for a number, else a splitter's."""
    if hasattr(cv, "split"):
        return [np.asarray(held_out) for _, held_out in cv.split(np.empty((n, 1)))]
    if isinstance(cv, bool) or not isinstance(cv, (int, np.integer)) or not 2 <= cv <= n:
        raise ValueError(
            f"cv must be a scikit-learn splitter or a whole number from 2 to the {n} points, not "
            f"{cv!r}."
        )
    shuffled = np.random.default_rng(seed).permutation(n)
    return [np.sort(part) for part in np.array_split(shuffled, cv)]


def fit_without(
    estimator: Any,
    points: FloatArray,
    held_out: IndexArray,
    *labels: NDArray[Any],
    fit_params: Mapping[str, Any] | None = None,
) -> Any:
    """Fit a copy of the estimator to the points that are not held out, with their labels if any."""
    from sklearn.base import clone

    rest = [np.delete(table, held_out, axis=0) for table in (points, *labels)]
    return clone(estimator).fit(*rest, **(fit_params or {}))


def folds_of(
    family: SetFamily,
    held_out: FloatArray,
    references: Sequence[Reference],
    view: View | None = None,
) -> list[Fold]:
    """Return what one fitted family contributes, for each reference."""
    mine, sites = follow(family, held_out, references, view)
    count = extrapolated_count(family, mine)
    return [
        Fold(
            mine,
            theirs,
            counted([(mine, theirs)], reference).areas(reference),
            family.orientation,
            family.level_name,
            count,
        )
        for theirs, reference in zip(sites, references, strict=True)
    ]


def join_folds(folds: Sequence[Fold], reference: Reference) -> IntegratedVolume:
    """Join the folds to one estimate."""
    sizes = np.array([fold.held_out.size for fold in folds], dtype=np.float64)
    areas = np.array([fold.areas for fold in folds])
    values = areas.mean(axis=1)
    return IntegratedVolume(
        inner(values, sizes) / float(sizes.sum()),
        values,
        float(values.std(ddof=1)) if len(folds) > 1 else 0.0,
        float(reference.standard_error(product(sizes[None], areas)[0] / sizes.sum())),
        reference.volume,
        float(sum(fold.extrapolated for fold in folds) / sizes.sum()),
        tuple(folds),
        reference,
    )
