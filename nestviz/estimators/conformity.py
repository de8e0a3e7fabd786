"""How typical a point is of a family: scores that calibrated sets are made of."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.coefficients import PathRows
from nestviz.estimators.checks import checked_number
from nestviz.families import SetFamily

OUTWARD = 1e-9
"""Share by which a level lies beyond a held-out point, which rounding may leave outside else."""


class Conformity(NamedTuple):
    """How typical points are of a family: two scores, equal where membership is monotone.

    Attributes
    ----------
    first : ndarray of shape (n_points,)
        By the first set that contains the point as the sets grow; larger is more typical.
    last : ndarray of shape (n_points,)
        By the set from which on the point is always inside; at most ``first``.
    """

    first: FloatArray
    last: FloatArray

    @classmethod
    def of(cls, family: SetFamily, X: FloatArray) -> Conformity:
        """Return the scores of points: entry levels, so that larger means a smaller set."""
        turn = -family.orientation
        scan = family.scan(X)
        return cls(turn * scan.first, turn * scan.last)


def checked_by(by: str) -> str:
    """Return the name of one of the two scores, or raise."""
    if by not in Conformity._fields:
        raise ValueError(f"by must be 'first' or 'last', not {by!r}.")
    return by


def scores_by(by: str, family: SetFamily, X: FloatArray) -> FloatArray:
    """Return one of the two scores of points, by its name."""
    found: FloatArray = getattr(Conformity.of(family, X), checked_by(by))
    return found


def beyond_the_largest(family: SetFamily) -> SetFamily:
    """Return a family that goes on beyond its largest set, until all kernels are inside.

    Sets of quantiles end at the largest quantile: all points outside it would tie. Beyond it the
    offset falls to zero, so that such points enter by the value of the last field. Families whose
    sets grow as the level falls to zero go on by themselves.
    """
    _, high = family.domain or (0.0, 0.0)
    ends = family.orientation == 1 and np.isfinite(high) and family.offsets[-1] > 0.0
    if not ends or isinstance(family.coefficients, PathRows):
        return family
    end = 1.0 if high < 1.0 else high + 1.0
    more = {
        "levels": np.append(family.levels, end),
        "coefficients": np.vstack([family.coefficients, family.coefficients[-1:]]),
        "offsets": np.append(family.offsets, 0.0),
        "domain": None,
    }
    return type(family)(**{**family._parts, **more})


def just_outside(scores: FloatArray, rank: int) -> float:
    """Return a score just below that of a rank, of scores in ascending order."""
    if not rank or not np.isfinite(scores[rank - 1]):
        return float(scores[rank - 1]) if rank else -np.inf
    score = float(scores[rank - 1])
    lower = scores[: np.searchsorted(scores, score)]
    apart = score - lower[-1] if lower.size and np.isfinite(lower[-1]) else 0.0
    return score - OUTWARD * max(abs(score), apart)


def checked_share(value: Any, name: str = "coverage") -> float:
    """Return a share strictly between 0 and 1."""
    number = checked_number(name, value, above=0.0)
    if number >= 1.0:
        raise ValueError(f"{name} must be a share below 1, not {value!r}.")
    return number
