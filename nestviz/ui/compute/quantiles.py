"""Fit and measure the sets of given quantiles, for worker processes."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from nestviz.analysis.coverage import CoverageRatio, at_masses
from nestviz.analysis.quantiles import QuantileSets, quantile_sets
from nestviz.arrays import BoolArray, FloatArray, IndexArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.scanning import Scan
from nestviz.ui.compute.methods import certificate_of
from nestviz.ui.compute.tasks import Report, SolverProgress, fit_params

FRAMES = 60
"""Approximate number of frames where sets between the quantiles are shown too."""
DIGITS = 6
"""Digits of the quantiles, so that scripts can name them."""


@dataclass(frozen=True)
class Method:
    """A method that gives sets of given quantiles."""

    # Its title, and what it does to the sets
    title: str
    sentence: str
    estimator: str  # The public name of its estimator
    # Whether its sets are read at levels where they hold given masses of training points
    by_mass: bool = False
    joint: bool = True  # Whether it solves a single problem, whose progress is known


METHODS = {
    "q-OCSVM": Method(
        "q-OCSVM", "All quantiles share one direction: sets never cross.", "QuantileOneClassSVM"
    ),
    "independent": Method(
        "Independent SVMs",
        "One ν one-class SVM per quantile, nothing shared: sets may cross.",
        "IndependentOneClassSVM",
        joint=False,
    ),
    "greedy": Method(
        "Greedy (HMVE)",
        "From the largest set to the smallest, each cut to the one before.",
        "HierarchicalMVSets",
        joint=False,
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
    """Return the number of held-out points among n: at least one, but never all."""
    return min(max(round(share * n), 1), n - 1)


@dataclass(frozen=True)
class QuantileSettings:
    """The settings of all methods, hashable, as the key of a cache."""

    sigma: float  # Width of the Gaussian kernel
    count: int  # Number of quantiles
    # The smallest and the largest quantile; the others are evenly spaced between them
    low: float
    high: float
    # Share of held-out points, and the seed of their draw
    share: float
    seed: int
    levels: int  # Levels of the nested one-class SVM
    dense: bool  # Whether there are frames between the quantiles too
    own: tuple[float, ...] = ()  # Own quantiles instead of evenly spaced ones, ascending

    @property
    def quantiles(self) -> FloatArray:
        """The quantiles, ascending; one where both ends are equal."""
        if self.own:
            return np.array(self.own)
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
        """Return the training rows and the held-out rows, both ascending."""
        order = np.random.default_rng(self.seed).permutation(n)
        held = held_out_count(self.share, n)
        return np.sort(order[held:]), np.sort(order[:held])

    def problem(self, method: Method) -> tuple[Hashable, ...]:
        """Return the settings that the solution depends on, without those of the drawing."""
        given = self.parameters(method).values()
        return self.share, self.seed, *(tuple(np.ravel(value).tolist()) for value in given)

    def parameters(self, method: Method) -> dict[str, Any]:
        """Return the parameters of a method's estimator."""
        if not method.by_mass:
            return {"sigma": self.sigma, "quantiles": self.quantiles}
        if method.estimator == "NestedOneClassSVM":
            return {"sigma": self.sigma, "levels": self.levels}
        return {"sigma": self.sigma}


@dataclass(frozen=True, eq=False)
class QuantileResult:
    """The sets of one method, and their measures."""

    name: str  # Key of `METHODS`
    family: SetFamily  # Over the quantile
    sets: QuantileSets  # At the quantiles: areas, crossing regions, coverage of the held-out points
    inside: BoolArray  # Whether each point is inside at each frame (shape (n_frames, n_points))
    training: IndexArray  # Rows of the training points
    scan: Scan  # The levels at which each point is inside
    estimator: Any  # Fitted to the training points
    seconds: float  # Time of the fit

    @property
    def title(self) -> str:
        """The title of the method."""
        return METHODS[self.name].title

    @property
    def training_share(self) -> FloatArray:
        """Share of the training points inside at each frame."""
        return np.asarray(self.inside[:, self.training].mean(axis=1))

    @property
    def objective(self) -> float | None:
        """The dual objective of the method's own problem; None where nothing is solved."""
        return getattr(self.estimator, "objective_", None)

    @property
    def certificate(self) -> str:
        """Bound on the distance of the solution from the optimum, in words."""
        return certificate_of(self.estimator)

    @property
    def coverage(self) -> CoverageRatio:
        """Mass of the held-out points in the set of each quantile."""
        assert self.sets.coverage is not None, "points are always held out here"
        return self.sets.coverage


class QuantileFit(NamedTuple):
    """An estimator fitted to the training points, and the time in seconds."""

    estimator: Any
    seconds: float


def fit(name: str, settings: QuantileSettings, X: FloatArray, report: Report) -> QuantileFit:
    """Fit the method ``name`` to the training points among X."""
    import nestviz

    method, started = METHODS[name], perf_counter()
    estimator = getattr(nestviz, method.estimator)(**settings.parameters(method))
    callback = SolverProgress(report) if method.joint else _gap_only(report)
    estimator.fit(X[settings.parts(len(X))[0]], **fit_params(estimator, callback))
    return QuantileFit(estimator, perf_counter() - started)


def measure(
    fitted: QuantileFit,
    name: str,
    settings: QuantileSettings,
    X: FloatArray,
    grid: Grid,
    report: Report,
) -> QuantileResult:
    """Measure the sets of a fit on a pixel grid."""
    report(0.05, f"{settings.frames.size} quantiles")
    method = METHODS[name]
    rows, held_out = settings.parts(len(X))[0], X[settings.parts(len(X))[1]]
    family = fitted.estimator.family_
    if method.by_mass:
        family = at_masses(family, X[rows], settings.quantiles)
    (sets,) = quantile_sets({method.title: family}, grid, X, settings.quantiles, held_out)
    return QuantileResult(
        name=name,
        family=family,
        sets=sets,
        inside=family.values(X, settings.frames) >= 0,
        training=rows,
        scan=family.scan(X),
        estimator=fitted.estimator,
        seconds=fitted.seconds,
    )


def _gap_only(report: Report) -> Callable[[Any], bool]:
    """Return a callback for several problems in a row, whose overall progress is unknown."""
    return lambda progress: report(0.0, f"duality gap {progress.duality_gap:.0e}")
