"""From cross-validated scores to σ and λ, and to the cells that are as good as the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import BoolArray, FloatArray

EQUAL = 1e-12
"""Scores closer than this are equal: means of the same areas differ by rounding."""


@dataclass(frozen=True)
class Chosen:
    """The choice of one parameter on one permutation.

    Attributes
    ----------
    value, smallest, largest : float
        The value used, and the ends of the range of values with the best score.
    """

    value: float
    smallest: float
    largest: float


def best_cells(means: FloatArray) -> BoolArray:
    """Mark the cells with the best mean score, all of them where scores are equal."""
    return means >= means.max() - EQUAL


def chosen(values: FloatArray, best: BoolArray) -> Chosen:
    """Return the geometric middle of the values of the best cells, and their ends."""
    tied = np.broadcast_to(values, best.shape)[best]
    low, high = float(tied.min()), float(tied.max())
    return Chosen(low if low == high else float(np.sqrt(low * high)), low, high)


def average(choices: Sequence[Chosen]) -> Chosen:
    """Return the arithmetic mean of the values over permutations, and the outermost ends."""
    return Chosen(
        float(np.mean([choice.value for choice in choices])),
        min(choice.smallest for choice in choices),
        max(choice.largest for choice in choices),
    )


def within_one_error(scores: FloatArray) -> NDArray[np.bool_]:
    """Mark cells whose mean over folds is within one standard error of the best.

    Parameters
    ----------
    scores : ndarray of shape (n_folds, ...)
        Score of each fold and cell. The standard error is that of the first best cell.
    """
    means = scores.mean(axis=0)
    best = int(np.argmax(means))
    error = scores.reshape(len(scores), -1)[:, best].std(ddof=1) / np.sqrt(len(scores))
    return np.asarray(means >= means.max() - error - EQUAL)
