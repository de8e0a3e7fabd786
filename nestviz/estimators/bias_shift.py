"""Bias-shifting: another intercept for the same normal vector (Davenport 2007, section 3.2.1).

The errors of every intercept are counted on the training points themselves. That is a poor estimate
where there is much to choose from, but here there is one number to choose.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.estimators.error_control.criteria import Criterion


def shifted_offset(
    scores: FloatArray, positive: NDArray[np.bool_], offset: float, criterion: Criterion
) -> float:
    """Return the intercept b for which ``scores + b >= 0`` is best on the given points.

    Parameters
    ----------
    scores : ndarray of shape (n_points,)
        Values of the classifier without its intercept.
    positive : ndarray of shape (n_points,)
        Which points are positive.
    offset : float
        The intercept to shift. It is kept if none is better; among equals the nearest to it wins.
    criterion : Criterion
        What is best.

    Returns
    -------
    float
        The best intercept.
    """
    candidates = np.append(_between(scores), offset)
    order = np.argsort(-scores, kind="stable")
    alarms = np.append(0, np.cumsum(~positive[order])) / max((~positive).sum(), 1)
    hits = np.append(0, np.cumsum(positive[order])) / max(positive.sum(), 1)
    # How many scores are at least −b: those points are called positive.
    called = np.searchsorted(-scores[order], candidates, side="right")

    def rank(k: int) -> tuple[float, ...]:
        errors = float(alarms[called[k]]), float(1.0 - hits[called[k]])
        return *criterion.key(*errors), abs(float(candidates[k]) - offset)

    return float(candidates[min(range(len(candidates)), key=rank)])


def _between(scores: FloatArray) -> FloatArray:
    """Return one intercept for each split of the points: between scores, and past the ends."""
    levels = np.unique(scores)
    beyond = 0.5 * (levels[-1] - levels[0]) or 1.0
    cuts = np.concatenate(
        ([levels[0] - beyond], 0.5 * (levels[1:] + levels[:-1]), [levels[-1] + beyond])
    )
    return -cuts
