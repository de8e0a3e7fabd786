"""The record of error rates over a grid of (σ, ν₊, ν₋)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.estimators.error_control.folds import Fold, feasible


@dataclass(frozen=True, eq=False)
class ErrorTable:
    """Error rates over a grid of (σ, ν₊, ν₋).

    Attributes
    ----------
    nu_plus, nu_minus, sigmas : ndarray
        The grid, in the order given.
    false_alarm, miss : ndarray of shape (n_sigmas, n_plus, n_minus)
        P_F and P_M estimated by cross-validation. NaN where the 2ν-SVM is infeasible (ν not in
        (0, 1]) and where a cell was not computed.
    n_plus, n_minus : int
        Points of each class.
    folds, seed : int
        Number and seed of the folds.
    solves : int
        SVMs trained.
    unsettled : int
        Those that ended before their tolerance was reached.
    complete : bool
        Whether every feasible cell was computed.
    """

    nu_plus: FloatArray
    nu_minus: FloatArray
    sigmas: FloatArray
    false_alarm: FloatArray
    miss: FloatArray
    n_plus: int
    n_minus: int
    folds: int
    seed: int
    solves: int
    unsettled: int
    complete: bool


def tested(folds: list[Fold]) -> tuple[int, int]:
    """Return how many positive and negative points are tested, over all folds."""
    positive = np.concatenate([fold.test_positive for fold in folds])
    return int(positive.sum()), int((~positive).sum())


def counted_table(
    counts: FloatArray,
    grid: tuple[FloatArray, FloatArray, FloatArray],
    signs: FloatArray,
    folds: list[Fold],
    seed: int,
) -> ErrorTable:
    """Return rates from the counts of all folds, (s, folds, a, b, 3)."""
    nu_plus, nu_minus, sigmas = grid
    plus, minus = tested(folds)
    summed = counts.sum(axis=1)
    known = np.isfinite(counts[..., 2])
    wanted = np.outer(feasible(nu_plus), feasible(nu_minus))
    return ErrorTable(
        nu_plus=nu_plus,
        nu_minus=nu_minus,
        sigmas=sigmas,
        false_alarm=summed[..., 0] / minus,
        miss=summed[..., 1] / plus,
        n_plus=int((signs > 0).sum()),
        n_minus=int((signs < 0).sum()),
        folds=len(folds),
        seed=seed,
        solves=int(known.sum()),
        unsettled=int((counts[..., 2] == 0).sum()),
        complete=bool(known[:, :, wanted].all()),
    )
