"""Mass and volume of one-class SVMs over (σ, ν), as the two errors of a search.

A point of the data outside its set is a false alarm, P_F = 1 − P(G); a reference point inside is a
miss, P_M = μ(G) (Davenport 2007, section 5.2).
"""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import KFold

from nestviz.arrays import FloatArray, IndexArray
from nestviz.estimators.error_control.rate_tables import ErrorTable
from nestviz.estimators.error_control.search import Settings
from nestviz.estimators.nu_one_class import NuOneClassSVM
from nestviz.kernels import GaussianKernel
from nestviz.solvers.records import Callback, Progress


def one_class_table(
    X: FloatArray,
    reference: FloatArray,
    settings: Settings,
    callback: Callback | None = None,
) -> ErrorTable:
    """Estimate mass and volume of one-class SVMs over (σ, ν) by cross-validation.

    The record is that of a search over (σ, ν₊, ν₋) whose axis of ν₋ has one entry, 0: a one-class
    SVM has one ν.
    """
    parts = _parts(X, settings)
    shape = (len(parts), len(settings.sigmas), len(settings.nu))
    counts = np.full((*shape, 2), np.nan)
    converged = np.zeros(shape, dtype=bool)
    rows = [(k, *part, s) for k, part in enumerate(parts) for s in range(shape[1])]
    for done, (k, train, test, s) in enumerate(rows, start=1):
        # The same kernel values serve all values of ν.
        kernel = GaussianKernel(float(settings.sigmas[s]))
        own = kernel.gram(X[train], X[train])
        rows_of_others = kernel.gram(np.concatenate((X[test], reference)), X[train])
        for i, nu in enumerate(settings.nu):
            svm = NuOneClassSVM(nu=nu, kernel="precomputed").fit(own)
            inside = svm.predict(rows_of_others) > 0
            counts[k, s, i] = (~inside[: len(test)]).sum(), inside[len(test) :].sum()
            converged[k, s, i] = svm.converged_
        progress = Progress(done, share=done / len(rows), total=len(rows))
        if callback is not None and callback(progress):
            break
    tested = sum(len(test) for _, test in parts)
    known = np.isfinite(counts[..., 0])
    summed = counts.sum(axis=0)[..., None]
    return ErrorTable(
        nu_plus=settings.nu,
        nu_minus=np.zeros(1),
        sigmas=settings.sigmas,
        false_alarm=summed[:, :, 0] / tested,
        # Volumes are averaged over the folds.
        miss=summed[:, :, 1] / (len(reference) * len(parts)),
        n_plus=len(reference),
        n_minus=len(X),
        folds=len(parts),
        seed=settings.seed,
        solves=int(known.sum()),
        unsettled=int((known & ~converged).sum()),
        complete=bool(known.all()),
    )


def _parts(X: FloatArray, settings: Settings) -> list[tuple[IndexArray, IndexArray]]:
    """Return training and test rows of each fold."""
    if hasattr(settings.cv, "split"):
        return list(settings.cv.split(X))
    if not 2 <= settings.cv <= len(X):
        raise ValueError(
            f"cv must be a splitter or a whole number from 2 to the number of points, {len(X)}, "
            f"not {settings.cv!r}."
        )
    return list(KFold(settings.cv, shuffle=True, random_state=settings.seed).split(X))
