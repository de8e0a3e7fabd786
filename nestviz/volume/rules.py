"""Other rules for the bandwidth that need no labels."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray, IntArray
from nestviz.kernels import (
    AUTO_SHARE,
    auto_sigma,
    average_distance,
    dimension_sigma,
    median_distance,
)
from nestviz.volume.bandwidth import check_estimator, checked_sigmas
from nestviz.volume.parallel import run_all
from nestviz.volume.selection import NARROW, BandwidthWarning, end_of

# Coefficients up to this share of the largest one are rounding.
NEGLIGIBLE = 1e-9


@dataclass(frozen=True, eq=False)
class SupportVectorRule:
    """Numbers of support vectors by bandwidth, and the bandwidth at which they stop falling.

    The numbers are exact up to the solver's tolerance.

    Attributes
    ----------
    sigma : float
        The bandwidth chosen.
    sigmas : ndarray of shape (n_widths,)
        Bandwidths tried, ascending.
    counts : ndarray of shape (n_widths,)
        Support vectors at each, at the estimator's own level.
    """

    sigma: float
    sigmas: FloatArray
    counts: IntArray

    @property
    def at_end(self) -> str | None:
        """Which end of the grid the bandwidth is at: "narrow" or "wide"; None where it is within.

        At the narrow end the number never fell, at the wide end it never stopped falling.
        """
        return end_of(int(np.searchsorted(self.sigmas, self.sigma)), self.sigmas.size)


def support_vector_rule(
    X: ArrayLike, estimator: Any, sigmas: ArrayLike | None = None, *, n_jobs: int | None = None
) -> SupportVectorRule:
    """Widen the kernel until the number of support vectors falls no further.

    A narrow kernel makes every point a support vector; as it widens their number falls
    (Schölkopf & Smola 2002, section 8.7, footnote 4). The rule passes over the bandwidths at which
    the number has not begun to fall, and takes the first one after which it does not fall. Where
    it never falls, as with Parzen windows, that is the smallest bandwidth. At either end of the
    grid a `BandwidthWarning` says that the rule has not found what it looks for.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        The data.
    estimator : estimator
        Has a parameter ``sigma`` and, after ``fit(X)``, a ``family_`` and its ``level_``.
    sigmas : array-like of shape (n_widths,), optional
        Bandwidths to try; by default those of `default_sigmas`.
    n_jobs : int, optional
        Number of threads, as in joblib: −1 for one per core, None for one.

    Returns
    -------
    SupportVectorRule
        The bandwidth chosen, and the numbers of support vectors.
    """
    points = np.ascontiguousarray(X, dtype=np.float64)
    check_estimator(estimator)
    widths = checked_sigmas(points, sigmas)
    tasks = [partial(_count, estimator, points, float(width)) for width in widths]
    counts = np.array(run_all(tasks, n_jobs), dtype=np.int64)
    rule = SupportVectorRule(float(widths[_settled(counts)]), widths, counts)
    if rule.at_end:
        reason = "never falls" if rule.at_end == NARROW else "is still falling"
        warnings.warn(
            f"The number of support vectors {reason} between the bandwidths tried, so this rule "
            f"takes the {rule.at_end} end of them, σ = {rule.sigma:.4g}. Try other bandwidths, or "
            "another rule.",
            BandwidthWarning,
            stacklevel=2,
        )
    return rule


def _settled(counts: IntArray) -> int:
    """Return where the numbers have begun to fall and fall no further."""
    fallen = np.flatnonzero(counts < counts[0])
    if not fallen.size:
        return 0
    steady = np.flatnonzero(np.diff(counts[fallen[0] :]) >= 0)
    return int(fallen[0] + steady[0] if steady.size else counts.size - 1)


def distance_rules(X: ArrayLike) -> dict[str, float]:
    """Return bandwidths by rules that use distances between the points, or their dimension, alone.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        The data.

    Returns
    -------
    dict of str to float
        Bandwidths by the name of the rule; the first is what ``sigma="auto"`` stands for.
    """
    return {
        f"{AUTO_SHARE:g} × median distance": auto_sigma(X),
        "median distance": median_distance(X),
        "average distance": average_distance(X),
        "√(d/5), of d scaled features": dimension_sigma(X),
    }


def bandwidth_rules(X: ArrayLike, estimator: Any) -> dict[str, float]:
    """Return bandwidths by rules that need neither labels nor held-out points.

    Parameters
    ----------
    X : array-like of shape (n_points, n_features)
        The data.
    estimator : estimator
        As in `support_vector_rule`.

    Returns
    -------
    dict of str to float
        Bandwidths by the name of the rule.
    """
    return {
        **distance_rules(X),
        "support vectors": support_vector_rule(X, estimator).sigma,
    }


def _count(estimator: Any, points: FloatArray, sigma: float) -> int:
    """Fit at one bandwidth and count the support vectors."""
    from sklearn.base import clone

    fitted = clone(estimator).set_params(sigma=sigma).fit(points)
    coefficients = np.abs(fitted.family_.at(fitted.level_).coefficients)
    return int((coefficients > NEGLIGIBLE * coefficients.max(initial=0.0)).sum())
