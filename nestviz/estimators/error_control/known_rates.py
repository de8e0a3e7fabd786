"""Searches in a table of error rates that is known already, without training an SVM."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from nestviz.estimators.error_control.criteria import Criterion
from nestviz.estimators.error_control.rate_tables import ErrorOracle, ErrorTable
from nestviz.estimators.error_control.search import LINES, Search, Settings, choose, descend
from nestviz.estimators.error_control.smoothing import smoothed, window


class KnownErrors(ErrorOracle):
    """An oracle that looks up its answers in a table, and records which cells were used."""

    def __init__(self, table: ErrorTable) -> None:
        self._table = table
        self.nu_plus, self.nu_minus, self.sigmas = table.nu_plus, table.nu_minus, table.sigmas
        self._asked = np.zeros(table.miss.shape, dtype=bool)

    @property
    def solves(self) -> int:
        """SVMs that would have been trained for the answers given so far."""
        return int((self._asked & np.isfinite(self._table.miss)).sum()) * self._table.folds

    def at(self, i_sigma: int, i_plus: int, i_minus: int) -> tuple[float, float]:
        """Return (P_F, P_M) of a cell; NaN if not known."""
        cell = (i_sigma, i_plus, i_minus)
        self._asked[cell] = True
        return float(self._table.false_alarm[cell]), float(self._table.miss[cell])

    def table(self) -> ErrorTable:
        """Return the rates of the cells that were used; NaN elsewhere."""
        return replace(
            self._table,
            false_alarm=np.where(self._asked, self._table.false_alarm, np.nan),
            miss=np.where(self._asked, self._table.miss, np.nan),
            solves=self.solves,
            complete=bool(self._asked.all()) and self._table.complete,
        )


def search_table(table: ErrorTable, criterion: Criterion, settings: Settings) -> Search:
    """Search as `nestviz.estimators.error_control.search.search` does, in a table.

    Parameters
    ----------
    table : ErrorTable
        Rates over the grid of the settings; of the strategy "nu-svm" over its own values of ν.
    criterion : Criterion
        What is best.
    settings : Settings
        Strategy and smoothing; the axes must be those of the table.

    Returns
    -------
    Search
        The rates and the choice.
    """
    steps = window(settings.smoothing, diagonal=settings.strategy in LINES)
    if settings.strategy == "grid":
        return choose(table, criterion, settings, steps, table.complete)
    if settings.strategy in LINES:
        return choose(_diagonal(table), criterion, settings, steps, table.complete)
    found = descend(KnownErrors(table), criterion, settings, steps)
    return replace(found, complete=table.complete)


def smoothed_everywhere(search: Search, table: ErrorTable) -> Search:
    """Return the same search with the rates of the whole table, for maps."""
    steps = window(search.smoothing, diagonal=search.strategy in LINES)
    return replace(
        search,
        table=table,
        false_alarm=smoothed(table.false_alarm, steps),
        miss=smoothed(table.miss, steps),
    )


def _diagonal(table: ErrorTable) -> ErrorTable:
    """Keep only the cells with ν₊ and ν₋ at the same index of their axes."""
    here = np.eye(len(table.nu_plus), len(table.nu_minus), dtype=bool)[None]
    miss = np.where(here, table.miss, np.nan)
    return replace(
        table,
        false_alarm=np.where(here, table.false_alarm, np.nan),
        miss=miss,
        solves=int(np.isfinite(miss).sum()) * table.folds,
    )
