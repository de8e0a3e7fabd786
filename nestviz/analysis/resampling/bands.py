"""Bands of boundaries: where the sets of resamples differ at a level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.analysis.level_sweep import fields_at, sweep_levels
from nestviz.analysis.resampling.draws import Resampling, checked_share
from nestviz.analysis.resampling.refits import Measure, fit_whole, refit
from nestviz.arrays import BoolArray, FloatArray, IntArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.solvers.records import Callback

SHARE = 0.9
"""Part of the resamples that a band holds, by default."""
MOST_VALUES = 1 << 28
"""Field values that may be kept: 1 GB."""
LEVELS = 21
"""Number of levels by default."""
LEAST = np.finfo(np.float32).smallest_subnormal


@dataclass(frozen=True, eq=False)
class BoundaryBands:
    """Where the sets of resamples agree at each level, and the band in which they do not.

    A location belongs to the band of a level where it is inside in more than ``(1 − share) / 2`` of
    the resamples and outside in more than ``(1 − share) / 2`` of them. It is a statement about each
    location on its own, and about the estimator: how far its sets vary from sample to sample. It is
    not a confidence set for a level set of the density.

    Attributes
    ----------
    grid : Grid
        The locations.
    levels : ndarray of shape (n_levels,)
        Levels, in the order in which they were given.
    inclusion : ndarray of shape (n_levels, n_locations)
        Share of the resamples whose set contains the location.
    inner, outer : ndarray of shape (n_levels, n_locations)
        Fields that are not negative inside the band's inner and outer boundary.
    share : float
        Part of the resamples that the band holds at a location.
    resamples : int
        Number of resamples that were finished.
    complete : bool
        False when a callback stopped before all of them were.
    nested : bool
        Whether the sets are nested, so that both fields are linear in the level.
    """

    grid: Grid
    levels: FloatArray
    inclusion: NDArray[np.float32]
    inner: FloatArray
    outer: FloatArray
    share: float
    resamples: int
    complete: bool
    nested: bool

    @property
    def band(self) -> BoolArray:
        """Return which locations are in the band, of shape (n_levels, n_locations)."""
        return (self.outer >= 0) & (self.inner < 0)

    @property
    def area(self) -> FloatArray:
        """Return the share of the locations in the band of each level."""
        return np.asarray(self.band.mean(axis=1))

    def at(self, level: float) -> tuple[FloatArray, FloatArray]:
        """Return the inner and the outer field at one level, interpolated between levels.

        Parameters
        ----------
        level : float
            A level between the smallest and the largest of ``levels``.

        Returns
        -------
        inner, outer : ndarray of shape (n_locations,)
            Not negative inside the inner and the outer boundary of the band.
        """
        order = np.argsort(self.levels, kind="stable")
        known = self.levels[order]
        if not known[0] <= level <= known[-1]:
            raise ValueError(
                f"The bands are known from level {known[0]:g} to {known[-1]:g}, not at {level:g}."
            )
        after = int(np.clip(np.searchsorted(known, level), 1, max(known.size - 1, 1)))
        if known.size == 1:
            return self.inner[0], self.outer[0]
        low, high = order[after - 1], order[after]
        part = (level - known[after - 1]) / (known[after] - known[after - 1])
        inner, outer = (
            (1.0 - part) * rows[low] + part * rows[high] for rows in (self.inner, self.outer)
        )
        return inner, outer


def boundary_bands(
    estimator: Any,
    X: ArrayLike,
    grid: Grid,
    levels: ArrayLike | None = None,
    *,
    y: ArrayLike | None = None,
    share: float = SHARE,
    union: bool = False,
    stands_for: ArrayLike | None = None,
    resampling: Resampling | None = None,
    n_jobs: int | None = None,
    callback: Callback | None = None,
) -> BoundaryBands:
    """Fit to resamples, and find at each level where their sets agree.

    Parameters
    ----------
    estimator : estimator
        One with a ``family_``; it is cloned. A rule for its width is applied once, to all points.
    X : array-like of shape (n_points, n_features)
        The data.
    grid : Grid
        The locations.
    levels : array-like, optional
        Levels of the family; by default 21 from its smallest visible set to its largest.
    y : array-like, optional
        Classes, for estimators of two classes.
    share : float
        Part of the resamples that the band holds at a location, in (0, 1).
    union : bool
        Whether each set is joined with the sets of the levels before it, among those given.
    stands_for : array-like of shape (n_points,), optional
        How many rows each point stands for, such as the weights of centres; by default one.
    resampling : Resampling, optional
        How samples are drawn; by default 200 bootstrap samples.
    n_jobs : int, optional
        Number of threads, as in joblib. The result does not depend on it.
    callback : callable, optional
        Called with a `Progress` after each resample. When it returns a true value, the bands of the
        resamples that are finished are returned.

    Returns
    -------
    BoundaryBands
        For all levels.

    Examples
    --------
    >>> from nestviz import Grid, NestedOneClassSVM, make_sample
    >>> X = make_sample("ring", n=60).X
    >>> bands = boundary_bands(
    ...     NestedOneClassSVM(0.5), X, Grid.around(X, resolution=20), resampling=Resampling(20)
    ... )
    >>> bands.inclusion.shape
    (21, 400)
    """
    tail, whole = (1.0 - checked_share(share)) / 2.0, fit_whole(estimator, X, y, stands_for)
    family, plan = whole.family, resampling or Resampling()
    if levels is None:
        levels = sweep_levels(family, grid, whole.points, LEVELS)
    chosen = np.atleast_1d(np.asarray(levels, dtype=np.float64))
    values = plan.resamples * grid.size * (1 if family.is_nested else chosen.size)
    if values > MOST_VALUES:
        raise ValueError(
            f"{plan.resamples} resamples on {grid.size} locations at {chosen.size} levels need "
            f"{values / MOST_VALUES:.1f} GB of memory. Use a coarser grid, or fewer of either."
        )
    measure: Measure[Any] = _Heights(grid) if family.is_nested else _Fields(grid, chosen, union)
    found, counts = refit(whole, plan, measure, n_jobs, callback)
    if not found:
        empty = np.zeros((chosen.size, grid.size))
        return BoundaryBands(grid, chosen, empty.astype(np.float32), empty - 1.0, empty - 1.0,
                             share, 0, False, family.is_nested)  # fmt: skip
    parts = _of_heights if family.is_nested else _of_fields
    inclusion, inner, outer = parts(found, -family.orientation * chosen, tail)
    return BoundaryBands(grid, chosen, inclusion, inner, outer, share, len(counts),
                         len(counts) == plan.resamples, family.is_nested)  # fmt: skip


@dataclass(frozen=True)
class _Heights:
    """The entry level of each location, turned so that higher means a smaller set."""

    grid: Grid

    def __call__(self, family: SetFamily, drawn: IntArray) -> FloatArray:
        return -family.orientation * family.first_level(self.grid)


@dataclass(frozen=True)
class _Fields:
    """The field at each level, in half the memory; its signs are kept."""

    grid: Grid
    levels: FloatArray
    union: bool

    def __call__(self, family: SetFamily, drawn: IntArray) -> NDArray[np.float32]:
        fields = fields_at(family, self.grid, self.levels)
        if self.union:
            order = np.argsort(family.orientation * self.levels, kind="stable")
            fields[order] = np.maximum.accumulate(fields[order], axis=0)
        short: NDArray[np.float32] = fields.astype(np.float32)
        short[(fields < 0) & (short == 0)] = -LEAST
        return short


def _of_heights(
    found: Sequence[FloatArray], thresholds: FloatArray, tail: float
) -> tuple[NDArray[np.float32], FloatArray, FloatArray]:
    heights = np.sort(np.stack(found), axis=0)
    spared = _spared(tail, len(heights))
    inner, outer = (
        # Beyond all numbers only the sign counts.
        np.nan_to_num(heights[row] - thresholds[:, None], posinf=1e300, neginf=-1e300)
        for row in (spared, len(heights) - 1 - spared)
    )
    inclusion = np.stack([(heights >= t).mean(axis=0, dtype=np.float32) for t in thresholds])
    return inclusion, inner, outer


def _of_fields(
    found: Sequence[NDArray[np.float32]], thresholds: FloatArray, tail: float
) -> tuple[NDArray[np.float32], FloatArray, FloatArray]:
    spared, last = _spared(tail, len(found)), len(found) - 1
    inclusion, inner, outer = [], [], []
    for level in range(thresholds.size):
        fields = np.stack([one[level] for one in found])
        inclusion.append((fields >= 0).mean(axis=0, dtype=np.float32))
        fields.partition([spared, last - spared], axis=0)
        inner.append(fields[spared].astype(np.float64))
        outer.append(fields[last - spared].astype(np.float64))
    return np.stack(inclusion), np.stack(inner), np.stack(outer)


def _spared(tail: float, resamples: int) -> int:
    """Return how many resamples may disagree; 0.05 of 200 are ten, whatever the rounding."""
    return int(np.floor(tail * resamples + 1e-9))
