"""From the best cells of a grid to σ and λ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nestviz.arrays import BoolArray, FloatArray


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
