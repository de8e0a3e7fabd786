"""Estimators between the one-class SVM and Parzen windows (figure 8.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nestviz.analysis.level_sweep import Sweep, sweep
from nestviz.arrays import FloatArray
from nestviz.estimators.nu_one_class import NuOneClassSVM
from nestviz.grids import Grid


@dataclass(frozen=True)
class BetweenSet:
    """One estimator of the row: solved at ν, its offset moved to a fraction of outliers.

    Attributes
    ----------
    nu : float
        ν of the solve; 1 is the Parzen windows estimator.
    sets : Sweep
        The set at the offset in use, preceded by the one at ρ if requested.
    support : ndarray of int
        Rows of the support vectors.
    outside : float
        Fraction of the training points outside the set in use.
    """

    nu: float
    sets: Sweep
    support: NDArray[np.intp]
    outside: float


def between_sets(
    X: FloatArray,
    sigma: float,
    nus: Sequence[float],
    fraction: float,
    grid: Grid,
    *,
    with_rho: bool = False,
) -> list[BetweenSet]:
    """Compute the row of figure 8.6: several ν, the same fraction ν' of points outside.

    Parameters
    ----------
    X : ndarray of shape (n_points, 2)
        Points.
    sigma : float
        Width of the Gaussian kernel.
    nus : sequence of float
        The ν of each estimator.
    fraction : float
        ν', the fraction of the points that each offset leaves outside.
    grid : Grid
        Where outlines are drawn.
    with_rho : bool
        Also compute the set at the offset that the algorithm returns.

    Returns
    -------
    list of BetweenSet
    """
    row = []
    for nu in nus:
        model = NuOneClassSVM(sigma, nu, outlier_fraction=fraction).fit(X)
        levels = [model.rho_, model.level_] if with_rho else [model.level_]
        outside = float((model.predict(X) < 0).mean())
        row.append(BetweenSet(nu, sweep(model.family_, grid, X, levels), model.support_, outside))
    return row
