"""The one-class minimax probability machine (Lanckriet, El Ghaoui & Jordan 2003).

Of all half-spaces {z : aᵀz ≥ b} that hold mass α of every distribution with mean m and covariance
Σ, find the one farthest from the origin, in standard deviations along its normal vector:

::

    max_{a, b}  b / √(aᵀ Σ a)     subject to  aᵀm − b ≥ κ √(aᵀ Σ a),   κ² = α/(1 − α)

The constraint is Chebyshev's inequality for one side, which some distribution attains. At the
optimum it holds with equality, and what is left to maximise, aᵀm/√(aᵀΣa) − κ, does not depend on α
but for a constant: the normal vector is that of

::

    1/ζ = min_a  √(aᵀ Σ a)     subject to  aᵀm = 1,      a = Σ⁻¹m/ζ²,   ζ² = mᵀΣ⁻¹m

and b = 1 − κ/ζ. It is positive, so that the half-space leaves out the origin, if κ < ζ.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.kernel_matrices import decomposed

#: Part of the mean beyond which a direction without variance is not rounding.
SURE = 1e-6


class OneClassMachine(NamedTuple):
    """The normal vector of all one-class minimax probability machines of one distribution.

    Attributes
    ----------
    normal : ndarray of shape (n_features,)
        a, with aᵀm = 1.
    zeta : float
        ζ: the distance of the mean from the origin in standard deviations along a.
    objective : float
        √(aᵀΣa), which is 1/ζ at the optimum.
    duality_gap : float
        Relative distance of the objective from 1/√(mᵀv), with Σv = m up to ``kkt_residual``.
    kkt_residual : float
        Largest entry of Σv − m, relative to that of m.
    """

    normal: FloatArray
    zeta: float
    objective: float
    duality_gap: float
    kkt_residual: float


def solve_one_class_machine(mean: FloatArray, covariance: FloatArray) -> OneClassMachine:
    """Solve for a given mean and covariance matrix.

    Parameters
    ----------
    mean : ndarray of shape (n_features,)
        m.
    covariance : ndarray of shape (n_features, n_features)
        Σ, positive semidefinite.

    Returns
    -------
    OneClassMachine

    Raises
    ------
    ValueError
        If the mean is the origin, or if the mean has a part along which nothing varies.
    """
    if not np.any(mean):
        raise ValueError(
            "The mean of the points is the origin of the feature space, from which a one-class "
            "minimax probability machine separates them. Use another kernel."
        )
    values, vectors = decomposed(lambda: np.linalg.eigh(covariance), len(mean))
    kept = values > len(values) * np.finfo(np.float64).eps * max(values[-1], 0.0)
    along = vectors.T @ mean
    if np.linalg.norm(along[~kept]) > SURE * np.linalg.norm(mean):
        raise ValueError(
            "Along some direction the points do not vary at all, and away from the origin: any "
            "bound would hold for this sample only. Give a covariance_uncertainty above 0."
        )
    v = vectors[:, kept] @ (along[kept] / values[kept])
    reach = float(mean @ v)
    a = v / reach
    objective = float(np.sqrt(max(a @ covariance @ a, 0.0)))
    bound = 1.0 / np.sqrt(reach)
    residual = np.abs(covariance @ v - mean).max() / np.abs(mean).max()
    return OneClassMachine(
        normal=a,
        zeta=1.0 / objective,
        objective=objective,
        duality_gap=float(abs(objective - bound) / objective),
        kkt_residual=float(residual),
    )
