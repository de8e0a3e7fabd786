"""What the story of the start page says about one family: where it crosses, and what follows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nestviz.analysis.ranking import ranking_scores
from nestviz.analysis.roc import auc
from nestviz.arrays import FloatArray
from nestviz.families import SetFamily
from nestviz.grids import Grid, Plane
from nestviz.ui.compute.methods import Fitted

PIXELS = 120
"""Locations along each side of the picture at which crossing is looked for."""
VISIBLE = 1e-3
"""The smallest share of the picture that can be seen to be violated."""
NOISE_SEED = 0


@dataclass(frozen=True)
class Crossing:
    """Where sets that should only grow give up a location, over the levels of a sweep."""

    level: float  # The level at which most of the picture is violated
    share: float  # The share of the picture that is
    # The location that is given up most clearly, in coordinates of the plane
    place: tuple[float, float]
    clearest: float  # The level at which it is inside most clearly
    entered: float  # The levels at which it comes in and leaves again
    left: float
    returned: float | None  # The level at which it is back, if that is among those shown
    deepest: float  # By how much its sum falls below the level, as a share of the level


@dataclass(frozen=True)
class Rankings:
    """How the ranking by the first set and the ranking by the last one differ."""

    points: int
    leaving: int  # Points that enter and leave again
    ambiguous: int  # Points that the two rankings order differently against some other point


@dataclass(frozen=True, eq=False)
class Cost:
    """What the nested SVM gives up for nesting."""

    # By how much its objective lies above the smallest possible one, at each level of a sweep
    excess: FloatArray
    # AUC of the points against as many uniform ones, of the plain, united and nested sets
    plain: float
    union: float
    nested: float

    @property
    def worst(self) -> int:
        """The stop at which the objective lies highest above the smallest possible one."""
        return int(self.excess.argmax())


def find_crossing(
    family: SetFamily, plane: Plane, view: tuple[float, float, float, float], levels: FloatArray
) -> Crossing | None:
    """Return where a family of one class crosses; None where it does not.

    Parameters
    ----------
    family : SetFamily
        Sets that shrink with the level.
    plane : Plane
        The plane of the picture.
    view : tuple of float
        ``(umin, umax, vmin, vmax)``, the part of the plane that is looked at.
    levels : ndarray of shape (n_levels,)
        Levels from small sets to large ones.

    Returns
    -------
    Crossing or None
    """
    if family.is_nested:
        return None
    umin, umax, vmin, vmax = view
    grid = Grid(np.linspace(umin, umax, PIXELS), np.linspace(vmin, vmax, PIXELS), plane)
    values = family.values(grid, levels)
    # Positive where a smaller set had the location and the present one has not.
    given_up = np.minimum(np.maximum.accumulate(values, axis=0), -values)
    shares = (given_up > 0).mean(axis=1)
    worst = int(shares.argmax())
    if shares[worst] < VISIBLE:
        return None
    pixel = int(given_up[worst].argmax())
    clearest = int(values[: worst + 1, pixel].argmax())
    place = float(grid.u[pixel % PIXELS]), float(grid.v[pixel // PIXELS])
    entered, left, returned = _course(family, plane, place, levels, clearest)
    ratio = values[worst:, pixel] / levels[worst:]
    return Crossing(
        level=float(levels[worst]),
        share=float(shares[worst]),
        place=place,
        clearest=float(levels[clearest]),
        entered=entered,
        left=left,
        returned=returned,
        deepest=float(-ratio.min()),
    )


def _course(
    family: SetFamily,
    plane: Plane,
    place: tuple[float, float],
    levels: FloatArray,
    clearest: int,
) -> tuple[float, float, float | None]:
    """Return the levels at which a location comes in, leaves, and is back if it is."""
    spans = family.intervals(plane.lift(np.array([place])))
    lower, upper = np.asarray(spans.lower), np.asarray(spans.upper)
    now = levels[clearest]
    # A pixel's own intervals are exact; the level of the sweep lies in one of them.
    k = int(np.argmin(np.maximum(lower - now, now - upper)))
    back = float(upper[k - 1]) if k > 0 else -np.inf
    return float(upper[k]), float(lower[k]), back if back >= levels[-1] else None


def compare_rankings(family: SetFamily, X: FloatArray) -> Rankings:
    """Return how far the two rankings of the points by one family differ."""
    scores = ranking_scores(family, X)
    leaving = int((scores.s_plus != scores.s_minus).sum())
    return Rankings(len(X), leaving, int(scores.ambiguous.sum()))


def price(plain: Fitted, union: Fitted, nested: Fitted, X: FloatArray, levels: FloatArray) -> Cost:
    """Return what nesting costs, in the objective of the plain problem and as a ranking."""
    best, given = (_objective(fitted, X, levels) for fitted in (plain, nested))
    noise = np.random.default_rng(NOISE_SEED).uniform(X.min(axis=0), X.max(axis=0), X.shape)
    points = np.vstack([X, noise])
    labels = np.repeat([1, -1], len(X))
    areas = (auc(fitted.family, points, labels) for fitted in (plain, union, nested))
    # The path is exact up to rounding: a difference below that is none.
    return Cost(np.maximum(given / best - 1.0, 0.0), *areas)


def _objective(fitted: Fitted, X: FloatArray, levels: FloatArray) -> FloatArray:
    """Return λ/2 ‖w‖² + mean hinge loss, where w has the coefficients α / λ."""
    alpha = np.asarray(fitted.estimator.coefficients(levels))
    sums = fitted.family.values(X, levels) + levels[:, None]
    hinge = np.maximum(0.0, 1.0 - sums / levels[:, None]).mean(axis=1)
    return np.asarray(0.5 * (sums * alpha).sum(axis=1) / levels + hinge)
