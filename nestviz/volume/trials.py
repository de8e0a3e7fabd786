"""Fits at many bandwidths, all on the same folds and against the same references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from nestviz.arrays import FloatArray, IndexArray
from nestviz.distances import product
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.kernels import GaussianGrams, GaussianKernel, average_distance
from nestviz.level_fields import KernelValues
from nestviz.repeated_rows import distinct_rows
from nestviz.solvers.records import Callback, Progress
from nestviz.volume.integrated import Fold, folds_of, join_folds, split
from nestviz.volume.parallel import counted, run_all
from nestviz.volume.reference import Reference
from nestviz.volume.selection import NARROW, BandwidthSelection

EXTENSIONS = 3
"""How many times a default grid is extended at its narrow end."""
MOST_DISTANCES = 1 << 25
"""Distances that all folds together may keep; with more, every fit computes its own."""


class FoldFits:
    """Fits without one fold; ``unit``, a typical distance, is None when no distances are kept."""

    def __init__(
        self,
        estimator: Any,
        train: FloatArray,
        held_out: FloatArray,
        references: Sequence[Reference],
        unit: float | None,
    ) -> None:
        self.estimator, self.train, self.held_out = estimator, train, held_out
        self.references, self.unit = references, unit
        self._views: dict[int, tuple[FloatArray, GaussianGrams, IndexArray | None]] = {}

    def __call__(self, sigma: float) -> list[Fold]:
        """Fit at one bandwidth; return what that contributes, for each reference."""
        view = None if self.unit is None else self._view
        return folds_of(self._family(sigma), self.held_out, self.references, view)

    @cached_property
    def _family(self) -> Callable[[float], SetFamily]:
        """From a bandwidth to the family, by the estimator's own short cut if it has one."""
        from sklearn.base import clone

        for cls in type(self.estimator).__mro__:
            if "families_by_width" in vars(cls) and self.unit is not None:
                families: Callable[[float], SetFamily] = self.estimator.families_by_width(
                    self.train, self.unit
                )
                return families
            if {"fit", "_width"} & vars(cls).keys():
                break  # a subclass that fits in its own way has no short cut
        return lambda sigma: clone(self.estimator).set_params(sigma=sigma).fit(self.train).family_

    def _view(self, family: SetFamily, number: int, points: Any) -> Any:
        """Return the points as kernel values with the centres, from distances that are kept."""
        if isinstance(points, Grid) or type(family.kernel) is not GaussianKernel:
            return points
        if number not in self._views:
            rows, inverse = distinct_rows(points)
            grams = GaussianGrams(family.centres, rows, self.unit or 1.0)
            self._views[number] = family.centres, grams, inverse
        centres, grams, inverse = self._views[number]
        if not np.array_equal(centres, family.centres):
            return points
        return KernelValues(grams, family.kernel.sigma, inverse)


class Trials:
    """A search over bandwidths that keeps what is finished.

    Parameters are those of `nestviz.volume.select_bandwidth`. The selection is made by the first
    reference; the others cost no further fits. ``finished`` holds the folds of
    each bandwidth by reference, ``wanted`` the number of bandwidths to try.
    """

    def __init__(
        self,
        points: FloatArray,
        estimator: Any,
        references: Sequence[Reference],
        *,
        cv: Any = 5,
        seed: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        parts = split(len(points), cv, seed)
        sites = sum(reference.size for reference in references) + len(points)
        few = len(parts) * len(points) * sites <= MOST_DISTANCES
        unit = average_distance(points) if few else None
        self.folds = [
            FoldFits(estimator, np.delete(points, part, axis=0), points[part], references, unit)
            for part in parts
        ]
        self.references, self.n_jobs = references, n_jobs
        self.finished: dict[float, list[list[Fold]]] = {}
        self.wanted = 0

    def run(self, widths: FloatArray, callback: Callback | None = None) -> bool:
        """Fit at some bandwidths, from coarse to fine; return whether all were finished."""
        order = [float(widths[k]) for k in coarse_to_fine(len(widths))]
        folds, before = len(self.folds), len(self.finished) * len(self.folds)
        self.wanted += len(order)
        results: list[list[Fold] | None] = []

        def heard(progress: Progress) -> object:
            done, total = progress.done, progress.total or 0
            if done % folds == 0:
                self.finished[order[done // folds - 1]] = _complete(results[-folds:])
            return callback is not None and callback(counted(before + done, before + total))

        run_all([partial(fold, w) for w in order for fold in self.folds], self.n_jobs,
                heard, results)  # fmt: skip
        # After a stop, fits that were under way may have completed further bandwidths.
        for k, width in enumerate(order):
            group = _complete(results[k * folds : (k + 1) * folds])
            if len(group) == folds:
                self.finished[width] = group
        return len(self.finished) == self.wanted

    def run_extended(self, widths: FloatArray, callback: Callback | None = None) -> None:
        """Do the same on a grid that grows at its narrow end while the least value is there.

        At the wide end it does not grow: kernels ten times as wide as the points are apart rank
        all locations by their distance from the centre already.
        """
        going = self.run(widths, callback)
        for _ in range(EXTENSIONS):
            if not going or self.selection().at_end != NARROW:
                break
            going = self.run(narrower(np.sort([*self.finished]), widths.size), callback)

    def selection(self) -> BandwidthSelection:
        """Return what is finished, by the first reference."""
        widths = sorted(self.finished)
        results = tuple(
            join_folds([fold[0] for fold in self.finished[width]], self.references[0])
            for width in widths
        )
        return BandwidthSelection(np.array(widths), results, len(widths) == self.wanted)

    def values(self) -> FloatArray:
        """Return the integrated volume by reference and bandwidth, every held-out point once."""
        table = [_values(self.finished[width]) for width in sorted(self.finished)]
        return np.array(table).reshape(len(table), len(self.references)).T


def coarse_to_fine(count: int) -> list[int]:
    """Return every fourth position, then those half way between, then the rest."""
    return [*range(0, count, 4), *range(2, count, 4), *range(1, count, 2)]


def narrower(widths: FloatArray, wanted: int) -> FloatArray:
    """Return a third as many bandwidths below the grid, at the same ratio, ascending."""
    count = max(2, wanted // 3)
    return widths[0] * (widths[0] / widths[1]) ** np.arange(count, 0, -1)


def _values(folds: Sequence[Sequence[Fold]]) -> FloatArray:
    sizes = np.array([fold[0].held_out.size for fold in folds], dtype=np.float64)
    areas = np.array([[one.areas.mean() for one in fold] for fold in folds])
    return product(sizes[None], areas)[0] / sizes.sum()


def _complete(folds: Sequence[list[Fold] | None]) -> list[list[Fold]]:
    return [fold for fold in folds if fold is not None]
