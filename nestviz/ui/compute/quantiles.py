"""What the Quantiles page computes. Knows nothing of Streamlit: workers run it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from nestviz.analysis.coverage import CoverageRatio, at_masses
from nestviz.analysis.level_sweep import Sweep, sweep
from nestviz.analysis.quantiles import QuantileSets, quantile_sets
from nestviz.arrays import FloatArray, IndexArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.scanning import Scan
from nestviz.ui.compute.methods import certificate_of
from nestviz.ui.compute.tasks import Report, fit_params, solver_progress

FRAMES = 60
"""About so many frames where sets between the quantiles are shown too."""
DIGITS = 6
"""Quantiles are rounded to so many, so that code can name them."""


@dataclass(frozen=True)
class Method:
    """One way to sets of given quantiles.

    Attributes
    ----------
    title, sentence : str
        What it is called, and what it does to the sets.
    estimator : str
        The public name of its estimator.
    by_mass : bool
        Whether its levels say nothing about mass and are read by the mass of the training points.
    at_once : bool
        Whether it is a single problem, whose progress can be told.
    """

    title: str
    sentence: str
    estimator: str
    by_mass: bool = False
    at_once: bool = True


METHODS = {
    "q-OCSVM": Method(
        "q-OCSVM",
        "All quantiles share one direction: sets never cross.",
        "QuantileOneClassSVM",
    ),
    "independent": Method(
        "Independent SVMs",
        "One ν one-class SVM per quantile, nothing shared: sets may cross.",
        "IndependentOneClassSVM",
        at_once=False,
    ),
    "greedy": Method(
        "Greedy (HMVE)",
        "From the largest set to the smallest, each cut to the one before.",
        "HierarchicalMVSets",
        at_once=False,
    ),
    "nested": Method(
        "Nested SVM, by mass",
        "The nested one-class SVM, read where its sets hold the quantile of the training points.",
        "NestedOneClassSVM",
        by_mass=True,
    ),
    "Parzen": Method(
        "Parzen, by mass",
        "One density estimate, cut where the quantile of the training points is above.",
        "ParzenLevelSets",
        by_mass=True,
    ),
}
"""Names, as they stand in links, to methods."""


def held_out_count(share: float, n: int) -> int:
    """How many of n points are held out: one at least, but never all."""
    return min(max(round(share * n), 1), n - 1)


@dataclass(frozen=True)
class Plan:
    """What the sets depend on beside the points and the method: hashable, to key a cache.

    Attributes
    ----------
    sigma : float
        Width of the Gaussian kernel.
    count : int
        How many quantiles.
    low, high : float
        The smallest and the largest of them; in between they are evenly spaced.
    share : float
        Share of the points to hold out.
    seed : int
        Of the draw of those points.
    levels : int
        Levels of the nested one-class SVM.
    dense : bool
        Whether there are frames between the quantiles too.
    """

    sigma: float
    count: int
    low: float
    high: float
    share: float
    seed: int
    levels: int
    dense: bool

    @property
    def quantiles(self) -> FloatArray:
        """The quantiles, ascending; just one where both ends are the same."""
        return np.unique(np.linspace(self.low, self.high, self.count).round(DIGITS))

    @property
    def frames(self) -> FloatArray:
        """The quantile of each frame; every quantile has one."""
        nodes = self.quantiles
        if not self.dense or nodes.size == 1:
            return nodes
        steps = max(round((FRAMES - 1) / (nodes.size - 1)), 1)
        places = np.arange((nodes.size - 1) * steps + 1) / steps
        return np.interp(places, np.arange(nodes.size), nodes)

    def parts(self, n: int) -> tuple[IndexArray, IndexArray]:
        """Rows to learn from and rows held out, both ascending."""
        order = np.random.default_rng(self.seed).permutation(n)
        held = held_out_count(self.share, n)
        return np.sort(order[held:]), np.sort(order[:held])

    def problem(self, method: Method) -> tuple[Hashable, ...]:
        """What solving depends on; how the sets are drawn has no part in it."""
        given = self.parameters(method).values()
        return self.share, self.seed, *(tuple(np.ravel(value).tolist()) for value in given)

    def parameters(self, method: Method) -> dict[str, Any]:
        """What the estimator of a method is given."""
        if not method.by_mass:
            return {"sigma": self.sigma, "quantiles": self.quantiles}
        if method.estimator == "NestedOneClassSVM":
            return {"sigma": self.sigma, "levels": self.levels}
        return {"sigma": self.sigma}


@dataclass(frozen=True, eq=False)
class Solved:
    """The sets of one method, drawn and measured.

    Attributes
    ----------
    title : str
        The method.
    family : SetFamily
        Over the quantile.
    sets : QuantileSets
        At the quantiles: areas, crossing regions, coverage of the held-out points.
    walk : Sweep
        At the frames; ``walk.inside`` is of the training points.
    held_out : (F,) array
        Share of the held-out points inside at each frame.
    scan : Scan
        When each of all points enters.
    estimator : estimator
        Fitted to the training points.
    seconds : float
        Time of the fit.
    """

    title: str
    family: SetFamily
    sets: QuantileSets
    walk: Sweep
    held_out: FloatArray
    scan: Scan
    estimator: Any
    seconds: float

    @property
    def objective(self) -> float | None:
        """The dual objective of the method's own problem; None where nothing is solved."""
        return getattr(self.estimator, "objective_", None)

    @property
    def certificate(self) -> str:
        """How far the solution can be from the best one, in words."""
        return certificate_of(self.estimator)

    @property
    def coverage(self) -> CoverageRatio:
        """Mass of the held-out points in the set of each quantile."""
        assert self.sets.coverage is not None, "points are always held out here"
        return self.sets.coverage


class QuantileFit(NamedTuple):
    """An estimator fitted to the training points, and how many seconds that took."""

    estimator: Any
    seconds: float


def fit(name: str, plan: Plan, X: FloatArray, report: Report) -> QuantileFit:
    """Fit a method to the points that are not held out.

    Parameters
    ----------
    name : str
        A key of `METHODS`.
    plan : Plan
    X : (n, d) array
        All points.
    report : callable
        Told the share that is done; while it answers True the solver stops early.
    """
    import nestviz

    method, started = METHODS[name], perf_counter()
    estimator = getattr(nestviz, method.estimator)(**plan.parameters(method))
    heard = solver_progress(report) if method.at_once else _AtWork(report)
    estimator.fit(X[plan.parts(len(X))[0]], **fit_params(estimator, heard))
    return QuantileFit(estimator, perf_counter() - started)


def draw(
    fitted: QuantileFit, name: str, plan: Plan, X: FloatArray, grid: Grid, report: Report
) -> Solved:
    """Draw the sets of a fit on a grid of pixels, and measure them."""
    report(0.05, f"{plan.frames.size} quantiles")
    method = METHODS[name]
    training, held_out = (X[rows] for rows in plan.parts(len(X)))
    family = fitted.estimator.family_
    if method.by_mass:
        family = at_masses(family, training, plan.quantiles)
    (sets,) = quantile_sets({method.title: family}, grid, X, plan.quantiles, held_out)
    frames = plan.frames
    return Solved(
        title=method.title,
        family=family,
        sets=sets,
        walk=sweep(family, grid, training, frames),
        held_out=(family.values(held_out, frames) >= 0).mean(axis=1),
        scan=family.scan(X),
        estimator=fitted.estimator,
        seconds=fitted.seconds,
    )


class _AtWork:
    """Of several problems in a row a solver's callback can only say that they are at work."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def __call__(self, progress: Any) -> bool:
        return self._report(0.0, f"duality gap {progress.duality_gap:.0e}")
