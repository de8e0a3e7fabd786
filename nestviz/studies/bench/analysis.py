"""Benchmark rows: what is read off a 400-point fit on a 150 × 150 grid, after the fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from nestviz.analysis.nesting import nesting_report
from nestviz.analysis.outliers import outlier_ranking
from nestviz.analysis.ranking import ranking_scores
from nestviz.analysis.tree.cluster_tree import cluster_tree
from nestviz.arrays import FloatArray
from nestviz.data import make_sample
from nestviz.estimators import NestedOneClassSVM, OneClassPath, ParzenLevelSets
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.kernels import median_distance
from nestviz.studies.bench.report import Row, at_most
from nestviz.studies.bench.timing import best_time
from nestviz.volume import (
    default_sigmas,
    integrated_volume,
    select_bandwidth,
    uniform_reference,
)

GROUP = "analysis"
POINTS, PIXELS = 400, 150
TOGETHER = 0.15
"""Seconds that all analyses of one fit may take together."""
SELECTION = 2.0
"""Seconds that a grid of 30 widths on 200 points may take."""
SELECTION_600 = 1.0
"""Seconds that it may take for the nested SVM on 600 points, on all cores."""


def rows(quick: bool) -> Iterator[Row]:
    """Yield rows of each analysis of each kind of family, and of bandwidth selection."""
    n, pixels = (100, 50) if quick else (POINTS, PIXELS)
    X = make_sample("banana", random_state=0, n=n).X
    sigma = 0.3 * median_distance(X)
    grid = Grid.around(X, resolution=pixels)
    for name, estimator in (
        ("nested SVM", NestedOneClassSVM(sigma)),
        ("Parzen", ParzenLevelSets(sigma)),
        ("SVM path", OneClassPath(sigma)),
    ):
        yield from _family_rows(name, estimator.fit(X).family_, X, grid, quick)
    yield from _selection_rows(quick)


def _family_rows(
    name: str, family: SetFamily, X: FloatArray, grid: Grid, quick: bool
) -> Iterator[Row]:
    work: dict[str, Callable[[], object]] = {
        "nesting report on the grid": lambda: nesting_report(family, grid),
        "ranking scores": lambda: ranking_scores(family, X),
        "cluster tree": lambda: cluster_tree(family, X),
        "outlier ranking": lambda: outlier_ranking(family, X),
    }
    size = f"{name}, N={len(X)}, {grid.u.size}×{grid.v.size}"
    total = 0.0
    for what, call in work.items():
        seconds, _ = best_time(call, 2 if quick else 7)
        total += seconds
        yield Row(GROUP, what, size, "none", seconds, value=1e3 * seconds, unit="ms")
    limit = None if quick else at_most(TOGETHER, "s")
    yield Row(
        GROUP, "all of them together", size, "none", total, value=total, unit="s", target=limit
    )


def _selection_rows(quick: bool) -> Iterator[Row]:
    X = make_sample("multi", random_state=0, n=40 if quick else 200).X
    for name, estimator in (("SVM path", OneClassPath()), ("nested SVM", NestedOneClassSVM())):
        search = partial(select_bandwidth, X, estimator, n_jobs=-1)
        seconds, _ = best_time(search, 1 if quick else 3, patience=10.0)
        yield Row(
            GROUP,
            "bandwidth by minimum integrated volume",
            f"{name}, 30 σ × 5 folds, N={len(X)}",
            "none",
            seconds,
            value=seconds,
            unit="s",
            target=None if quick else at_most(SELECTION, "s"),
        )
    yield _search_against_fits(quick)


def _search_against_fits(quick: bool) -> Row:
    """Time the search against as many separate fits, each with its own distances."""
    X = make_sample("multi", random_state=0, n=60 if quick else 600).X
    sigmas = default_sigmas(X, 6 if quick else 30)
    box = uniform_reference(X)
    search = partial(select_bandwidth, X, NestedOneClassSVM(), sigmas, reference=box, n_jobs=-1)
    seconds, _ = best_time(search, 1 if quick else 3, patience=10.0)

    def separate_fits() -> None:
        for sigma in sigmas:
            integrated_volume(X, NestedOneClassSVM(sigma), reference=box, n_jobs=-1)

    base, _ = best_time(separate_fits, 1)
    return Row(
        GROUP,
        "bandwidth by minimum integrated volume",
        f"nested SVM, {len(sigmas)} σ × 5 folds, N={len(X)}",
        f"{5 * len(sigmas)} separate fits",
        seconds,
        base,
        value=seconds,
        unit="s",
        target=None if quick else at_most(SELECTION_600, "s"),
        note="both on all cores",
    )
