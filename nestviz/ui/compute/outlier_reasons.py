"""Reasons for the ranks of outliers: unusual features, changes that end inside, neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nestviz.analysis.feature_profiles import (
    FeatureProfile,
    Neighbours,
    RobustScale,
    feature_profile,
    nearest_points,
)
from nestviz.analysis.smallest_change import SmallestChange, smallest_change
from nestviz.arrays import FloatArray
from nestviz.data import Dataset, principal_plane
from nestviz.families import SetFamily

NEIGHBOURS = 5
"""Number of neighbours shown."""
UNUSUAL = 3.5
"""Robust z-scores beyond this are outlying by the rule of Iglewicz & Hoaglin (1993)."""
MOST_FEATURES = 200
"""With more features than this, single changes are not searched."""


@dataclass(frozen=True, eq=False)
class FeatureChanges:
    """What would bring a point into the set, in the units of the file and of the fit."""

    change: SmallestChange
    inside_at: FloatArray  # The value of each feature alone that ends inside; NaN where none does
    target: FloatArray | None  # All features of a near location inside; None for an empty set
    moves: FloatArray  # From the point to there in units of the fit; zero for yes-or-no features


@dataclass(frozen=True, eq=False)
class Reasons:
    """Why a point is ranked as it is, in terms of features."""

    profile: FeatureProfile
    neighbours: Neighbours
    changes: FeatureChanges | None  # None where the fit has no features, or the level no set


def top_features(
    own: FloatArray, names: Sequence[str], scale: RobustScale | None = None
) -> dict[str, Any]:
    """Return the most unusual feature of each point, as columns of a table.

    ``scale`` says what is usual; that of the points themselves by default.
    """
    scale = scale or RobustScale.of(own)
    z = scale.z(own)
    first = np.argmax(np.abs(z), axis=1)
    each = np.arange(len(own))
    return {
        "top_feature": np.array(list(names), dtype=object)[first],
        "top_value": own[each, first],
        "top_median": scale.medians[first],
        "top_robust_z": z[each, first],
    }


def reasons_of(
    source: Dataset, fitted: Dataset, way: str, family: SetFamily, row: int, level: float
) -> Reasons:
    """Return the reasons for the rank of a point of the data.

    ``source`` has all features and ``fitted`` the points of the fit: the same, or a projection
    along a ``way`` as the sidebar names it.
    """
    own = source.own_units
    profile = feature_profile(own, own[row], source.feature_names)
    near = nearest_points(fitted.X, fitted.X[row], NEIGHBOURS, skip=row)
    directions = _directions(source, fitted, way)
    changes = None
    low, high = family.domain or (-np.inf, np.inf)
    if directions is not None and low < level <= high and np.isfinite(level):
        change = smallest_change(family, fitted.X[row], level, directions)
        changes = _in_own_units(source, fitted, row, directions, change)
    return Reasons(profile, near, changes)


def _directions(source: Dataset, fitted: Dataset, way: str) -> FloatArray | None:
    """Return how a unit of each feature moves a point of the fit; None for a map that is curved."""
    if source.d > MOST_FEATURES:
        return None
    if source.d == fitted.d:
        return np.eye(source.d)
    if source.d == 1:
        return np.array([[1.0, 0.0]])
    return np.ascontiguousarray(principal_plane(source.X).directions.T) if way == "pca" else None


def _in_own_units(
    source: Dataset, fitted: Dataset, row: int, directions: FloatArray, change: SmallestChange
) -> FeatureChanges:
    own, notes = source.own_units[row], source.annotations
    units = np.ones(source.d)
    if notes is not None and notes.units is not None:
        units = notes.units[1]
    # A yes-or-no feature has no values in between.
    graded = _graded(source.X)
    single = np.where(graded, change.single, np.nan)
    if change.target is None:
        return FeatureChanges(change, own + units * single, None, np.zeros(source.d))
    # The directions are orthonormal: of all changes with this effect, the smallest.
    moves = directions @ (change.target - fitted.X[row])
    target = own + units * moves
    return FeatureChanges(change, own + units * single, target, np.where(graded, moves, 0.0))


def _graded(X: FloatArray) -> np.ndarray:
    """Return which features have more than two values."""
    low, high = X.min(axis=0), X.max(axis=0)
    return np.asarray(((low != X) & (high != X)).any(axis=0))
