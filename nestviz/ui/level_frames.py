"""The levels that the frames of a one-class sweep show, and how each of them is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from nestviz.coefficients import PathRows
from nestviz.data import Dataset
from nestviz.kernels import GaussianKernel
from nestviz.ui import cache, keeping
from nestviz.ui.methods import Spec
from nestviz.ui.multipliers import solved

FloatArray = NDArray[np.float64]
Over = Literal["level", "nu", "mass"]
NAMES: dict[Over, str] = {
    "level": "level λ",
    "nu": "ν of the one-class SVM",
    "mass": "training mass",
}
FRAMES = 60
BLOCK = 500
"""Points whose kernel values are held at once."""
SUM_TO_NU = ("one-class SVM", "union")
"""Methods whose coefficients are those of the plain one-class SVM, and so add up to its ν."""
HIGHEST, LOWEST = 0.98, 0.01
"""First and last level of a sweep, as shares of the top."""


@dataclass(frozen=True)
class Frames:
    """Levels λ from small sets to large ones.

    Attributes
    ----------
    levels : tuple of float
        λ of each frame, descending.
    top : float
        The largest level at which a training point is inside a Parzen set.
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


def density_frames(data: Dataset, specs: Sequence[Spec], over: Over = "level") -> Frames:
    """Sixty levels, evenly spaced in λ, in ν or in the mass of the training points."""
    top = top_level(data, specs[0].sigma)
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


def top_level(data: Dataset, sigma: float) -> float:
    """The level above which no training point is inside a Parzen set."""
    return _top_level(data.fingerprint, sigma, data)


@keeping.kept()
def _top_level(fingerprint: str, sigma: float, _data: Dataset) -> float:
    kernel, X = GaussianKernel(sigma), _data.X
    blocks = (X[start : start + BLOCK] for start in range(0, len(X), BLOCK))
    return max(float(kernel.gram(X, block).mean(axis=0).max()) for block in blocks)


def nu_curve(data: Dataset, sigma: float) -> tuple[FloatArray, FloatArray]:
    """Breakpoints of the one-class SVM's path, ascending, and ν = Σα at each of them."""
    family = cache.one_class_fit(data.fingerprint, data, Spec("one-class SVM", sigma)).family
    rows = family.coefficients
    assert isinstance(rows, PathRows)
    nus = rows.product(np.ones((rows.shape[1], 1)))[:, 0]
    # ν does not fall as λ rises; rounding must not make it.
    return family.levels, np.maximum.accumulate(nus)


def nu_of(data: Dataset, specs: Sequence[Spec], levels: Sequence[float]) -> FloatArray | None:
    """Return ν = Σα of the plain one-class SVM at each level; None where it is not shown.

    The coefficients of the nested SVM add up to something else, which bounds no share of outliers.
    """
    spec = next((spec for spec in specs if spec.method in SUM_TO_NU), None)
    if spec is None:
        return None
    family = solved(cache.one_class_fit(data.fingerprint, data, spec).family)
    return family.coefficients_at(levels)[0].sum(axis=1)


def entry_levels(data: Dataset, specs: Sequence[Spec]) -> FloatArray:
    """The level at which each training point enters.

    By the first method whose sets are nested, since only there the mass never falls.
    """
    for spec in (*specs, Spec("Parzen", specs[0].sigma)):
        family = cache.one_class_fit(data.fingerprint, data, spec).family
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
