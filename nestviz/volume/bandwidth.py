"""The bandwidth of least integrated volume (MIV)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.grids import Grid
from nestviz.kernels import average_distance
from nestviz.volume.curves import MassVolumeCurve
from nestviz.volume.integrated import (
    Fold,
    IntegratedVolume,
    checked_table,
    default_reference,
    fit_fold,
    join_folds,
    split,
)
from nestviz.volume.parallel import Progress, run_all
from nestviz.volume.reference import Reference, uniform_reference

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BandwidthSelection:
    """Integrated volume for every bandwidth tried, and the bandwidth where it is least.

    Estimates, all of them: from the same folds and the same reference points for every bandwidth.

    Attributes
    ----------
    sigmas : (S,) array
        Bandwidths with a finished estimate, ascending.
    results : tuple of S IntegratedVolume
        Value, folds, error and mass-volume curve of each.
    complete : bool
        False when a callback stopped the search: bandwidths are then missing at the upper end.
    """

    sigmas: FloatArray
    results: tuple[IntegratedVolume, ...]
    complete: bool

    @property
    def sigma(self) -> float:
        """σ*, the bandwidth of least integrated volume; of equal ones the largest."""
        return float(self.sigmas[self.best])

    @property
    def best(self) -> int:
        """Where in ``sigmas`` σ* is."""
        if not self.results:
            raise ValueError("The search was stopped before any bandwidth was finished.")
        values = self.values
        return int(np.flatnonzero(values == values.min())[-1])

    @property
    def values(self) -> FloatArray:
        """IV(σ), (S,)."""
        return np.array([result.value for result in self.results])

    @property
    def spreads(self) -> FloatArray:
        """Standard deviation of IV(σ) over the folds, (S,)."""
        return np.array([result.spread for result in self.results])

    @property
    def errors(self) -> FloatArray:
        """Standard error of IV(σ) on account of the reference points, (S,)."""
        return np.array([result.error for result in self.results])

    @property
    def fold_values(self) -> FloatArray:
        """IV(σ) of each fold, (S, K)."""
        return np.array([result.fold_values for result in self.results])

    @property
    def curves(self) -> tuple[MassVolumeCurve, ...]:
        """The mass-volume curve of every bandwidth."""
        return tuple(result.curve for result in self.results)


def default_sigmas(X: ArrayLike, count: int = 30) -> FloatArray:
    """Bandwidths spaced evenly by ratio from d_avg/15 to 10 d_avg (Lee & Scott 2010, section VI).

    d_avg is the average distance between the points.
    """
    scale = average_distance(X)
    return np.geomspace(scale / 15, 10 * scale, count)


def select_bandwidth(
    X: ArrayLike,
    estimator: Any,
    sigmas: ArrayLike | None = None,
    *,
    folds: int = 5,
    reference: Reference | Grid | None = None,
    seed: int = 0,
    n_jobs: int | None = -1,
    callback: Progress | None = None,
) -> BandwidthSelection:
    """Choose the Gaussian width by minimum integrated volume, without labels.

    For every σ the area under the cross-validated mass-volume curve is computed, on the same folds
    and against the same reference points; the least one wins (Lee & Scott 2007, section 3.5).

    Parameters
    ----------
    X : (n, d) array
        The data.
    estimator : estimator
        A one-class estimator with a parameter ``sigma`` and, after ``fit(X)``, a ``family_``. It
        is copied, not changed.
    sigmas : array, optional
        Bandwidths to try; by default 30 of `default_sigmas`.
    folds : int
        Number of folds.
    reference : Reference or Grid, optional
        What volume is measured with; by default 2,048 points of `uniform_reference`. The standard
        error this leaves is stated with the result.
    seed : int
        For the folds and the default reference.
    n_jobs : int, optional
        Threads, as in joblib: −1 for one per core, None for one. The answer does not depend on it.
    callback : callable, optional
        Called as ``callback(done, total)`` after each fit, in the caller's thread. When it returns
        something true no further fit is started, and what is finished is returned.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz import ParzenLevelSets
    >>> X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[-3.0], [3.0]], 30, axis=0)
    >>> choice = select_bandwidth(X, ParzenLevelSets(), sigmas=[0.01, 0.4, 30.0])
    >>> choice.sigma, choice.complete
    (0.4, True)
    """
    points = checked_table(X)
    check_estimator(estimator)
    widths = checked_sigmas(points, sigmas)
    reference = default_reference(points, reference, seed)
    parts = split(len(points), folds, seed)
    tasks = [
        partial(fit_fold, estimator, points, part, reference, sigma=float(width))
        for width in widths
        for part in parts
    ]
    done = run_all(tasks, n_jobs, callback)
    by_width = [_finished(done[k : k + len(parts)]) for k in range(0, len(done), len(parts))]
    finished = [k for k, group in enumerate(by_width) if group]
    results = tuple(join_folds(by_width[k], reference) for k in finished)
    return BandwidthSelection(widths[finished], results, len(finished) == len(widths))


def miv_sigma(X: FloatArray, estimator: Any) -> float:
    """What ``sigma="miv"`` means: σ* with everything at its default and seed 0.

    Volumes are shares of the box, so that the number of dimensions sets no limit.
    """
    reference = uniform_reference(X, seed=0, relative=True)
    folds = min(5, len(checked_table(X)))
    return select_bandwidth(X, estimator, folds=folds, reference=reference, seed=0).sigma


def check_estimator(estimator: Any) -> None:
    """Refuse what has no Gaussian width or more than one class."""
    from sklearn.base import is_classifier

    name = type(estimator).__name__
    if not hasattr(estimator, "get_params") or "sigma" not in estimator.get_params():
        raise TypeError(f"A bandwidth can be chosen for estimators with a sigma; {name} has none.")
    if is_classifier(estimator):
        raise ValueError(
            f"{name} separates two classes. Integrated volume needs sets of one class: choose its "
            "bandwidth by cross-validation over the labels instead."
        )
    kernel = getattr(estimator, "kernel", "gaussian")
    if kernel != "gaussian":
        raise ValueError(f"Only a Gaussian kernel has a bandwidth; this one is {kernel!r}.")


def checked_sigmas(points: FloatArray, sigmas: ArrayLike | None) -> FloatArray:
    """Positive bandwidths, ascending, each once."""
    widths = np.asarray(default_sigmas(points) if sigmas is None else sigmas, dtype=np.float64)
    if widths.ndim != 1 or not widths.size or not np.all(np.isfinite(widths) & (widths > 0)):
        raise ValueError("sigmas must be a list of one or more finite positive numbers.")
    return np.unique(widths)


def _finished(folds: list[Fold | None]) -> list[Fold]:
    """All folds of a bandwidth, or none of them."""
    present = [fold for fold in folds if fold is not None]
    return present if len(present) == len(folds) else []
