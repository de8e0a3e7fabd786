"""The bandwidth of least integrated volume (MIV)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.grids import Grid
from nestviz.kernels import average_distance
from nestviz.renamed import renamed
from nestviz.solvers.records import Callback
from nestviz.volume.integrated import checked_table
from nestviz.volume.reference import Reference, chosen_reference, seed_of, uniform_reference
from nestviz.volume.selection import (
    BandwidthSelection,
    BandwidthWarning,
    MarginEffect,
    warn_at_end,
)
from nestviz.volume.trials import Trials

__all__ = [
    "BandwidthSelection",
    "BandwidthWarning",
    "MarginEffect",
    "default_sigmas",
    "margin_effect",
    "select_bandwidth",
]


WIDTHS = 30
"""Number of bandwidths of a search by default."""
MARGINS = (0.0, 0.1, 0.5, 1.5)
"""Margins of the boxes that `margin_effect` compares by default."""


def default_sigmas(X: ArrayLike, count: int = WIDTHS) -> FloatArray:
    """Return bandwidths spaced evenly by ratio from d_avg/15 to 10 d_avg.

    d_avg is the average distance between the points (Lee & Scott 2010, section VI).

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        The data.
    count : int
        Number of bandwidths.

    Returns
    -------
    ndarray of shape (count,)
        Bandwidths, ascending.
    """
    scale = average_distance(X)
    return np.geomspace(scale / 15, 10 * scale, count)


@renamed(folds="cv", seed="random_state")
def select_bandwidth(
    X: ArrayLike,
    estimator: Any,
    sigmas: ArrayLike | None = None,
    *,
    widths: int = WIDTHS,
    cv: Any = 5,
    reference: Reference | Grid | None = None,
    margin: float | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    callback: Callback | None = None,
) -> BandwidthSelection:
    """Choose the Gaussian width by minimum integrated volume (MIV), without labels.

    For every σ the area under the cross-validated mass-volume curve is computed, on the same folds
    and against the same reference points; the least one wins (Lee & Scott 2007, section 3.5). Where
    that is the first or the last bandwidth tried, a `BandwidthWarning` says so, and so does
    ``at_end`` of the result.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        The data.
    estimator : estimator
        A one-class estimator with a parameter ``sigma`` and, after ``fit(X)``, a ``family_``. It
        is copied, not changed.
    sigmas : array-like of shape (n_widths,), optional
        Bandwidths to try; by default those of `default_sigmas`. Only the default ones are
        extended, by narrower ones, up to three times, while the least value is at the narrow end.
    widths : int
        Number of bandwidths of `default_sigmas`; not used when ``sigmas`` are given.
    cv : int or scikit-learn splitter
        Number of shuffled folds, or what splits the points.
    reference : Reference or Grid, optional
        What measures volume; by default 2,048 points of `uniform_reference`. The result states
        the standard error that this causes.
    margin : float, optional
        How far the default box reaches beyond the points on each side, as a share of their
        spread; 0.1 if not given. `margin_effect` shows how much depends on it. Not together with
        a reference.
    random_state : int, RandomState or None
        Seed of the folds and of the default reference.
    n_jobs : int, optional
        Number of threads, as in joblib: −1 for one per core, None for one. The result does not
        depend on it.
    callback : callable, optional
        Called with a `Progress` after each fit, in the caller's thread. When it returns a true
        value no further fit is started, and what is finished is returned; bandwidths are visited
        from coarse to fine. The total grows when the default grid is extended.

    Returns
    -------
    BandwidthSelection
        The bandwidth chosen, and the whole curve.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz import ParzenLevelSets
    >>> X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[-3.0], [3.0]], 30, axis=0)
    >>> choice = select_bandwidth(X, ParzenLevelSets(), sigmas=[0.01, 0.4, 30.0])
    >>> choice.sigma, choice.complete
    (0.4, True)
    """
    points, seed = checked_table(X), seed_of(random_state)
    box = chosen_reference(points, reference, margin, seed)
    trials = search(points, estimator, [box], sigmas, widths, cv, seed, n_jobs, callback)
    found = trials.selection()
    warn_at_end(found)
    return found


@renamed(folds="cv", seed="random_state")
def margin_effect(
    X: ArrayLike,
    estimator: Any,
    sigmas: ArrayLike | None = None,
    margins: Sequence[float] = MARGINS,
    *,
    widths: int = WIDTHS,
    cv: Any = 5,
    n: int = 2048,
    random_state: Any = 0,
    n_jobs: int | None = None,
    callback: Callback | None = None,
) -> MarginEffect:
    """Show how much the bandwidth of least integrated volume depends on the reference box.

    Every fit is made once and measured in all boxes; volumes are shares of each box.

    Parameters
    ----------
    X, estimator, sigmas : array-like, estimator, array-like
        As in `select_bandwidth`. The default grid is extended by the values of the first box.
    margins : sequence of float
        How far each box reaches beyond the points on each side, as a share of their spread.
    widths, cv : int, int or scikit-learn splitter
        As in `select_bandwidth`.
    n : int
        Number of reference points of each box.
    random_state, n_jobs, callback : int, int, callable
        As in `select_bandwidth`.

    Returns
    -------
    MarginEffect
        Integrated volume by margin and bandwidth.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz import ParzenLevelSets
    >>> X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[-3.0], [3.0]], 30, axis=0)
    >>> effect = margin_effect(X, ParzenLevelSets(), [0.01, 0.4, 30.0], margins=[0.0, 0.5])
    >>> effect.sigmas, effect.at_end
    (array([0.4, 0.4]), (None, None))
    """
    points, seed = checked_table(X), seed_of(random_state)
    if not len(margins):
        raise ValueError("There must be one margin or more to compare.")
    boxes = [
        uniform_reference(points, n, random_state=seed, margin=margin, relative=True)
        for margin in margins
    ]
    trials = search(points, estimator, boxes, sigmas, widths, cv, seed, n_jobs, callback)
    widths_tried = np.array(sorted(trials.finished))
    return MarginEffect(np.array(margins, dtype=np.float64), widths_tried, trials.values())


def search(
    points: FloatArray,
    estimator: Any,
    references: Sequence[Reference],
    sigmas: ArrayLike | None,
    widths: int = WIDTHS,
    cv: Any = 5,
    seed: int = 0,
    n_jobs: int | None = None,
    callback: Callback | None = None,
) -> Trials:
    """Run the search behind `select_bandwidth`, `margin_effect` and ``sigma="miv"``."""
    check_estimator(estimator)
    grid = checked_sigmas(points, sigmas, widths)
    trials = Trials(points, estimator, references, cv=cv, seed=seed, n_jobs=n_jobs)
    (trials.run_extended if sigmas is None else trials.run)(grid, callback)
    return trials


def miv_search(X: FloatArray, estimator: Any, margin: float | None = None) -> BandwidthSelection:
    """Run the search that ``sigma="miv"`` stands for: everything at its default, seed 0.

    Volumes are shares of the box, so that the number of dimensions sets no limit.
    """
    points = checked_table(X)
    reference = chosen_reference(points, None, margin, 0, relative=True)
    cv = min(5, len(points))
    return select_bandwidth(points, estimator, cv=cv, reference=reference, n_jobs=-1)


def check_estimator(estimator: Any) -> None:
    """Refuse an estimator without a Gaussian width, or of more than one class."""
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


def checked_sigmas(points: FloatArray, sigmas: ArrayLike | None, count: int = WIDTHS) -> FloatArray:
    """Return positive bandwidths, ascending, each once."""
    if sigmas is None and count < 1:
        raise ValueError(f"widths must be 1 or more, not {count}.")
    widths = default_sigmas(points, count) if sigmas is None else sigmas
    widths = np.asarray(widths, dtype=np.float64)
    if widths.ndim != 1 or not widths.size or not np.all(np.isfinite(widths) & (widths > 0)):
        raise ValueError("sigmas must be a list of one or more finite positive numbers.")
    return np.unique(widths)
