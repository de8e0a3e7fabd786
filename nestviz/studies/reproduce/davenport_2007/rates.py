"""Cells of a search: rates of 2ν-SVMs by cross-validation, for some widths at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.studies.engine.cells import Cell, Result
from nestviz.studies.reproduce.common.benchmarks import fingerprint as fingerprint_of
from nestviz.studies.reproduce.common.benchmarks import split
from nestviz.studies.reproduce.common.packing import packed, unpacked
from nestviz.studies.reproduce.davenport_2007.protocol import Protocol

if TYPE_CHECKING:
    from nestviz.estimators.error_control.rate_tables import ErrorTable


def rate_cells(protocol: Protocol, keep_negative: float) -> list[Cell]:
    """Return the cells of all tables of rates, in the order of `Protocol.runs`."""
    return [
        Cell(
            f"{__name__}:cross_validated_counts",
            {
                "data": name, "fingerprint": fingerprint_of(name), "permutation": permutation,
                "keep_negative": keep_negative, "nu_values": protocol.nu_values,
                "sigmas": list(widths), "folds": protocol.folds, "seed": protocol.seed,
            },
        )
        for name, permutation in protocol.runs()
        for widths in protocol.blocks()
    ]  # fmt: skip


def cross_validated_counts(
    data: str,
    fingerprint: str,
    permutation: int,
    keep_negative: float,
    nu_values: int,
    sigmas: Sequence[float],
    folds: int,
    seed: int,
) -> Result:
    """Count false alarms and misses over (σ, ν₊, ν₋), and over (σ, ν) of the ν-SVM.

    Every training point is held out once, so the counts over all folds are rates times the
    numbers of points.
    """
    from nestviz.estimators.error_control.rate_tables import error_table

    train = split(data, fingerprint, permutation, keep_negative).train
    nu = np.arange(1, nu_values + 1) / nu_values
    table = error_table(train.X, train.y, nu, nu, sigmas, cv=folds, random_state=seed)
    line = _nu_svm_table(train.X, train.y, nu, sigmas, folds, seed)
    diagonal = np.arange(nu_values)
    return {
        "grid": packed(_counts(table)),
        "line": packed(_counts(line)[:, :, diagonal, diagonal]),
        "n_plus": table.n_plus,
        "n_minus": table.n_minus,
        "unsettled": table.unsettled + line.unsettled,
    }


def _nu_svm_table(
    X: FloatArray, y: Any, nu: FloatArray, sigmas: Sequence[float], folds: int, seed: int
) -> ErrorTable:
    """Return the rates of the usual ν-SVM, on the diagonal of their table."""
    from nestviz.estimators.error_control.rate_tables import ErrorOracle
    from nestviz.estimators.error_control.search import equal_costs

    oracle = ErrorOracle(X, y, *equal_costs(nu, y), sigmas, cv=folds, random_state=seed)
    for s in range(len(sigmas)):
        for i in range(len(nu) - 1, -1, -1):
            oracle.at(s, i, i)
    return oracle.table()


def _counts(table: ErrorTable) -> FloatArray:
    """Return false alarms and misses, (2, σ, ν₊, ν₋); 0 in cells that are not computed."""
    both = np.array([table.false_alarm * table.n_minus, table.miss * table.n_plus])
    return np.nan_to_num(np.rint(both))


def joined(
    parts: Sequence[Mapping[str, Any]],
    nu_values: int,
    sigmas: Sequence[Sequence[float]],
    folds: int,
    seed: int,
) -> tuple[ErrorTable, ErrorTable]:
    """Return the tables of the grid and of the ν-SVM from the results of their cells."""
    from nestviz.estimators.error_control.search import equal_costs

    n_plus, n_minus = parts[0]["n_plus"], parts[0]["n_minus"]
    nu, k = np.arange(1, nu_values + 1) / nu_values, nu_values
    grid = [unpacked(p["grid"], (2, len(w), k, k)) for p, w in zip(parts, sigmas, strict=True)]
    lines = [unpacked(p["line"], (2, len(w), k)) for p, w in zip(parts, sigmas, strict=True)]
    widths = np.concatenate([np.asarray(part) for part in sigmas])
    of_line = np.full((2, len(widths), k, k), np.nan)
    of_line[:, :, np.arange(k), np.arange(k)] = np.concatenate(lines, axis=1)
    signs = np.repeat([1.0, -1.0], [n_plus, n_minus])
    table = partial(table_of_counts, widths, n_plus, n_minus, folds, seed)
    return (
        table(np.concatenate(grid, axis=1).astype(np.float64), nu, nu),
        table(of_line, *equal_costs(nu, signs)),
    )


def table_of_counts(
    sigmas: FloatArray,
    n_plus: int,
    n_minus: int,
    folds: int,
    seed: int,
    counts: FloatArray,
    nu_plus: FloatArray,
    nu_minus: FloatArray,
) -> ErrorTable:
    """Return a table from counts of false alarms and misses; NaN where not computed."""
    from nestviz.estimators.error_control.rate_tables import ErrorTable

    known = int(np.isfinite(counts[0]).sum())
    return ErrorTable(
        nu_plus=nu_plus,
        nu_minus=nu_minus,
        sigmas=sigmas,
        false_alarm=counts[0] / n_minus,
        miss=counts[1] / n_plus,
        n_plus=n_plus,
        n_minus=n_minus,
        folds=folds,
        seed=seed,
        solves=known * folds,
        unsettled=0,
        complete=True,
    )
