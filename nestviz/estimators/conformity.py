"""How typical a point is of a family: scores that calibrated sets are made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.coefficients import PathRows
from nestviz.families import SetFamily


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
