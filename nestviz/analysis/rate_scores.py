"""Scores of classifiers and sets that control two errors, with confidence intervals.

An error rate is a share of k errors among n points that took no part in the fit. Its interval is
that of a binomial proportion. P_F and P_M come from different points and are independent, and every
score here rises with both, so from intervals of confidence √c for each follows one of confidence c,
or more, for the score.
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
    interval : (float, float)
        Confidence interval.
    errors, n : int
        Errors, and the points they are counted among.
    """

    value: float
    interval: Interval
    errors: int
    n: int


class Score(NamedTuple):
    """A score: the smaller, the better.

    Attributes
    ----------
    value : float
        The score.
    interval : (float, float)
        Confidence interval, propagated from the two rates.
    false_alarm, miss : Rate
        What it is made of, each with an interval of its own. Of a set: the share of data outside,
        and that of reference points or anomalies inside.
    confidence : float
        Of all intervals.
    """

    value: float
    interval: Interval
    false_alarm: Rate
    miss: Rate
    confidence: float


def error_rate(
    errors: int, n: int, *, confidence: float = 0.95, method: str = "clopper-pearson"
) -> Rate:
    """The share of errors, with its interval.

    Parameters
    ----------
    errors, n : int
        Errors among points.
    confidence : float
        In (0, 1).
    method : {"clopper-pearson", "wilson"}
        The first covers the true rate at least as often as it says, the second about as often, with
        shorter intervals.

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
    """Rates at which k or more, and k or fewer, errors have half of the chance left over."""
    from scipy.special import betaincinv

    tail = 0.5 * (1.0 - confidence)
    low = float(betaincinv(k, n - k + 1, tail)) if k else 0.0
    high = float(betaincinv(k + 1, n - k, 1.0 - tail)) if k < n else 1.0
    return low, high


def _wilson(k: int, n: int, confidence: float) -> Interval:
    """Rates whose normal approximation does not rule out k errors."""
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
    """max(P_F − α, 0)/α + P_M (Davenport 2007, equation 4.1).

    A false alarm rate above α costs in proportion to how far above it is, so that a score can be
    estimated; whether P_F ≤ α holds cannot be decided with certainty from finitely many points.

    Parameters
    ----------
    y : array (n,)
        True classes, two labels of which the larger is positive.
    predicted : array (n,)
        Predicted classes.
    alpha : float
        α in (0, 1).
    confidence, method
        As in `error_rate`.

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
    y: ArrayLike,
    predicted: ArrayLike,
    *,
    confidence: float = 0.95,
    method: str = "clopper-pearson",
) -> Score:
    """max(P_F, P_M) (section 3.3); parameters as in `neyman_pearson_score`.

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
    """max(β − P(G), 0)/(1 − β) plus a volume or an error (equations 5.1 and 5.2).

    Parameters
    ----------
    data_inside : array of bool
        Whether each new point of the data is in the set: P(G).
    others_inside : array of bool
        The same for points of the reference measure, whose share is μ(G) (5.1), or for anomalies,
        whose share is the error on them (5.2).
    beta : float
        β in (0, 1), the mass asked for.
    confidence, method
        As in `error_rate`.

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
    """False alarms, negative points, misses, positive points."""
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
    """The score of two rates; its interval from intervals that hold both rates at once."""
    alarms, n_minus, misses, n_plus = counts
    false_alarm = error_rate(alarms, n_minus, confidence=confidence, method=method)
    miss = error_rate(misses, n_plus, confidence=confidence, method=method)
    each = confidence**0.5
    f = error_rate(alarms, n_minus, confidence=each, method=method).interval
    m = error_rate(misses, n_plus, confidence=each, method=method).interval
    interval = of_rates(f[0], m[0]), of_rates(f[1], m[1])
    return Score(of_rates(false_alarm.value, miss.value), interval, false_alarm, miss, confidence)


def score_table(search: Search, alpha: float | None = None, *, smoothed: bool = True) -> FloatArray:
    """The score of every cell of a search, (σ, ν₊, ν₋): Neyman–Pearson with an α, else minimax.

    By the rates the choice was made by, or by those before smoothing.
    """
    source = search if smoothed else search.table
    false_alarm, miss = source.false_alarm, source.miss
    if alpha is None:
        return np.maximum(false_alarm, miss)
    return np.maximum(false_alarm - alpha, 0.0) / alpha + miss
