"""The smallest set of a family that holds a given mass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray, IndexArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.volume.integrated import checked_table, fit_without, split
from nestviz.volume.moves import Moves, moves, running_counts
from nestviz.volume.parallel import run_all
from nestviz.volume.reference import Reference, as_reference

# Masses are shares k/n; a wanted mass this little above one of them means that one.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class MassLevel:
    """The first set, as the sets grow, whose estimated mass reaches β.

    The levels at which the mass changes are exact; the mass is an estimate from held-out points,
    with a binomial standard error of about √(β(1 − β)/n).

    Attributes
    ----------
    family : SetFamily
        The sets to choose from.
    beta : float
        The mass asked for.
    level : float
        The level chosen, half way between the two at which the estimated mass changes.
    mass : float
        The estimated mass there, at least β.
    levels, masses : (L,) arrays
        The estimated mass at all levels: its value just past each level where it changes, in the
        direction in which the sets grow.
    """

    family: SetFamily
    beta: float
    level: float
    mass: float
    levels: FloatArray
    masses: FloatArray

    def contains(self, X: ArrayLike | Grid) -> NDArray[np.bool_]:
        """Whether each point is in the set."""
        return self.family.contains(X, self.level)

    def volume(self, reference: Reference | Grid) -> tuple[float, float]:
        """Volume of the set and its standard error."""
        places = as_reference(reference)
        return places.measure(self.contains(places.points))


def minimum_volume_set(
    model: SetFamily | Any,
    X: ArrayLike,
    beta: float,
    *,
    folds: int = 5,
    seed: int = 0,
    n_jobs: int | None = -1,
) -> MassLevel:
    """The smallest set of a family with at least the mass β (Lee & Scott 2007, section 1).

    Level sets of a density have the least volume for the mass they hold. Which level holds β is
    not known beforehand, so it is found from points that did not help to make the sets.

    Parameters
    ----------
    model : estimator or SetFamily
        An estimator is fitted to ``X`` without each fold in turn; at every level the points held
        out measure the mass, and the level found is used in the fit to all of ``X``. Of a family,
        ``X`` measures the mass directly: the points should be other than those it was fitted to.
    X : (n, d) array
        The data.
    beta : float
        The mass, in (0, 1].
    folds, seed, n_jobs
        Cross-validation of an estimator, as in `integrated_volume`.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz import ParzenLevelSets
    >>> X = np.random.default_rng(0).normal(size=(100, 2))
    >>> chosen = minimum_volume_set(ParzenLevelSets(sigma=0.5), X, beta=0.9)
    >>> chosen.mass
    0.9
    """
    if not 0 < beta <= 1:
        raise ValueError(f"beta must be a mass above 0 and at most 1, not {beta!r}.")
    if isinstance(model, SetFamily):
        family, held_out = model, [moves(model, X)]
    else:
        family, held_out = _cross_validated(model, checked_table(X), folds, seed, n_jobs)
    n = sum(part.size for part in held_out)
    if not n:
        raise ValueError("The mass of a set needs at least one point.")
    groups = [(part, np.zeros(part.size, dtype=np.int64)) for part in held_out]
    keys, counts = running_counts(groups, 1)
    masses = counts[:, 0] / n
    enough = np.flatnonzero(masses >= beta - ROUNDING)
    if not enough.size:
        raise ValueError(
            f"No set of this family holds a mass of {beta:g}: the most is "
            f"{masses.max(initial=0.0):g}. Ask for less, or use a wider kernel."
        )
    level = _level_past(family, keys, int(enough[0]))
    levels = family.orientation * keys
    return MassLevel(family, float(beta), level, float(masses[enough[0]]), levels, masses)


def _cross_validated(
    estimator: Any, points: FloatArray, folds: int, seed: int, n_jobs: int | None
) -> tuple[SetFamily, list[Moves]]:
    """The family of all points, and comings and goings of each fold in sets made without it."""
    nobody = np.empty(0, dtype=np.intp)
    fit = partial(fit_without, estimator, points)

    def follow_held_out(rows: IndexArray) -> Moves:
        return moves(fit(rows).family_, points[rows])

    tasks = [partial(follow_held_out, rows) for rows in split(len(points), folds, seed)]
    done = run_all(tasks, n_jobs, None)
    return fit(nobody).family_, [part for part in done if part is not None]


def _level_past(family: SetFamily, keys: FloatArray, chosen: int) -> float:
    """A level half way from one key to the next, or to the end of the domain."""
    low, high = family.domain or (-np.inf, np.inf)
    end = high if family.orientation == 1 else -low
    start, stop = keys[chosen], keys[chosen + 1] if chosen + 1 < keys.size else end
    if np.isinf(start) and np.isinf(stop):
        middle = 0.0
    elif np.isinf(stop):
        middle = start + max(1.0, abs(start))
    elif np.isinf(start):
        middle = stop - max(1.0, abs(stop))
    else:
        middle = start + (stop - start) / 2
    # The far end may lie outside an open domain, and rounding must not land on it.
    return float(family.orientation * (start if middle == stop else middle))
