"""Mass and volume of one-class SVMs over (σ, ν), as the two errors of a search.

A point of the data outside its set is a false alarm, P_F = 1 − P(G); a reference point inside is a
miss, P_M = μ(G) (Davenport 2007, section 5.2).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import KFold

from nestviz.arrays import FloatArray
from nestviz.estimators.error_control.rate_tables import ErrorTable, Progress
from nestviz.estimators.error_control.search import Settings
from nestviz.estimators.nu_one_class import NuOneClassSVM
from nestviz.kernels import GaussianKernel


def one_class_table(
    X: FloatArray,
    reference: FloatArray,
    settings: Settings,
    callback: Progress | None = None,
) -> ErrorTable:
    """Estimate mass and volume of one-class SVMs over (σ, ν) by cross-validation.

    The record is that of a search over (σ, ν₊, ν₋) whose axis of ν₋ has one entry, 0: a one-class
    SVM has one ν.
    """
    if not 2 <= settings.folds <= len(X):
        raise ValueError(
            f"folds must be a whole number from 2 to the number of points, {len(X)}, not "
            f"{settings.folds!r}."
        )
    shape = (settings.folds, len(settings.sigmas), len(settings.nu))
    counts = np.full((*shape, 2), np.nan)
    converged = np.zeros(shape, dtype=bool)
    parts = KFold(settings.folds, shuffle=True, random_state=settings.seed).split(X)
    rows = [(k, *part, s) for k, part in enumerate(parts) for s in range(shape[1])]
    for done, (k, train, test, s) in enumerate(rows, start=1):
        # The kernel values of all values of ν, made once.
        kernel = GaussianKernel(float(settings.sigmas[s]))
        own = kernel.gram(X[train], X[train])
        rows_of_others = kernel.gram(np.concatenate((X[test], reference)), X[train])
        for i, nu in enumerate(settings.nu):
            svm = NuOneClassSVM(nu=nu, kernel="precomputed").fit(own)
            inside = svm.predict(rows_of_others) > 0
            counts[k, s, i] = (~inside[: len(test)]).sum(), inside[len(test) :].sum()
            converged[k, s, i] = svm.converged_
        if callback is not None and callback(done / len(rows)):
            break
    return _table(counts, converged, len(X), len(reference), settings)


def _table(
    counts: FloatArray, converged: NDArray[np.bool_], n: int, m: int, settings: Settings
) -> ErrorTable:
    """Shares of the data and of the reference points; volumes are averaged over the folds."""
    known = np.isfinite(counts[..., 0])
    summed = counts.sum(axis=0)[..., None]
    return ErrorTable(
        nu_plus=settings.nu,
        nu_minus=np.zeros(1),
        sigmas=settings.sigmas,
        false_alarm=summed[:, :, 0] / n,
        miss=summed[:, :, 1] / (m * settings.folds),
        n_plus=m,
        n_minus=n,
        folds=settings.folds,
        seed=settings.seed,
        solves=int(known.sum()),
        unsettled=int((known & ~converged).sum()),
        complete=bool(known.all()),
    )
