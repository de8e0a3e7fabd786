"""Tables of the two error rates, for worker processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.estimators.error_control.rate_tables import ErrorTable
from nestviz.solvers.records import Progress
from nestviz.ui.compute.tasks import Report
from nestviz.volume.trials import coarse_to_fine

STEP = 0.1
"""Share of a width after which its rates are reported: often enough to watch them come in."""


@dataclass(frozen=True, eq=False)
class RateGrid:
    """The values of ν₊ and ν₋ and the ascending widths of a table, and its folds."""

    nu: FloatArray
    sigmas: FloatArray
    folds: int
    seed: int


@dataclass(frozen=True, eq=False)
class ReferenceTable:
    """Reference points of one kind, and the rates of sets against them.

    P_F is the share of the data outside, P_M that of the reference points inside.
    """

    reference: FloatArray
    table: ErrorTable


@dataclass(frozen=True, eq=False)
class RatesSoFar:
    """What a table that is being computed knows by now."""

    known: ErrorTable | None  # Widths that are done, which may be chosen from
    shown: ErrorTable  # All cells, each from the folds that are done
    place: int  # Index of the width that is computed now


def table(X: FloatArray, y: NDArray[np.int8], grid: RateGrid, report: Report) -> ErrorTable | None:
    """Estimate the rates over the grid, one width after the other from coarse to fine.

    What is known is reported on the way, so that a search can be watched, and covers the whole
    range of widths if it is stopped.
    """
    from nestviz.estimators.error_control.rate_tables import error_table

    count, found, whole = len(grid.sigmas), dict[int, ErrorTable](), None
    for done, place in enumerate(coarse_to_fine(count)):
        watch = _Watched(report, grid.sigmas, found, whole, place)
        found[place] = error_table(
            X, y, grid.nu, grid.nu, grid.sigmas[[place]],
            cv=grid.folds, random_state=grid.seed, n_jobs=-1, callback=watch,
        )  # fmt: skip
        whole = _joined(found, grid.sigmas)
        so_far = RatesSoFar(whole, whole, place)
        if report((done + 1) / count, partial=so_far) or not found[place].complete:
            break
    return None if whole is None or not np.isfinite(whole.miss).any() else whole


class _Watched:
    """A callback of one width that reports the progress of all, and what is known by now."""

    def __init__(
        self,
        report: Report,
        sigmas: FloatArray,
        found: Mapping[int, ErrorTable],
        whole: ErrorTable | None,
        place: int,
    ) -> None:
        self._report, self._sigmas, self._whole, self._place = report, sigmas, whole, place
        self._found = dict(found)
        self._next = STEP

    def __call__(self, progress: Progress) -> bool:
        """Report a row of cells."""
        count, before, share = len(self._sigmas), len(self._found), progress.share or 0.0
        so_far = None
        if share >= self._next and progress.so_far is not None:
            self._next = share + STEP
            tables = {**self._found, self._place: progress.so_far()}
            so_far = RatesSoFar(self._whole, _joined(tables, self._sigmas), self._place)
        words = f"{before} of {count} widths done"
        return self._report((before + share) / count, words, so_far)


def _joined(found: Mapping[int, ErrorTable], sigmas: FloatArray) -> ErrorTable:
    """Join the tables of single widths; rates are NaN at widths that are missing."""
    tables = list(found.values())
    rates = np.full((2, len(sigmas), *tables[0].miss.shape[1:]), np.nan)
    for place, part in found.items():
        rates[:, place] = part.false_alarm[0], part.miss[0]
    return replace(
        tables[0], sigmas=sigmas, false_alarm=rates[0], miss=rates[1],
        solves=sum(part.solves for part in tables),
        unsettled=sum(part.unsettled for part in tables),
        complete=len(tables) == len(sigmas) and all(part.complete for part in tables),
    )  # fmt: skip


def nu_svm_table(X: FloatArray, y: NDArray[np.int8], grid: RateGrid, report: Report) -> ErrorTable:
    """Estimate the rates of the ν-SVM, whose costs are equal.

    Its cells are on the diagonal of the table; the others are NaN.
    """
    from nestviz.estimators.error_control.rate_tables import ErrorOracle
    from nestviz.estimators.error_control.search import equal_costs

    plus, minus = equal_costs(grid.nu, np.where(np.asarray(y) > 0, 1.0, -1.0))
    oracle = ErrorOracle(X, y, plus, minus, grid.sigmas, cv=grid.folds, random_state=grid.seed)
    # From the largest ν down: each solve starts from the one before.
    cells = [(s, k) for s in range(len(grid.sigmas)) for k in reversed(range(len(grid.nu)))]
    for done, (s, k) in enumerate(cells, start=1):
        oracle.at(s, k, k)
        so_far = RatesSoFar(oracle.table(), oracle.table(), s) if not k else None
        if report(done / len(cells), f"{s} of {len(grid.sigmas)} widths done", so_far):
            break
    return replace(oracle.table(), complete=done == len(cells))


def linear_table(
    X: FloatArray, y: NDArray[np.int8], grid: RateGrid, report: Report
) -> ErrorTable | None:
    """Estimate the rates of linear 2ν-SVMs, which have no width."""
    from nestviz.estimators.error_control.rate_tables import error_table

    def heard(progress: Progress) -> bool:
        return report(progress.share or 0.0)

    found = error_table(
        X, y, grid.nu, grid.nu, [1.0],
        cv=grid.folds, random_state=grid.seed, n_jobs=-1, callback=heard, kernel="linear",
    )  # fmt: skip
    return found if found.complete else None


def reference_tables(
    X: FloatArray, kinds: Sequence[str], grid: RateGrid, count: int | None, report: Report
) -> dict[str, ReferenceTable]:
    """Estimate a table for each kind of reference points; only finished ones, if stopped.

    They are those of `MinimumVolumeSet`, and do not depend on its mass. ``count`` is the number of
    reference points; as many as data, if None.
    """
    from nestviz.estimators import MinimumVolumeSet

    found: dict[str, ReferenceTable] = {}
    for done, kind in enumerate(kinds):

        def heard(progress: Progress, before: int = done, name: str = kind) -> bool:
            share = (before + (progress.share or 0.0)) / len(kinds)
            return report(share, f"{name} ({before + 1} of {len(kinds)})")

        model = MinimumVolumeSet(
            reference=kind, nu_grid=len(grid.nu), sigmas=grid.sigmas,
            cv=grid.folds, random_state=grid.seed, n_jobs=-1, n_reference=count,
        )  # fmt: skip
        entry = ReferenceTable(*model.rates(X, heard))
        if not entry.table.complete:
            break
        found[kind] = entry
        if report((done + 1) / len(kinds), partial=dict(found)):
            break
    return found
