"""Points that a family ranks by extrapolation: those that enter below its smallest solved level.

Below that level λ_M the sets are no longer solutions: the coefficients stay constant while the
threshold goes on to 0, so one field alone orders these points.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import BoolArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.volume.moves import Moves

ROUNDING = 1e-9
"""Points that enter by no more than this share of λ_M below it are on its boundary."""


def entered_by_extrapolation(family: SetFamily, entry: ArrayLike) -> BoolArray:
    """Return which entry levels lie below the smallest solved level, or in no set at all.

    Parameters
    ----------
    family : SetFamily
        Any family. Parzen windows, a path down to zero and families over cost asymmetries
        extrapolate nothing.
    entry : array-like of shape (n_points,)
        Entry levels, as `SetFamily.first_level` returns them.

    Returns
    -------
    ndarray of shape (n_points,)
        True where a point is ranked by extrapolation.
    """
    levels = np.asarray(entry, dtype=np.float64)
    end = family.hold_level
    if end is None:
        return np.zeros(levels.shape, dtype=np.bool_)
    slack = max(family.tolerance, ROUNDING * abs(end))
    return np.asarray(family.orientation * levels > family.orientation * end + slack)


def extrapolated_share(family: SetFamily, entry: ArrayLike) -> float:
    """Return the share of points that enter below the smallest solved level, in [0, 1]."""
    beyond = entered_by_extrapolation(family, entry)
    return float(beyond.mean()) if beyond.size else 0.0


def extrapolated_share_of(family: SetFamily, X: ArrayLike | Grid) -> float:
    """Return the same share for points; their entry levels are only computed if needed."""
    if family.hold_level is None:
        return 0.0
    return extrapolated_share(family, family.first_level(X))


def extrapolated_count(family: SetFamily, moves: Moves) -> int:
    """Count the points that first enter below the smallest solved level, or never do."""
    key = np.full(moves.size, np.inf)
    np.minimum.at(key, moves.point, moves.key)
    return int(np.count_nonzero(entered_by_extrapolation(family, family.orientation * key)))


def in_words(share: float) -> str:
    """Say in one sentence how many points are ranked by extrapolation; nothing where none is."""
    if not share > 0:
        return ""
    number = f"{share:.0%}" if share >= 0.01 else "Less than 1%"
    return f"{number} of the points are ranked by extrapolation, below the smallest solved level."
