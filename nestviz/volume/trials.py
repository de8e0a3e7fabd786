"""Fits at many bandwidths, all on the same folds and against the same references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.solvers.records import Callback
from nestviz.volume.integrated import Fold, fit_fold, join_folds, split
from nestviz.volume.parallel import counted, run_all
from nestviz.volume.reference import Reference
from nestviz.volume.selection import NARROW, BandwidthSelection

EXTENSIONS = 3
"""How many times a default grid is extended at its narrow end."""


@dataclass(frozen=True, eq=False)
class Trials:
    """A search over bandwidths, a few of them at a time.

    Attributes
    ----------
    points, estimator, folds, seed, n_jobs
        As in `nestviz.volume.select_bandwidth`.
    references : sequence of Reference
        The first one is what the selection is made by. The others cost no further fits, only
        places to look at.
    """

    points: FloatArray
    estimator: Any
    references: Sequence[Reference]
    folds: int = 5
    seed: int = 0
    n_jobs: int | None = -1

    def run(
        self, widths: FloatArray, callback: Callback | None = None
    ) -> tuple[BandwidthSelection, FloatArray]:
        """Estimate at some bandwidths, ascending.

        Returns
        -------
        selection : BandwidthSelection
            By the first reference.
        values : (R, S) array
            Integrated volume by each reference, for the bandwidths that were finished.
        """
        parts = split(len(self.points), self.folds, self.seed)
        tasks = [
            partial(
                fit_fold, self.estimator, self.points, part, self.references, sigma=float(width)
            )
            for width in widths
            for part in parts
        ]
        done = run_all(tasks, self.n_jobs, callback)
        by_width = [_finished(done[k : k + len(parts)]) for k in range(0, len(done), len(parts))]
        finished = [k for k, group in enumerate(by_width) if group]
        first = self.references[0]
        results = tuple(join_folds([fold[0] for fold in by_width[k]], first) for k in finished)
        values = np.array([_values(by_width[k]) for k in finished])
        values = values.reshape(len(finished), len(self.references)).T
        return BandwidthSelection(widths[finished], results, len(finished) == len(widths)), values

    def run_extended(
        self, widths: FloatArray, callback: Callback | None = None
    ) -> tuple[BandwidthSelection, FloatArray]:
        """The same on a grid that grows at its narrow end while the least value is there.

        At the wide end it does not grow: kernels ten times as wide as the points are apart rank
        all places by their distance from the centre already.
        """
        found, values = self.run(widths, callback)
        for _ in range(EXTENSIONS):
            if not found.complete or found.at_end != NARROW:
                break
            more, theirs = self.run(narrower(found.sigmas, widths.size), _after(found, callback))
            found, values = found.joined(more), np.concatenate([theirs, values], axis=1)
        return found, values


def narrower(widths: FloatArray, wanted: int) -> FloatArray:
    """A third as many bandwidths as were wanted below the grid, at the same ratio, ascending."""
    count = max(2, wanted // 3)
    return widths[0] * (widths[0] / widths[1]) ** np.arange(count, 0, -1)


def _after(found: BandwidthSelection, callback: Callback | None) -> Callback | None:
    """Count on from the fits that are done."""
    if callback is None:
        return None
    before = found.fold_values.size
    return lambda progress: callback(
        counted(before + progress.done, before + (progress.total or 0))
    )


def _values(folds: Sequence[Sequence[Fold]]) -> FloatArray:
    """Integrated volume by reference, every held-out point counted once."""
    sizes = np.array([fold[0].held_out.size for fold in folds], dtype=np.float64)
    areas = np.array([[one.areas.mean() for one in fold] for fold in folds])
    return np.asarray(sizes @ areas / sizes.sum())


def _finished(folds: Sequence[list[Fold] | None]) -> list[list[Fold]]:
    """All folds of a bandwidth, or none of them."""
    present = [fold for fold in folds if fold is not None]
    return present if len(present) == len(folds) else []
