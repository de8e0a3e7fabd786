"""Compute p-values of rows against reference rows, for worker processes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nestviz.analysis.coverage import CoverageRatio, promised_band
from nestviz.arrays import BoolArray, FloatArray, IndexArray
from nestviz.estimators.conformal_sets import ConformalSets
from nestviz.ui.compute.coverage import StoppedError, progress_of
from nestviz.ui.compute.methods import Spec
from nestviz.ui.compute.tasks import Report

HALF, PLUS, MINUS = "a random half", "class +1", "class −1"
"""Which rows are taken for ordinary, as they stand in links."""
SEED = 0
ASIDE = 1 / 3
"""Share of the ordinary rows that are judged like all others."""
FEWEST = 4
"""Reference rows that can be divided into rows to fit to and rows to calibrate on."""
COVERAGES = np.round(np.arange(0.1, 0.96, 0.05), 2)
"""Coverages that are checked on ordinary rows."""


@dataclass(frozen=True, eq=False)
class Parts:
    """Rows by their use."""

    reference: IndexArray  # Fitted to and calibrated on
    judged: IndexArray  # With p-values
    ordinary: IndexArray  # Among the judged: known, or taken, to be ordinary


def divide(n: int, y: NDArray[np.int8] | None, ordinary: str) -> Parts:
    """Divide rows into reference rows and rows to be judged."""
    known = np.arange(n)
    share = 0.5
    if ordinary != HALF and y is not None:
        known, share = np.flatnonzero(y == (1 if ordinary == PLUS else -1)), ASIDE
    order = np.random.default_rng(SEED).permutation(known)
    aside = np.sort(order[: round(share * len(order))])
    reference = np.sort(order[len(aside) :])
    return Parts(reference, np.setdiff1d(np.arange(n), reference), aside)


@dataclass(frozen=True, eq=False)
class DiscoveryResult:
    """The p-values of the judged rows, and what they are worth."""

    parts: Parts
    way: str  # How reference rows were held out for calibration
    first: FloatArray  # p-value by the first set that contains a row; NaN for reference rows
    last: FloatArray  # By the set from which on it is always inside
    n_calibration: int
    crossing: bool  # Whether the sets of the family can cross

    @property
    def smallest(self) -> float:
        """The smallest p-value that a row can have."""
        return 1.0 / (self.n_calibration + 1.0)

    def fewest(self, rate: float) -> int:
        """Return how many rows a selection has at least; more than there are where none exists."""
        return int(np.ceil(self.smallest * len(self.parts.judged) / rate - 1e-9))

    def selected(self, rate: float, by: str = "first") -> BoolArray:
        """Return the rows that Benjamini and Hochberg's procedure selects."""
        from scipy.stats import false_discovery_control

        rows, p_values = self.parts.judged, getattr(self, by)
        chosen = np.zeros(len(p_values), dtype=np.bool_)
        chosen[rows] = false_discovery_control(p_values[rows]) <= rate
        return chosen

    def coverage(self) -> CoverageRatio:
        """Return the share of ordinary rows in the calibrated sets of some coverages."""
        p_values = self.first[self.parts.ordinary]
        inside = p_values > 1.0 - COVERAGES[:, None] + 1e-12
        return CoverageRatio(COVERAGES, inside.mean(axis=1), len(p_values))

    def band(self) -> FloatArray:
        """Return where these shares lie if what is promised holds, in 95 of 100 cases."""
        n = self.n_calibration if self.way == "split" else None
        return promised_band(COVERAGES, len(self.parts.ordinary), n)


def judge(
    spec: Spec, way: str, ordinary: str, X: FloatArray, y: NDArray[np.int8] | None, report: Report
) -> DiscoveryResult | None:
    """Compute the p-values of all rows that are not reference rows."""
    parts = divide(len(X), y, ordinary)
    # Levels from all rows: a symmetric function of them leaves the p-values valid.
    inner = spec.solved.unfitted(X)
    sets = ConformalSets(inner, method=way, random_state=SEED)
    try:
        sets.fit(X[parts.reference], callback=progress_of(report))
    except StoppedError:
        return None
    if report(0.8, "computing p-values"):
        return None
    first, last = np.full(len(X), np.nan), np.full(len(X), np.nan)
    crossing = not sets.families_[0].is_nested and not spec.row.joins
    first[parts.judged] = sets.p_values(X[parts.judged])
    last[parts.judged] = first[parts.judged]
    if crossing:
        last[parts.judged] = sets.p_values(X[parts.judged], by="last")
    return DiscoveryResult(parts, way, first, last, int(sets.n_calibration_), crossing)
