"""Thresholds that hold a false alarm rate with high probability.

Of n held-out negative points, let t be the k-th smallest score. The false alarm rate of "positive
above t" is then the (n − k + 1)-th smallest of n uniform numbers, or less where scores tie, so

    P(false alarm rate > α) ≤ Σ_{j ≥ k} C(n, j) (1 − α)^j α^{n−j},

whatever the classifier and the distribution (Tong, Feng & Li 2018, the umbrella algorithm). The
smallest k for which the sum is at most δ gives the most positive answers.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray

ROUNDING = 1e-9
"""A probability this share above δ is δ: powers of 1 − α are known up to rounding."""


def needed_negatives(rate: float, guarantee: float) -> int:
    """Return how many held-out negative points a guarantee needs.

    Parameters
    ----------
    rate : float
        The largest false alarm rate α.
    guarantee : float
        The probability δ with which it may be exceeded.

    Returns
    -------
    int
        The smallest n with (1 − α)^n ≤ δ.
    """
    most = np.log(guarantee) + ROUNDING / 2
    return max(int(np.ceil(most / np.log1p(-rate))), 1)


def threshold_rank(n: int, rate: float, guarantee: float) -> int:
    """Return the rank k of the score that is the threshold.

    Parameters
    ----------
    n : int
        Number of held-out negative points.
    rate : float
        The largest false alarm rate α.
    guarantee : float
        The probability δ with which it may be exceeded.

    Returns
    -------
    int
        From 1 to n.

    Raises
    ------
    ValueError
        If n is too small for any threshold.
    """
    from scipy.stats import binom

    needed = needed_negatives(rate, guarantee)
    if n < needed:
        raise ValueError(
            f"A false alarm rate of at most {rate:g} that is exceeded with a probability of at "
            f"most {guarantee:g} needs {needed} held-out negative points; there are {n}. Give more "
            f"negative points, hold out more of them, or allow more false alarms."
        )
    ranks = np.arange(1, n + 1)
    exceeded = binom.sf(ranks - 1, n, 1.0 - rate)
    return int(ranks[exceeded <= guarantee * (1.0 + ROUNDING)][0])


def held_threshold(scores: FloatArray, rate: float, guarantee: float) -> float:
    """Return the threshold above which points are called positive.

    Parameters
    ----------
    scores : ndarray of shape (n_points,)
        Scores of held-out negative points; larger is more positive.
    rate : float
        The largest false alarm rate α.
    guarantee : float
        The probability δ with which it may be exceeded.

    Returns
    -------
    float
        One of the scores. Points with this score are called negative.
    """
    return float(np.sort(scores)[threshold_rank(len(scores), rate, guarantee) - 1])
