"""Results of a search for the bandwidth."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.volume.curves import MassVolumeCurve
from nestviz.volume.integrated import IntegratedVolume

NARROW, WIDE = "narrow", "wide"
"""The two ends of a grid of bandwidths."""


class BandwidthWarning(UserWarning):
    """The bandwidth chosen lies at the end of the grid it was chosen from."""


@dataclass(frozen=True, eq=False)
class BandwidthSelection:
    """Integrated volume for every bandwidth tried, and the bandwidth where it is least.

    All values are estimates, from the same folds and the same reference points.

    Attributes
    ----------
    sigmas : ndarray of shape (n_widths,)
        Bandwidths with a finished estimate, ascending.
    results : tuple of IntegratedVolume
        Value, folds, error and mass-volume curve of each.
    complete : bool
        False when a callback stopped the search before all bandwidths were tried.
    """

    sigmas: FloatArray
    results: tuple[IntegratedVolume, ...]
    complete: bool

    @property
    def sigma(self) -> float:
        """σ*, the bandwidth of least integrated volume; of equal ones the largest."""
        return float(self.sigmas[self.best])

    @property
    def best(self) -> int:
        """Index of σ* in ``sigmas``."""
        if not self.results:
            raise ValueError("The search was stopped before any bandwidth was finished.")
        return least(self.values)

    @property
    def at_end(self) -> str | None:
        """The end of the grid that σ* is at, "narrow" or "wide"; None where it is within.

        At an end the least value is not a minimum: a bandwidth beyond may do better. A grid of one
        bandwidth has no ends.
        """
        return end_of(self.best, self.sigmas.size) if self.results else None

    @property
    def extrapolated(self) -> float:
        """Share of the held-out points that are ranked by extrapolation at σ*.

        They enter below the smallest solved level of their family, or never.
        """
        return self.results[self.best].extrapolated

    @property
    def extrapolated_shares(self) -> FloatArray:
        """The same share at every bandwidth, of shape (n_widths,)."""
        return np.array([result.extrapolated for result in self.results])

    @property
    def values(self) -> FloatArray:
        """Integrated volume at every bandwidth, of shape (n_widths,)."""
        return np.array([result.value for result in self.results])

    @property
    def spreads(self) -> FloatArray:
        """Its standard deviation over the folds, of shape (n_widths,)."""
        return np.array([result.spread for result in self.results])

    @property
    def standard_errors(self) -> FloatArray:
        """Its standard error over the folds, of shape (n_widths,)."""
        return self.spreads / np.sqrt(self.fold_values.shape[1])

    @property
    def as_good(self) -> tuple[float, float]:
        """Narrowest and widest bandwidth around σ* without a value that is clearly larger.

        From σ* in both directions, as long as values are within one standard error over the folds
        of the least one.
        """
        best, values = self.best, self.values
        beyond = np.flatnonzero(values > values[best] + self.standard_errors[best])
        first = int(beyond[beyond < best].max(initial=-1)) + 1
        last = int(beyond[beyond > best].min(initial=values.size)) - 1
        return float(self.sigmas[first]), float(self.sigmas[last])

    @property
    def errors(self) -> FloatArray:
        """Its standard error caused by the reference points, of shape (n_widths,)."""
        return np.array([result.error for result in self.results])

    @property
    def fold_values(self) -> FloatArray:
        """Its value in each fold, of shape (n_widths, n_folds)."""
        return np.array([result.fold_values for result in self.results])

    @property
    def curves(self) -> tuple[MassVolumeCurve, ...]:
        """The mass-volume curve of every bandwidth."""
        return tuple(result.curve for result in self.results)

    def without_curves(self) -> BandwidthSelection:
        """Return the numbers alone, as an estimator with ``sigma="miv"`` keeps them.

        Returns
        -------
        BandwidthSelection
            Without the mass-volume curves, which take far more memory than the rest.
        """
        results = tuple(result.without_curve() for result in self.results)
        return BandwidthSelection(self.sigmas, results, self.complete)


def least(values: FloatArray) -> int:
    """Return where the values are least; of equal ones the last."""
    return int(np.flatnonzero(values == values.min())[-1])


def end_of(index: int, size: int) -> str | None:
    """Return which end of a grid an index is, if any."""
    if size < 2 or 0 < index < size - 1:
        return None
    return WIDE if index else NARROW


def at_end_in_words(end: str, sigma: float) -> str:
    """Return a sentence on the end: what it means and what to do."""
    if end == NARROW:
        return (
            f"The least integrated volume is at the narrow end of the bandwidths tried, σ = "
            f"{sigma:.4g}: a narrower one may do better. Points that coincide and very tight "
            "clusters cause this. Try narrower bandwidths, or look at all values before using this "
            "one."
        )
    return (
        f"The least integrated volume is at the wide end of the bandwidths tried, σ = {sigma:.4g}: "
        "a wider one may do as well or better. A single round cluster causes this: with wide "
        "kernels all sets are nearly balls, and the bandwidth hardly matters. Try wider "
        "bandwidths, or take a narrower one whose value is about as small."
    )


def warn_at_end(selection: BandwidthSelection) -> None:
    """Warn when a finished search chose the end of its grid."""
    if selection.complete and selection.at_end:
        words = at_end_in_words(selection.at_end, selection.sigma)
        warnings.warn(words, BandwidthWarning, stacklevel=4)


@dataclass(frozen=True, eq=False)
class MarginEffect:
    """The bandwidth of least integrated volume with other reference boxes.

    Volumes are shares of each box. The box hardly matters where every location enters at some
    level; a family that leaves points out at every level charges them all of it.

    Attributes
    ----------
    margins : ndarray of shape (n_margins,)
        How far each box reaches beyond the data on each side, as a share of their spread.
    widths : ndarray of shape (n_widths,)
        Bandwidths tried, ascending.
    values : ndarray of shape (n_margins, n_widths)
        Integrated volume by margin and bandwidth.
    """

    margins: FloatArray
    widths: FloatArray
    values: FloatArray

    @property
    def sigmas(self) -> FloatArray:
        """σ* by margin, of shape (n_margins,); of equal values the largest."""
        return self.widths[[least(row) for row in self.values]]

    @property
    def at_end(self) -> tuple[str | None, ...]:
        """The end of the grid that σ* is at, by margin; None where it is within."""
        return tuple(end_of(least(row), self.widths.size) for row in self.values)

    @property
    def ratio(self) -> float:
        """The largest σ* over the smallest: 1 where the box does not matter."""
        return float(self.sigmas.max() / self.sigmas.min())

    def to_table(self) -> dict[str, Sequence[object]]:
        """Return the columns of a table with one row per margin.

        Returns
        -------
        dict of str to sequence
            Columns by name.
        """
        return {
            "margin": self.margins.tolist(),
            "sigma": self.sigmas.tolist(),
            "integrated_volume": self.values.min(axis=1).tolist(),
            "at_end": [end or "" for end in self.at_end],
        }
