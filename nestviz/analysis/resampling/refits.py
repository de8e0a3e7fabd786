"""Fit an estimator to samples drawn from the data, and keep what is measured of each family.

A row drawn twice is a row of weight two: all resamples share the kernel matrix of the data, and
none has more points than the data. The Gaussian width is that of the whole data.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.resampling.draws import Resampling
from nestviz.arrays import FloatArray, IntArray
from nestviz.estimators.checks import checked_weights
from nestviz.families import SetFamily
from nestviz.solvers.records import Callback
from nestviz.volume.integrated import checked_table
from nestviz.volume.parallel import run_all

Result = TypeVar("Result")
Measure = Callable[[SetFamily, IntArray], Result]
"""What is kept of a resample, from its family and how often each row was drawn."""
FEWEST = 2
"""Smallest number of points that others can be drawn from."""


class Whole(NamedTuple):
    """The data, and the estimator fitted to all of them."""

    points: FloatArray
    labels: Any
    estimator: Any  # Fitted to all points
    template: Any  # Not fitted, with the width of the whole data
    stands_for: FloatArray | None = None  # How many rows each point stands for, if not one

    @property
    def family(self) -> SetFamily:
        """The sets of all points."""
        family: SetFamily = self.estimator.family_
        return family


def fit_whole(
    estimator: Any, X: ArrayLike, y: ArrayLike | None = None, stands_for: ArrayLike | None = None
) -> Whole:
    """Fit to all points; refits use the width that was found.

    ``stands_for`` is the number of rows that each point stands for, by default one.
    """
    from sklearn.base import clone

    shape = np.shape(X)
    if len(shape) == 2 and shape[0] < FEWEST:
        raise ValueError(f"There must be {FEWEST} points or more to draw from, not {shape[0]}.")
    points = checked_table(X)
    labels = None if y is None else np.asarray(y)
    rows = None if stands_for is None else checked_weights(stands_for, len(points))
    options = {} if rows is None else {"sample_weight": rows * (len(rows) / rows.sum())}
    fitted = clone(estimator).fit(points, *(() if labels is None else (labels,)), **options)
    template = clone(estimator)
    if hasattr(fitted, "sigma_") and "sigma" in template.get_params():
        template.set_params(sigma=fitted.sigma_)
    return Whole(points, labels, fitted, template, rows)


def refit(
    whole: Whole,
    resampling: Resampling,
    measure: Measure[Result],
    n_jobs: int | None = None,
    callback: Callback | None = None,
) -> tuple[list[Result], IntArray]:
    """Return what is measured of each finished resample, and how often each row is in it.

    The callback gets a `Progress` after each resample. When it returns a true value, only those
    that are finished are returned.
    """
    counts = resampling.counts(len(whole.points), whole.stands_for)
    family = family_by_counts(whole)

    def one(drawn: IntArray) -> Result:
        return measure(family(drawn), drawn)

    found = run_all([partial(one, drawn) for drawn in counts], n_jobs, callback)
    finished = [k for k, result in enumerate(found) if result is not None]
    return [result for result in found if result is not None], counts[finished]


def family_by_counts(whole: Whole) -> Callable[[IntArray], SetFamily]:
    """Return a function from counts of rows to the family of that sample."""
    short = _short_cut(whole.template)
    if short is not None:
        families = short(whole.points)
        return lambda counts: families(_weights(counts))
    weighted = "sample_weight" in inspect.signature(whole.template.fit).parameters
    return partial(_fitted, whole, weighted)


def _fitted(whole: Whole, weighted: bool, counts: IntArray) -> SetFamily:
    from sklearn.base import clone

    estimator, labels = clone(whole.template), whole.labels
    rows = np.arange(len(counts)) if weighted else np.repeat(np.arange(len(counts)), counts)
    data = (whole.points[rows],) if labels is None else (whole.points[rows], labels[rows])
    options = {"sample_weight": _weights(counts)} if weighted else {}
    family: SetFamily = estimator.fit(*data, **options).family_
    return family


def _weights(counts: IntArray) -> FloatArray:
    """Return counts as weights with mean 1, so that λ of two classes means the same for all."""
    return counts.astype(np.float64) * (len(counts) / float(counts.sum()))


def _short_cut(estimator: Any) -> Callable[[FloatArray], Callable[[FloatArray], SetFamily]] | None:
    """Return the estimator's own way from weights to families, if it has one."""
    if getattr(estimator, "kernel", None) == "precomputed":
        return None  # a sample has another matrix of values
    for cls in type(estimator).__mro__:
        if "families_by_weight" in vars(cls):
            found: Callable[[FloatArray], Callable[[FloatArray], SetFamily]]
            found = estimator.families_by_weight
            return found
        if {"fit", "_solve"} & vars(cls).keys():
            return None  # a subclass that fits in its own way has no short cut
    return None
