"""The record of error rates over a grid of (σ, ν₊, ν₋)."""

from __future__ import annotations

from dataclasses import dataclass, replace

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


def rates_so_far(
    counts: FloatArray,
    grid: tuple[FloatArray, FloatArray, FloatArray],
    signs: FloatArray,
    folds: list[Fold],
    seed: int,
) -> ErrorTable:
    """Return rates of each cell from the folds that are known in it; NaN where there are none.

    Unlike those of `counted_table` they differ in the points they are estimated from: they show a
    computation that is under way, and are not for a choice.
    """
    known = np.isfinite(counts).all(axis=-1)
    positive = np.array([fold.test_positive.sum() for fold in folds])
    negative = np.array([(~fold.test_positive).sum() for fold in folds])
    rates = []
    for mistakes, tested_in in ((counts[..., 0], negative), (counts[..., 1], positive)):
        points = (known * tested_in[None, :, None, None]).sum(axis=1)
        wrong = np.where(known, mistakes, 0.0).sum(axis=1)
        rates.append(np.divide(wrong, points, out=np.full(points.shape, np.nan), where=points > 0))
    whole = counted_table(counts, grid, signs, folds, seed)
    return replace(whole, false_alarm=rates[0], miss=rates[1])
