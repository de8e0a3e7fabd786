"""Benchmark rows: fields and intervals of a family."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.data import make_sample
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.kernels import GaussianKernel, median_distance
from nestviz.studies.bench.report import Row
from nestviz.studies.bench.timing import best_time

GROUP = "families"


@dataclass(frozen=True)
class Case:
    """Two ways to the same result, and a measure of how far the results are apart."""

    what: str
    size: str
    peer: str
    ours: Callable[[], object]
    theirs: Callable[[], object]
    difference: Callable[[object, object], float]


def rows(quick: bool) -> Iterator[Row]:
    """Yield each pair, timed."""
    for case in _cases(quick):
        ours, result = best_time(case.ours, 3 if quick else 7)
        theirs, expected = best_time(case.theirs, 3 if quick else 7)
        apart = case.difference(result, expected)
        yield Row(GROUP, case.what, case.size, case.peer, ours, theirs, difference=apart)


def _cases(quick: bool) -> Iterator[Case]:
    """Yield pairs to be timed."""
    for n, pixels in ((400, 100),) if quick else ((400, 150), (2000, 150)):
        yield _density(n, pixels)
    yield _intervals(200, 12, 60 if quick else 150)
    yield _path_intervals(100 if quick else 400, 60 if quick else 150)


def _density(n: int, pixels: int) -> Case:
    """Return a kernel density estimate on a pixel grid, against scikit-learn's."""
    from sklearn.neighbors import KernelDensity

    from nestviz.estimators import ParzenLevelSets

    X = make_sample("banana", random_state=0, n=n).X
    sigma = 0.3 * median_distance(X)
    grid = Grid.around(X, resolution=pixels)
    points = grid.points()
    family = ParzenLevelSets(sigma).fit(X).family_
    peer = KernelDensity(bandwidth=sigma, algorithm="kd_tree", rtol=1e-9).fit(X)
    unnormalised = 2 * np.pi * sigma**2

    def theirs() -> FloatArray:
        density: FloatArray = np.exp(peer.score_samples(points)) * unnormalised
        return density

    return Case(
        "density on a grid",
        f"N={n}, {pixels}×{pixels}",
        "sklearn.neighbors.KernelDensity",
        lambda: family.field(grid)[0],
        theirs,
        _largest_difference,
    )


def _intervals(n: int, breakpoints: int, pixels: int) -> Case:
    """Return entry levels from exact intervals, against a search over a grid of 1,000 levels."""
    rng = np.random.default_rng(0)
    X = make_sample("ring", random_state=0, n=n).X
    levels = np.linspace(0.0, 1.0, breakpoints)
    bumps = rng.normal(size=(breakpoints, n)) / np.sqrt(n)
    kernel = GaussianKernel(0.3 * median_distance(X))
    family = SetFamily(levels, bumps, np.zeros(breakpoints), X, kernel, orientation=1)
    grid = Grid.around(X, resolution=pixels)
    dense = np.linspace(0.0, 1.0, 1000)

    def theirs() -> FloatArray:
        field = family.field(grid)
        first = np.full(grid.size, np.inf)
        for level in dense[::-1]:
            j = min(int(level * (breakpoints - 1)), breakpoints - 2)
            share = level * (breakpoints - 1) - j
            inside = (1 - share) * field[j] + share * field[j + 1] > 0
            first[inside] = level
        return first

    return Case(
        "entry level of every pixel",
        f"M={breakpoints}, {pixels}×{pixels}",
        "1,000 levels, numpy",
        lambda: family.first_level(grid),
        theirs,
        _usual_difference,
    )


def _path_intervals(n: int, pixels: int) -> Case:
    """Return entry levels along a whole path, against a table of its fields at all breakpoints."""
    from nestviz.estimators import OneClassPath

    X = make_sample("banana", random_state=0, n=n).X
    family = OneClassPath(0.4).fit(X).family_
    table = replace(family, coefficients=family.coefficients.take(np.arange(len(family.levels))))
    grid = Grid.around(X, resolution=pixels)
    return Case(
        "entry level of every pixel, whole path",
        f"M={len(family.levels):,}, {pixels}×{pixels}",
        "field at every breakpoint",
        lambda: family.first_level(grid),
        lambda: table.first_level(grid),
        _largest_difference,
    )


def _usual_difference(ours: object, theirs: object) -> float:
    """Return the difference that 99 % of the pixels stay below.

    A search over levels misses stays shorter than its step, so a few pixels differ by far more.
    """
    a, b = np.asarray(ours), np.asarray(theirs)
    both = np.isfinite(a) & np.isfinite(b)
    return float(np.quantile(np.abs(a[both] - b[both]), 0.99))


def _largest_difference(ours: object, theirs: object) -> float:
    """Return the largest absolute difference where both are finite."""
    a, b = np.asarray(ours), np.asarray(theirs)
    both = np.isfinite(a) & np.isfinite(b)
    return float(np.abs(a[both] - b[both]).max(initial=0.0))
