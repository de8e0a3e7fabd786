"""The bandwidth of least integrated volume (MIV)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.grids import Grid
from nestviz.kernels import average_distance
from nestviz.solvers.records import Callback
from nestviz.volume.integrated import checked_table
from nestviz.volume.reference import Reference, chosen_reference, uniform_reference
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
"""Bandwidths of a search, unless another number is asked for."""
MARGINS = (0.0, 0.1, 0.5, 1.5)
"""Boxes that a choice of the bandwidth is compared over."""


def default_sigmas(X: ArrayLike, count: int = WIDTHS) -> FloatArray:
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
    widths: int = WIDTHS,
    folds: int = 5,
    reference: Reference | Grid | None = None,
    margin: float | None = None,
    seed: int = 0,
    n_jobs: int | None = -1,
    callback: Callback | None = None,
) -> BandwidthSelection:
    """Choose the Gaussian width by minimum integrated volume, without labels.

    For every σ the area under the cross-validated mass-volume curve is computed, on the same folds
    and against the same reference points; the least one wins (Lee & Scott 2007, section 3.5). Where
    that is the first or the last bandwidth tried, a `BandwidthWarning` says so, and so does
    ``at_end`` of the result.

    Parameters
    ----------
    X : (n, d) array
        The data.
    estimator : estimator
        A one-class estimator with a parameter ``sigma`` and, after ``fit(X)``, a ``family_``. It
        is copied, not changed.
    sigmas : array, optional
        Bandwidths to try; by default those of `default_sigmas`. Only the default ones are
        extended, by narrower ones, up to three times, while the least value is at the narrow end.
    widths : int
        How many bandwidths `default_sigmas` gives; not used when ``sigmas`` are given.
    folds : int
        Number of folds.
    reference : Reference or Grid, optional
        What volume is measured with; by default 2,048 points of `uniform_reference`. The standard
        error this leaves is stated with the result.
    margin : float, optional
        How far the default box reaches beyond the points on each side, as a share of their
        spread; 0.1 if not given. `margin_effect` says how much depends on it. Not together with a
        reference.
    seed : int
        For the folds and the default reference.
    n_jobs : int, optional
        Threads, as in joblib: −1 for one per core, None for one. The answer does not depend on it.
    callback : callable, optional
        Called with a `Progress` after each fit, in the caller's thread. When it returns something
        true no further fit is started, and what is finished is returned. The total grows when the
        default grid is extended.

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
    grid = checked_sigmas(points, sigmas, widths)
    box = chosen_reference(points, reference, margin, seed)
    trials = Trials(points, estimator, [box], folds, seed, n_jobs)
    found, _ = (trials.run_extended if sigmas is None else trials.run)(grid, callback)
    warn_at_end(found)
    return found


def margin_effect(
    X: ArrayLike,
    estimator: Any,
    sigmas: ArrayLike | None = None,
    margins: Sequence[float] = MARGINS,
    *,
    widths: int = WIDTHS,
    folds: int = 5,
    n: int = 2048,
    seed: int = 0,
    n_jobs: int | None = -1,
    callback: Callback | None = None,
) -> MarginEffect:
    """Show how much the bandwidth of least integrated volume depends on the reference box.

    Every fit is made once and looked at in all boxes; volumes are shares of each box.

    Parameters
    ----------
    X, estimator, sigmas, widths, folds, seed, n_jobs, callback
        As in `select_bandwidth`. The default grid is extended by what the first box says.
    margins : sequence of float
        How far each box reaches beyond the points on each side, as a share of their spread.
    n : int
        Reference points of each box.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz import ParzenLevelSets
    >>> X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[-3.0], [3.0]], 30, axis=0)
    >>> effect = margin_effect(X, ParzenLevelSets(), [0.01, 0.4, 30.0], margins=[0.0, 0.5])
    >>> effect.sigmas, effect.at_end
    (array([0.4, 0.4]), (None, None))
    """
    points = checked_table(X)
    check_estimator(estimator)
    if not len(margins):
        raise ValueError("There must be one margin or more to compare.")
    grid = checked_sigmas(points, sigmas, widths)
    boxes = [
        uniform_reference(points, n, seed=seed, margin=margin, relative=True) for margin in margins
    ]
    trials = Trials(points, estimator, boxes, folds, seed, n_jobs)
    found, values = (trials.run_extended if sigmas is None else trials.run)(grid, callback)
    return MarginEffect(np.array(margins, dtype=np.float64), found.sigmas, values)


def miv_sigma(X: FloatArray, estimator: Any, margin: float | None = None) -> float:
    """What ``sigma="miv"`` means: σ* with everything at its default and seed 0.

    Volumes are shares of the box, so that the number of dimensions sets no limit.
    """
    reference = chosen_reference(X, None, margin, 0, relative=True)
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


def checked_sigmas(points: FloatArray, sigmas: ArrayLike | None, count: int = WIDTHS) -> FloatArray:
    """Positive bandwidths, ascending, each once."""
    if sigmas is None and count < 1:
        raise ValueError(f"widths must be 1 or more, not {count}.")
    widths = default_sigmas(points, count) if sigmas is None else sigmas
    widths = np.asarray(widths, dtype=np.float64)
    if widths.ndim != 1 or not widths.size or not np.all(np.isfinite(widths) & (widths > 0)):
        raise ValueError("sigmas must be a list of one or more finite positive numbers.")
    return np.unique(widths)
