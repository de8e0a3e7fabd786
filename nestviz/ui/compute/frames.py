"""Compute the levels at the stops of a level axis, and the numbers shown there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.ui.compute.methods import Fitted, Spec

Over = Literal["level", "nu", "mass"]
Fit = Callable[[Spec], Fitted]
"""Solves a problem on the data in use."""
NAMES: dict[Over, str] = {
    "level": "level λ",
    "nu": "ν of the one-class SVM",
    "mass": "training mass",
}
FRAMES = 60
HIGHEST, LOWEST = 0.98, 0.01
"""First and last level of a sweep, as shares of the top."""


@dataclass(frozen=True)
class Frames:
    """Levels from small sets to large ones."""

    levels: tuple[float, ...]  # λ, descending, or the cost asymmetry, ascending
    # The level that shares refer to: the largest λ at which a training point is inside a Parzen
    # set, or the asymmetry 1
    top: float
    over: Over  # {"level", "nu", "mass"}: the unit in which frames are evenly spaced
    numbers: tuple[float, ...]  # The frames in that unit

    @property
    def shares(self) -> FloatArray:
        """The levels as shares of the top."""
        return np.array(self.levels) / self.top


def asymmetry_frames() -> Frames:
    """Return evenly spaced cost asymmetries."""
    gammas = np.linspace(0.0, 1.0, FRAMES).tolist()
    return Frames(tuple(gammas), 1.0, "level", tuple(gammas))


def level_frames(
    X: FloatArray,
    specs: Sequence[Spec],
    top: float,
    fit: Fit,
    over: Over = "level",
    weights: FloatArray | None = None,
) -> Frames:
    """Return levels λ that are evenly spaced in λ, in ν or in mass.

    Parameters
    ----------
    X : ndarray of shape (n_points, n_features)
        Training points.
    specs : sequence of Spec
        The methods shown.
    top : float
        The largest level.
    fit : callable
        Solves further problems where ν or mass require it.
    over : {"level", "nu", "mass"}
        The unit.
    weights : ndarray of shape (n_points,), optional
        Weights of the points, which mass counts by.
    """
    ends = HIGHEST * top, LOWEST * top
    if over == "nu":
        path = fit(Spec("one-class SVM", specs[0].sigma)).estimator
        # ν does not fall as λ rises; remove rounding errors.
        nodes, nus = path.breakpoints_[::-1], np.maximum.accumulate(path.nus_[::-1])
        first, last = np.interp(ends, nodes, nus)
        wanted = np.linspace(first, last, FRAMES)
        levels = np.interp(wanted, nus, nodes)
        numbers = wanted
    elif over == "mass":
        levels, numbers = _by_mass(_entry_levels(X, specs, fit), ends, weights)
    else:
        levels = numbers = np.linspace(*ends, FRAMES)
    clipped = np.clip(levels, ends[1], ends[0])
    return Frames(tuple(clipped.tolist()), top, over, tuple(numbers.tolist()))


def nu_of(fitted_ones: Sequence[Fitted], levels: Sequence[float]) -> FloatArray | None:
    """Return ν = Σα of the plain one-class SVM at each level; None where it is not shown.

    The coefficients of the nested SVM have another sum, which bounds no share of outliers.
    """
    for fitted in fitted_ones:
        if fitted.spec.solved.method == "one-class SVM":
            return np.asarray(fitted.estimator.coefficients(levels)).sum(axis=1)
    return None


def _entry_levels(X: FloatArray, specs: Sequence[Spec], fit: Fit) -> FloatArray:
    """Return the entry level of each point, by the first nested method: mass must not fall."""
    for spec in (*specs, Spec("Parzen", specs[0].sigma)):
        family = fit(spec).family
        if family.is_nested:
            return family.first_level(X)
    raise ValueError("Parzen level sets are nested; the registry of methods says otherwise.")


def _by_mass(
    entry: FloatArray, ends: tuple[float, float], weights: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return levels that are about evenly spaced in mass, and the exact mass at each of them.

    Many points may enter at one level. Between such levels the frames are evenly spaced in λ, so
    that no two frames are the same.
    """
    high, low = ends
    given = np.ones(len(entry)) if weights is None else weights
    finite, total = np.isfinite(entry), float(given.sum())
    seen = np.concatenate([np.clip(entry[finite], low, high), [low, high]])
    # The two ends count as a point each, as if they were among the points.
    counted = np.concatenate([given[finite], np.full(2, total / len(entry))])
    knots, at = np.unique(seen, return_inverse=True)
    inside = np.cumsum(np.bincount(at, counted)[::-1]) / total
    levels = np.interp(np.linspace(inside[0], inside[-1], FRAMES), inside, knots[::-1])
    within = entry[None, :] >= levels[:, None]
    return levels, within.mean(axis=1) if weights is None else within @ given / total
