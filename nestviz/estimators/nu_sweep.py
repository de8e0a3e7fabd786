"""Estimators with a parameter ν, solved at several ν and joined to one family."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from nestviz.estimators.nu_problem import NuEstimator
from nestviz.families import SetFamily


def family_over_nu(
    estimator: NuEstimator,
    X: ArrayLike,
    nus: ArrayLike,
    *,
    stopped: Callable[[], bool] | None = None,
    **given: Any,
) -> SetFamily:
    """Return the sets of an estimator over ν, solved at some ν and interpolated between them.

    ν times the coefficients, and ν times the offset, are piecewise linear in ν: multiplied by ν,
    the dual problem has ν in its constraint Σ_i α_i = ν and, for a ball, in its linear term, but
    not in its bounds. So between two ν without a breakpoint the interpolation is exact. For
    `NuOneClassSVM` with a Gaussian kernel `nu_family` gives all breakpoints.

    Parameters
    ----------
    estimator : NuOneClassSVM, SoftBall, ReflectedOneClassSVM or CentredOneClassSVM
        Its parameters except ν are used; it is not changed.
    X : ndarray of shape (n_points, n_features)
        Points.
    nus : array-like of shape (n_nus,)
        Distinct values of ν, each above 0 and at most 1.
    stopped : callable, optional
        Return True to stop before the next ν; the family then has fewer of them.
    **given
        Further arguments of ``fit``, such as ``outliers``.

    Returns
    -------
    SetFamily
        Sets over ν, which usually shrink with ν but may cross.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz import NuOneClassSVM
    >>> X = np.array([[0.0], [0.1], [0.2], [3.0]])
    >>> family_over_nu(NuOneClassSVM(0.5), X, [0.2, 0.7]).contains(X, 0.7)
    array([ True,  True,  True, False])
    """
    chosen = np.unique(np.asarray(nus, dtype=np.float64))
    if not chosen.size or not (chosen[0] > 0 and chosen[-1] <= 1):
        raise ValueError("nus must be one or more numbers above 0 and at most 1.")
    levels: list[float] = []
    rows, offsets, tolerances = [], [], []
    for nu in chosen[::-1]:
        if levels and stopped is not None and stopped():
            break
        model = clone(estimator).set_params(nu=float(nu)).fit(X, **given)
        family = model.family_
        coefficients, offset = family.coefficients_at([model.level_])
        levels.append(float(nu))
        rows.append(nu * coefficients[0])
        offsets.append(nu * float(offset[0]))
        tolerances.append(nu * float(family.tolerance))
    return SetFamily(
        levels=np.array(levels[::-1]),
        coefficients=np.array(rows[::-1]),
        offsets=np.array(offsets[::-1]),
        centres=family.centres,
        kernel=family.kernel,
        orientation=-1,
        tolerance=max(tolerances),
        level_name="ν",
    )
