"""Which points a family ranks by extrapolation: those that enter below its smallest solved level.

Below that level λ_M the sets are no longer solutions. The coefficients are held while the threshold
goes on to 0, so the order of these points is that of one field alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import BoolArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.volume.moves import Moves

ROUNDING = 1e-9
"""Entries this share of λ_M below it are on the boundary of its set."""


def entered_by_extrapolation(family: SetFamily, entry: ArrayLike) -> BoolArray:
    """Tell which levels of entry lie beyond the smallest solved level, or are of no set at all.

    False for all where a family extrapolates nothing: Parzen windows, a path down to zero, levels
    that are cost asymmetries.

    Parameters
    ----------
    family : SetFamily
        Any family.
    entry : (n,) array
        Levels of entry, as `SetFamily.first_level` gives them.
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
    """Return the same share of the points themselves; their levels are only computed if needed."""
    if family.hold_level is None:
        return 0.0
    return extrapolated_share(family, family.first_level(X))


def extrapolated_count(family: SetFamily, moves: Moves) -> int:
    """Count the points that first come in below the smallest solved level, or never do."""
    key = np.full(moves.size, np.inf)
    np.minimum.at(key, moves.point, moves.key)
    return int(np.count_nonzero(entered_by_extrapolation(family, family.orientation * key)))


def in_words(share: float) -> str:
    """Say in one sentence how many points are ranked by extrapolation; nothing where none is."""
    if not share > 0:
        return ""
    number = f"{share:.0%}" if share >= 0.01 else "Less than 1 %"
    number = number.replace("%", " %").replace("  ", " ")
    return f"{number} of the points are ranked by extrapolation, below the smallest solved level."
