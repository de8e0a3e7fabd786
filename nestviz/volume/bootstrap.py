"""How far the bandwidth of least integrated volume is determined by the data: a bootstrap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray, IndexArray
from nestviz.grids import Grid
from nestviz.solvers.records import Callback, Progress
from nestviz.volume.bandwidth import check_estimator, checked_sigmas
from nestviz.volume.integrated import checked_table
from nestviz.volume.parallel import counted
from nestviz.volume.reference import Reference, chosen_reference, seed_of
from nestviz.volume.selection import least
from nestviz.volume.trials import Trials

RESAMPLES, WIDTHS = 20, 15
"""Number of resamples and of bandwidths by default."""


@dataclass(frozen=True, eq=False)
class BandwidthBootstrap:
    """Integrated volume by bandwidth in samples drawn from the data with replacement.

    Attributes
    ----------
    sigmas : ndarray of shape (n_widths,)
        Bandwidths tried, ascending.
    values : ndarray of shape (n_resamples, n_widths)
        Integrated volume of each finished resample.
    complete : bool
        False when a callback stopped the search before all resamples were finished.
    """

    sigmas: FloatArray
    values: FloatArray
    complete: bool

    @property
    def chosen(self) -> FloatArray:
        """σ* of each resample, of shape (n_resamples,); of equal values the largest."""
        return self.sigmas[[least(row) for row in self.values]]

    def interval(self, share: float = 0.9) -> tuple[float, float]:
        """Return the range that holds σ* of a share of the resamples.

        Parameters
        ----------
        share : float
            In (0, 1]; as much is left out below as above.

        Returns
        -------
        low, high : float
            Two of the bandwidths tried.
        """
        tails = _tails(share)
        low = np.quantile(self.chosen, tails[0], method="lower")
        return float(low), float(np.quantile(self.chosen, tails[1], method="higher"))

    def band(self, share: float = 0.9) -> tuple[FloatArray, FloatArray]:
        """Return the range that holds the value of a share of the resamples, by bandwidth.

        Parameters
        ----------
        share : float
            In (0, 1]; as much is left out below as above.

        Returns
        -------
        low, high : ndarray of shape (n_widths,)
            Ends of the band.
        """
        low, high = np.quantile(self.values, _tails(share), axis=0)
        return low, high

    def to_table(self) -> dict[str, Sequence[object]]:
        """Return the columns of a table with one row per resample.

        Returns
        -------
        dict of str to sequence
            Columns by name.
        """
        return {
            "resample": list(range(len(self.values))),
            "sigma": self.chosen.tolist(),
            "integrated_volume": self.values.min(axis=1).tolist(),
        }


def bootstrap_bandwidth(
    X: ArrayLike,
    estimator: Any,
    sigmas: ArrayLike | None = None,
    *,
    resamples: int = RESAMPLES,
    widths: int = WIDTHS,
    cv: int = 5,
    reference: Reference | Grid | None = None,
    margin: float | None = None,
    random_state: Any = 0,
    n_jobs: int | None = None,
    callback: Callback | None = None,
) -> BandwidthBootstrap:
    """Repeat the search for the bandwidth on samples drawn from the data with replacement.

    Every resample has as many points as the data. Copies of a point are in the same fold: a copy
    among the training points would lie exactly on a held-out one and favour narrow kernels. All
    resamples are measured in the same reference box, that of the data.

    Parameters
    ----------
    X, estimator, sigmas : array-like, estimator, array-like
        As in `select_bandwidth`; the default grid is not extended.
    resamples : int
        Number of samples drawn.
    widths : int
        Number of bandwidths of `default_sigmas`; not used when ``sigmas`` are given.
    cv : int
        Number of folds of each resample.
    reference, margin : Reference or Grid, float
        As in `select_bandwidth`.
    random_state : int, RandomState or None
        Seed of the samples, their folds and the default reference. With a number, the first
        resamples of a longer run are those of a shorter one.
    n_jobs : int, optional
        Number of threads, as in joblib. The result does not depend on it.
    callback : callable, optional
        Called with a `Progress` after each fit. When it returns a true value, the resamples that
        are finished are returned.

    Returns
    -------
    BandwidthBootstrap
        The curve and σ* of each resample.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz import ParzenLevelSets
    >>> X = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[-3.0], [3.0]], 30, axis=0)
    >>> found = bootstrap_bandwidth(X, ParzenLevelSets(), [0.01, 0.4, 30.0], resamples=5)
    >>> found.interval()
    (0.4, 0.4)
    """
    check_estimator(estimator)
    if resamples < 1:
        raise ValueError(f"There must be one resample or more, not {resamples}.")
    points, seed = checked_table(X), seed_of(random_state)
    box = chosen_reference(points, reference, margin, seed)
    grid = checked_sigmas(points, sigmas, widths)
    rows: list[FloatArray] = []
    stopped = False

    def heard(progress: Progress) -> object:
        nonlocal stopped
        total = progress.total or 1
        done = counted(len(rows) * total + progress.done, resamples * total)
        stopped = bool(callback is not None and callback(done))
        return stopped

    for number in range(resamples):
        drawn, folds = _resample(len(points), cv, np.random.default_rng([seed, number]))
        trials = Trials(points[drawn], estimator, [box], cv=folds, n_jobs=n_jobs)
        if not trials.run(grid, heard):
            break
        rows.append(trials.values()[0])
        if stopped:
            break
    values = np.array(rows).reshape(len(rows), grid.size)
    return BandwidthBootstrap(grid, values, len(rows) == resamples)


class _Folds:
    """A splitter with given folds."""

    def __init__(self, folds: Sequence[IndexArray]) -> None:
        self.folds = folds

    def split(self, X: Any) -> Iterator[tuple[None, IndexArray]]:
        """Yield the held-out rows of each fold."""
        for rows in self.folds:
            yield None, rows


def _resample(n: int, cv: int, rng: np.random.Generator) -> tuple[IndexArray, _Folds]:
    """Return rows drawn with replacement, and folds that keep the copies of a row together."""
    drawn = np.sort(rng.integers(n, size=n))
    distinct, group = np.unique(drawn, return_inverse=True)
    if isinstance(cv, bool) or not isinstance(cv, (int, np.integer)) or not 2 <= cv <= n:
        raise ValueError(f"cv must be a whole number from 2 to the {n} points, not {cv!r}.")
    parts = np.array_split(rng.permutation(distinct.size), min(int(cv), distinct.size))
    if len(parts) < 2:
        raise ValueError("The points are too few to draw samples from: one has a single point.")
    return drawn, _Folds([np.flatnonzero(np.isin(group, part)) for part in parts])


def _tails(share: float) -> tuple[float, float]:
    if not 0 < share <= 1:
        raise ValueError(f"share must be above 0 and at most 1, not {share!r}.")
    return (1.0 - share) / 2.0, (1.0 + share) / 2.0
