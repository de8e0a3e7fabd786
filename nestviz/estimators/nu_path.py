"""The path of the one-class SVM read in ν."""

from __future__ import annotations

import numpy as np

from nestviz.coefficients import PathRows
from nestviz.estimators.one_class_path import OneClassPath
from nestviz.families import SetFamily


def nu_family(path: OneClassPath) -> SetFamily:
    """Return all ν one-class SVMs as one family, from the exact path over the level λ.

    By C = 1/(ν n ρ) (Lee & Scott 2007, Proposition 1) the ν-SVM has the set of the path at the
    level where ν = Σ_i α_i(λ). Along the path α and with it ν are piecewise linear in λ, so α is
    piecewise linear in ν between the same breakpoints. Where ν rests while λ moves there are no
    margin points, and the family jumps. The field is ν times that of `NuOneClassSVM`.

    Parameters
    ----------
    path : OneClassPath
        A fitted path.

    Returns
    -------
    SetFamily
        Sets over ν in (0, 1], which usually shrink with ν but may cross.

    Examples
    --------
    >>> import numpy as np
    >>> from nestviz.estimators import NuOneClassSVM, OneClassPath
    >>> X = np.array([[0.0], [0.1], [0.2], [3.0]])
    >>> family = nu_family(OneClassPath(0.5).fit(X))
    >>> bool(np.allclose(
    ...     family.values(X, 0.6), 0.6 * NuOneClassSVM(0.5, 0.6).fit(X).family_.field(X)[0]
    ... ))
    True
    """
    base = path.family_
    # The path alone, to its end: ν is not defined by extrapolation.
    rows = PathRows(path.path_, np.ones(path.path_.start.size))
    # Sums of coefficients round, and must neither decrease nor leave the domain.
    nus = np.clip(np.maximum.accumulate(path.nus_[::-1]), 0.0, 1.0)
    return SetFamily(
        levels=nus,
        coefficients=rows,
        offsets=rows.levels,
        centres=base.centres,
        kernel=base.kernel,
        orientation=-1,
        domain=(0.0, 1.0),
        open_below=True,
        tolerance=base.tolerance,
        level_name="ν",
    )
