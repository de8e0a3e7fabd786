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


def table(X: FloatArray, y: NDArray[np.int8], grid: RateGrid, report: Report) -> ErrorTable | None:
    """Estimate the rates over the grid, one width after the other from coarse to fine.

    The table so far is reported after each width, so that a search that is stopped covers the
    whole range of widths.
    """
    from nestviz.estimators.error_control.rate_tables import error_table

    count, found, whole = len(grid.sigmas), dict[int, ErrorTable](), None
    for done, place in enumerate(coarse_to_fine(count)):

        def heard(progress: Progress, before: int = done) -> bool:
            share = (before + (progress.share or 0.0)) / count
            return report(share, f"{before} of {count} widths done")

        found[place] = error_table(
            X, y, grid.nu, grid.nu, grid.sigmas[[place]],
            cv=grid.folds, random_state=grid.seed, n_jobs=-1, callback=heard,
        )  # fmt: skip
        whole = _joined(found, grid.sigmas)
        if report((done + 1) / count, partial=whole) or not found[place].complete:
            break
    return None if whole is None or not np.isfinite(whole.miss).any() else whole


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
        if report(done / len(cells), f"{s} of {len(grid.sigmas)} widths done"):
            break
    return replace(oracle.table(), complete=done == len(cells))


def reference_tables(
    X: FloatArray, kinds: Sequence[str], grid: RateGrid, report: Report
) -> dict[str, ReferenceTable]:
    """Estimate a table for each kind of reference points; only finished ones, if stopped.

    They are those of `MinimumVolumeSet`, and do not depend on its mass.
    """
    from nestviz.estimators import MinimumVolumeSet

    found: dict[str, ReferenceTable] = {}
    for done, kind in enumerate(kinds):

        def heard(progress: Progress, before: int = done, name: str = kind) -> bool:
            share = (before + (progress.share or 0.0)) / len(kinds)
            return report(share, f"{name} ({before + 1} of {len(kinds)})")

        model = MinimumVolumeSet(
            reference=kind, nu_grid=len(grid.nu), sigmas=grid.sigmas,
            cv=grid.folds, random_state=grid.seed, n_jobs=-1,
        )  # fmt: skip
        entry = ReferenceTable(*model.rates(X, heard))
        if not entry.table.complete:
            break
        found[kind] = entry
        if report((done + 1) / len(kinds), partial=dict(found)):
            break
    return found
