"""The levels that the frames of a sweep show, and how each of them is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.data import Dataset
from nestviz.ui.compute.methods import Fitted, Spec
from nestviz.ui.results import fits

Over = Literal["level", "nu", "mass"]
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
    """Levels from small sets to large ones.

    Attributes
    ----------
    levels : tuple of float
        Of each frame: λ, descending, or the cost asymmetry, ascending.
    top : float
        The level that shares refer to: the largest λ at which a training point is inside a Parzen
        set, or the asymmetry 1.
    over : {"level", "nu", "mass"}
        In what the frames are evenly spaced.
    labels : tuple of str
        Each frame as it is read, in that unit.
    """

    levels: tuple[float, ...]
    top: float
    over: Over
    labels: tuple[str, ...]

    @property
    def shares(self) -> FloatArray:
        """The levels as shares of the top."""
        return np.array(self.levels) / self.top


def frames_of(data: Dataset, specs: Sequence[Spec], over: Over = "level") -> Frames:
    """Sixty levels: of one class evenly spaced in λ, in ν or in mass; of two evenly in γ."""
    if specs[0].two_classes:
        asymmetries = np.linspace(0.0, 1.0, FRAMES).tolist()
        return Frames(tuple(asymmetries), 1.0, "level", tuple(f"{g:.2f}" for g in asymmetries))
    top = fits.top_level(data, specs[0].sigma)
    ends = HIGHEST * top, LOWEST * top
    if over == "nu":
        nodes, nus = nu_curve(data, specs[0].sigma)
        first, last = np.interp(ends, nodes, nus)
        wanted = np.linspace(first, last, FRAMES)
        levels = np.interp(wanted, nus, nodes)
        labels = [f"{nu:.3f}" for nu in wanted]
    elif over == "mass":
        levels, masses = _by_mass(entry_levels(data, specs), ends)
        labels = [f"{mass:.1%}" for mass in masses]
    else:
        levels = np.linspace(*ends, FRAMES)
        labels = [f"{level:.3g}" for level in levels]
    return Frames(tuple(np.clip(levels, ends[1], ends[0]).tolist()), top, over, tuple(labels))


def nu_curve(data: Dataset, sigma: float) -> tuple[FloatArray, FloatArray]:
    """Breakpoints of the one-class SVM's path, ascending, and ν = Σα at each of them."""
    path = fits.fit(data, Spec("one-class SVM", sigma)).estimator
    # ν does not fall as λ rises; rounding must not make it.
    return path.breakpoints_[::-1], np.maximum.accumulate(path.nus_[::-1])


def nu_of(fitted_ones: Sequence[Fitted], levels: Sequence[float]) -> FloatArray | None:
    """Return ν = Σα of the plain one-class SVM at each level; None where it is not shown.

    The coefficients of the nested SVM add up to something else, which bounds no share of outliers.
    """
    for fitted in fitted_ones:
        if fitted.spec.solved.method == "one-class SVM":
            return np.asarray(fitted.estimator.coefficients(levels)).sum(axis=1)
    return None


def entry_levels(data: Dataset, specs: Sequence[Spec]) -> FloatArray:
    """The level at which each training point enters.

    By the first method whose sets are nested, since only there the mass never falls.
    """
    for spec in (*specs, Spec("Parzen", specs[0].sigma)):
        family = fits.fit(data, spec).family
        if family.is_nested:
            return family.first_level(data.X)
    raise ValueError("Parzen level sets are nested; the registry of methods says otherwise.")


def _by_mass(entry: FloatArray, ends: tuple[float, float]) -> tuple[FloatArray, FloatArray]:
    """Levels about evenly spaced in mass, and the mass that each of them really takes in.

    Many points may enter at one level. Between such levels the frames go on evenly in λ, so
    that no two frames are the same.
    """
    high, low = ends
    seen = np.clip(entry[np.isfinite(entry)], low, high)
    knots, counts = np.unique(np.concatenate([seen, [low, high]]), return_counts=True)
    inside = np.cumsum(counts[::-1]) / len(entry)
    levels = np.interp(np.linspace(inside[0], inside[-1], FRAMES), inside, knots[::-1])
    return levels, (entry[None, :] >= levels[:, None]).mean(axis=1)
