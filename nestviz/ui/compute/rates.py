"""Tables of the two error rates, for worker processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.estimators.error_control.rate_tables import ErrorTable
from nestviz.ui.compute.tasks import Report
from nestviz.volume.trials import coarse_to_fine


@dataclass(frozen=True, eq=False)
class Ask:
    """The grid of a table.

    Attributes
    ----------
    nu : (a,) array
        Values of ν₊ and of ν₋.
    sigmas : (s,) array
        Widths, ascending.
    folds, seed : int
        The folds.
    """

    nu: FloatArray
    sigmas: FloatArray
    folds: int
    seed: int


@dataclass(frozen=True, eq=False)
class WayTable:
    """Rates of sets against reference points drawn in one way.

    Attributes
    ----------
    reference : (m, d) array
        The points drawn.
    table : ErrorTable
        P_F is the share of data outside, P_M that of reference points inside.
    """

    reference: FloatArray
    table: ErrorTable


def table(X: FloatArray, y: NDArray[np.int8], ask: Ask, report: Report) -> ErrorTable | None:
    """Rates over the whole grid, one width after the other from coarse to fine.

    What has been found is passed on after each width, so that a search that is stopped has seen the
    whole range of widths.
    """
    from nestviz.estimators.error_control.rate_tables import error_table

    count, whole = len(ask.sigmas), None
    for done, place in enumerate(coarse_to_fine(count)):

        def heard(share: float, before: int = done) -> bool:
            told = f"{before} of {count} widths done"
            return report((before + share) / count, told)

        found = error_table(
            X, y, ask.nu, ask.nu, ask.sigmas[[place]],
            folds=ask.folds, seed=ask.seed, n_jobs=-1, callback=heard,
        )  # fmt: skip
        whole = _joined(whole, found, ask.sigmas, place)
        if report((done + 1) / count, partial=whole) or not found.complete:
            break
    return None if whole is None or not np.isfinite(whole.miss).any() else whole


def nu_svm_table(X: FloatArray, y: NDArray[np.int8], ask: Ask, report: Report) -> ErrorTable:
    """Rates of the ν-SVM, whose costs are equal: another line through (ν₊, ν₋).

    The cells are on the diagonal of the table; the others are NaN.
    """
    from nestviz.estimators.error_control.rate_tables import ErrorOracle
    from nestviz.estimators.error_control.search import equal_costs

    plus, minus = equal_costs(ask.nu, np.where(np.asarray(y) > 0, 1.0, -1.0))
    oracle = ErrorOracle(X, y, plus, minus, ask.sigmas, folds=ask.folds, seed=ask.seed)
    # From the largest ν down: every solve starts from the one before.
    cells = [(s, k) for s in range(len(ask.sigmas)) for k in reversed(range(len(ask.nu)))]
    for done, (s, k) in enumerate(cells, start=1):
        oracle.at(s, k, k)
        if report(done / len(cells), f"{s} of {len(ask.sigmas)} widths done"):
            break
    return replace(oracle.table(), complete=done == len(cells))


def way_tables(X: FloatArray, ways: Sequence[str], ask: Ask, report: Report) -> dict[str, WayTable]:
    """A table for each way of drawing reference points; finished ones only, if stopped.

    They are those of `MinimumVolumeSet`, and do not depend on the mass asked for.
    """
    from nestviz.estimators import MinimumVolumeSet

    found: dict[str, WayTable] = {}
    for done, way in enumerate(ways):

        def heard(share: float, before: int = done, name: str = way) -> bool:
            return report((before + share) / len(ways), f"{name} ({before + 1} of {len(ways)})")

        model = MinimumVolumeSet(
            reference=way, nu=len(ask.nu), sigmas=ask.sigmas, folds=ask.folds, seed=ask.seed,
            n_jobs=-1,
        )  # fmt: skip
        entry = WayTable(*model.rates(X, heard))
        if not entry.table.complete:
            break
        found[way] = entry
        if report((done + 1) / len(ways), partial=dict(found)):
            break
    return found


def _joined(
    whole: ErrorTable | None, found: ErrorTable, sigmas: FloatArray, place: int
) -> ErrorTable:
    """The table with one more width; NaN at widths that are still to come."""
    shape = (len(sigmas), *found.miss.shape[1:])
    false_alarm, miss = np.full((2, *shape), np.nan)
    solves, unsettled, count = found.solves, found.unsettled, 0
    if whole is not None:
        false_alarm, miss = whole.false_alarm.copy(), whole.miss.copy()
        solves, unsettled = solves + whole.solves, unsettled + whole.unsettled
    false_alarm[place], miss[place] = found.false_alarm[0], found.miss[0]
    count = int(np.isfinite(miss).any(axis=(1, 2)).sum())
    return replace(
        found, sigmas=sigmas, false_alarm=false_alarm, miss=miss, solves=solves,
        unsettled=unsettled, complete=found.complete and count == len(sigmas),
    )  # fmt: skip
