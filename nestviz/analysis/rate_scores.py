"""Scores of classifiers and sets that control two error rates, with confidence intervals.

An error rate is a share of k errors among n held-out points, with the interval of a binomial
proportion. P_F and P_M come from different points and are independent, and every score here rises
with both. So intervals of confidence √c for each rate give one of confidence c or more for the
score.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray
from nestviz.estimators.error_control.search import Search

Interval = tuple[float, float]


class Rate(NamedTuple):
    """An error rate.

    Attributes
    ----------
    value : float
        Share of errors; NaN without points.
    interval : tuple of float
        Confidence interval.
    errors, n : int
        Number of errors and of points.
    """

    value: float
    interval: Interval
    errors: int
    n: int


class Score(NamedTuple):
    """A score; smaller is better.

    Attributes
    ----------
    value : float
        The score.
    interval : tuple of float
        Confidence interval, propagated from the two rates.
    false_alarm, miss : Rate
        The two rates with their intervals. For a set: the share of the data outside, and the share
        of reference points or anomalies inside.
    confidence : float
        Confidence of all intervals.
    """

    value: float
    interval: Interval
    false_alarm: Rate
    miss: Rate
    confidence: float


def error_rate(
    errors: int, n: int, *, confidence: float = 0.95, method: str = "clopper-pearson"
) -> Rate:
    """Estimate an error rate with its confidence interval.

    Parameters
    ----------
    errors, n : int
        Number of errors and of points.
    confidence : float
        Confidence in (0, 1).
    method : {"clopper-pearson", "wilson"}
        Clopper–Pearson covers the true rate at least as often as stated, Wilson about as often with
        shorter intervals.

    Returns
    -------
    Rate

    Examples
    --------
    >>> rate = error_rate(0, 30)
    >>> rate.value, round(rate.interval[1], 3)
    (0.0, 0.116)
    """
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence!r}.")
    if not 0 <= errors <= n:
        raise ValueError(f"There cannot be {errors} errors among {n} points.")
    if method not in ("clopper-pearson", "wilson"):
        raise ValueError(f"method must be 'clopper-pearson' or 'wilson', not {method!r}.")
    if not n:
        return Rate(float("nan"), (0.0, 1.0), 0, 0)
    of = _clopper_pearson if method == "clopper-pearson" else _wilson
    return Rate(errors / n, of(int(errors), int(n), confidence), int(errors), int(n))


def _clopper_pearson(k: int, n: int, confidence: float) -> Interval:
    """Return the rates at which k or more, and k or fewer, errors have half the tail each."""
    from scipy.special import betaincinv

    tail = 0.5 * (1.0 - confidence)
    low = float(betaincinv(k, n - k + 1, tail)) if k else 0.0
    high = float(betaincinv(k + 1, n - k, 1.0 - tail)) if k < n else 1.0
    return low, high


def _wilson(k: int, n: int, confidence: float) -> Interval:
    """Return rates whose normal approximation does not rule out k errors."""
    from scipy.special import ndtri

    z2 = float(ndtri(0.5 * (1.0 + confidence))) ** 2
    centre = (k + 0.5 * z2) / (n + z2)
    half = (z2 * (k * (n - k) / n + 0.25 * z2)) ** 0.5 / (n + z2)
    # At the ends the bound is the end itself, up to rounding.
    return (max(centre - half, 0.0) if k else 0.0), (min(centre + half, 1.0) if k < n else 1.0)


def neyman_pearson_score(
    y: ArrayLike,
    predicted: ArrayLike,
    alpha: float,
    *,
    confidence: float = 0.95,
    method: str = "clopper-pearson",
) -> Score:
    """Compute max(P_F − α, 0)/α + P_M (Davenport 2007, equation 4.1).

    A false alarm rate above α is penalised in proportion to the excess; whether P_F ≤ α holds
    cannot be decided with certainty from finitely many points.

    Parameters
    ----------
    y : array-like of shape (n_points,)
        True classes, two labels of which the larger is positive.
    predicted : array-like of shape (n_points,)
        Predicted classes.
    alpha : float
        α in (0, 1).
    confidence, method
        As in `error_rate`.

    Returns
    -------
    Score

    Examples
    --------
    >>> neyman_pearson_score([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 0], 0.2).value
    0.75
    """
    if not 0.0 < alpha < 1.0:
        raise ValueError(f"alpha must lie between 0 and 1, not {alpha!r}.")
    counts = _counts(y, predicted)
    return _score(lambda f, m: max(f - alpha, 0.0) / alpha + m, counts, confidence, method)


def minimax_score(
    y: ArrayLike, predicted: ArrayLike, *, confidence: float = 0.95, method: str = "clopper-pearson"
) -> Score:
    """Compute max(P_F, P_M) (section 3.3).

    Parameters
    ----------
    y, predicted, confidence, method
        As in `neyman_pearson_score`.

    Returns
    -------
    Score

    Examples
    --------
    >>> minimax_score([0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 0]).value
    0.5
    """
    return _score(max, _counts(y, predicted), confidence, method)


def minimum_volume_score(
    data_inside: ArrayLike,
    others_inside: ArrayLike,
    beta: float,
    *,
    confidence: float = 0.95,
    method: str = "clopper-pearson",
) -> Score:
    """Compute max(β − P(G), 0)/(1 − β) plus a volume or an error (equations 5.1 and 5.2).

    Parameters
    ----------
    data_inside : array-like of bool
        Whether each held-out point of the data is in the set: P(G).
    others_inside : array-like of bool
        The same for points of the reference measure, whose share is μ(G) (5.1), or for anomalies,
        whose share is the error on them (5.2).
    beta : float
        The nominal mass β in (0, 1).
    confidence, method
        As in `error_rate`.

    Returns
    -------
    Score

    Examples
    --------
    >>> round(minimum_volume_score([True, True, True, False], [False, True], 0.8).value, 12)
    0.75
    """
    if not 0.0 < beta < 1.0:
        raise ValueError(f"beta must lie between 0 and 1, not {beta!r}.")
    data, others = np.asarray(data_inside, dtype=bool), np.asarray(others_inside, dtype=bool)
    counts = (int((~data).sum()), data.size, int(others.sum()), others.size)
    return _score(
        lambda f, m: max(beta - (1.0 - f), 0.0) / (1.0 - beta) + m, counts, confidence, method
    )


def _counts(y: ArrayLike, predicted: ArrayLike) -> tuple[int, int, int, int]:
    """Return the false alarms, negative points, misses, positive points."""
    true, called = np.asarray(y), np.asarray(predicted)
    if true.shape != called.shape or true.ndim != 1:
        raise ValueError("y and predicted must be lists of equal length.")
    labels = np.unique(true)
    if len(labels) != 2:
        raise ValueError(
            f"Both errors can be counted only among points of two classes; y has {len(labels)}."
        )
    strange = np.setdiff1d(called, labels)
    if len(strange):
        raise ValueError(f"predicted has the label {strange[0]!r}, which y does not have.")
    positive: NDArray[np.bool_] = true == labels[1]
    wrong = true != called
    return (
        int((wrong & ~positive).sum()),
        int((~positive).sum()),
        int((wrong & positive).sum()),
        int(positive.sum()),
    )


def _score(
    of_rates: Callable[[float, float], float],
    counts: tuple[int, int, int, int],
    confidence: float,
    method: str,
) -> Score:
    """Return the score of two rates; its interval comes from joint intervals of both."""
    alarms, n_minus, misses, n_plus = counts
    false_alarm = error_rate(alarms, n_minus, confidence=confidence, method=method)
    miss = error_rate(misses, n_plus, confidence=confidence, method=method)
    each = confidence**0.5
    f = error_rate(alarms, n_minus, confidence=each, method=method).interval
    m = error_rate(misses, n_plus, confidence=each, method=method).interval
    interval = of_rates(f[0], m[0]), of_rates(f[1], m[1])
    return Score(of_rates(false_alarm.value, miss.value), interval, false_alarm, miss, confidence)


def score_table(search: Search, alpha: float | None = None, *, smoothed: bool = True) -> FloatArray:
    """Compute the score of every cell of a search.

    Parameters
    ----------
    search : Search
        The search.
    alpha : float, optional
        α of the Neyman–Pearson score; minimax without it.
    smoothed : bool
        Use the rates the choice was made by, or those before smoothing.

    Returns
    -------
    ndarray of shape (n_sigmas, n_nu_plus, n_nu_minus)
    """
    source = search if smoothed else search.table
    false_alarm, miss = source.false_alarm, source.miss
    if alpha is None:
        return np.maximum(false_alarm, miss)
    return np.maximum(false_alarm - alpha, 0.0) / alpha + miss
