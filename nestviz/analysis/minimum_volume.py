"""The smallest set of a family with a given mass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.analysis.crossings import middle
from nestviz.arrays import FloatArray, IndexArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.renamed import renamed
from nestviz.volume.integrated import checked_table, fit_without, split
from nestviz.volume.moves import Moves, moves, running_counts
from nestviz.volume.parallel import run_all
from nestviz.volume.reference import Reference, as_reference

# Masses are shares k/n; a mass this little above one of them means that one.
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
        The nominal mass.
    level : float
        The level chosen, half way between the two at which the estimated mass changes.
    mass : float
        The estimated mass there, at least β.
    levels, masses : ndarray of shape (n_levels,)
        The estimated mass just past each level where it changes, in the direction of growth.
    """

    family: SetFamily
    beta: float
    level: float
    mass: float
    levels: FloatArray
    masses: FloatArray

    def contains(self, X: ArrayLike | Grid) -> NDArray[np.bool_]:
        """Return whether each point is in the set."""
        return self.family.contains(X, self.level)

    def volume(self, reference: Reference | Grid) -> tuple[float, float]:
        """Return the volume of the set and its standard error."""
        region = as_reference(reference)
        return region.measure(self.contains(region.points))


@renamed(folds="cv", seed="random_state")
def minimum_volume_set(
    model: SetFamily | Any,
    X: ArrayLike,
    beta: float,
    *,
    cv: int = 5,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> MassLevel:
    """Find the smallest set of a family with at least the mass β (Lee & Scott 2007, section 1).

    Level sets of a density have the least volume for their mass. Which level has the mass β is
    estimated from points that were not used to fit the sets.

    Parameters
    ----------
    model : estimator or SetFamily
        An estimator is fitted to ``X`` without each fold in turn; the held-out points measure the
        mass at every level, and the level found is used in the fit to all of ``X``. For a family,
        ``X`` measures the mass directly: use points other than its training points.
    X : array-like of shape (n_points, n_features)
        The data.
    beta : float
        The mass, in (0, 1].
    cv, random_state, n_jobs : int, int, int or None
        Cross-validation of an estimator, as in `integrated_volume`.

    Returns
    -------
    MassLevel

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
        family, held_out = _cross_validated(model, checked_table(X), cv, random_state, n_jobs)
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
            f"{masses.max(initial=0.0):g}. Use a smaller mass or a wider kernel."
        )
    level = _level_past(family, keys, int(enough[0]))
    levels = family.orientation * keys
    return MassLevel(family, float(beta), level, float(masses[enough[0]]), levels, masses)


def _cross_validated(
    estimator: Any, points: FloatArray, cv: int, random_state: int, n_jobs: int | None
) -> tuple[SetFamily, list[Moves]]:
    """Return the family of all points, and the moves of each fold in sets fitted without it."""
    fit = partial(fit_without, estimator, points)

    def follow_held_out(rows: IndexArray) -> Moves:
        return moves(fit(rows).family_, points[rows])

    tasks = [partial(follow_held_out, rows) for rows in split(len(points), cv, random_state)]
    done = run_all(tasks, n_jobs, None)
    return fit(np.empty(0, dtype=np.intp)).family_, [part for part in done if part is not None]


def _level_past(family: SetFamily, keys: FloatArray, chosen: int) -> float:
    """Return a level half way from one key to the next, or to the end of the domain."""
    low, high = family.domain or (-np.inf, np.inf)
    end = high if family.orientation == 1 else -low
    start, stop = keys[chosen], keys[chosen + 1] if chosen + 1 < keys.size else end
    between = middle(float(start), float(stop))
    # The far end may lie outside an open domain, and rounding must not land on it.
    return float(family.orientation * (start if between == stop else between))
