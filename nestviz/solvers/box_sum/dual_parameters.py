"""Parameters of the 2ν-SVM: feasible values, and conversion between (ν, γ) and (ν₊, ν₋).

Davenport (2007), section 2.3, with n₊ and n₋ the numbers of points of the classes (sums of weights
where points have weights) and n = n₊ + n₋.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray


def largest_nu(gamma: float, n_plus: float, n_minus: float) -> float:
    """Return ν_max of Proposition 1: the 2ν-SVM is feasible for ν ≤ 2 min(γ n₊, (1 − γ) n₋)/n."""
    return 2.0 * min(gamma * n_plus, (1.0 - gamma) * n_minus) / (n_plus + n_minus)


def to_nu_pair(nu: float, gamma: float, n_plus: float, n_minus: float) -> tuple[float, float]:
    """Return the (ν₊, ν₋) equivalent to (ν, γ).

    Parameters
    ----------
    nu : float
        Sum of the coefficients, in (0, ν_max].
    gamma : float
        Cost asymmetry, in (0, 1).
    n_plus, n_minus : float
        Number of points of each class.

    Returns
    -------
    nu_plus, nu_minus : float

    Raises
    ------
    ValueError
        If (ν, γ) is not feasible.

    Examples
    --------
    >>> to_nu_pair(0.25, 0.5, 20, 20)
    (0.5, 0.5)
    """
    if not 0.0 < gamma < 1.0:
        raise ValueError(
            f"gamma must lie between 0 and 1 and be neither, not {gamma}: at the ends one class "
            f"costs nothing, and there is no pair (ν₊, ν₋) for that."
        )
    limit = largest_nu(gamma, n_plus, n_minus)
    # At the limit rounding may exceed it: 1 − γ has few digits left where γ is near 1.
    rounding = 4.0 * np.finfo(np.float64).eps / (1.0 - gamma)
    if not 0.0 < nu <= limit * (1.0 + rounding):
        raise ValueError(
            f"nu must lie above 0 and be at most {limit:.6g} for gamma = {gamma:g} and {n_plus:g} "
            f"points against {n_minus:g}, not {nu}: no coefficients would satisfy all constraints."
        )
    half = 0.5 * nu * (n_plus + n_minus)
    return min(half / (gamma * n_plus), 1.0), min(half / ((1.0 - gamma) * n_minus), 1.0)


def to_nu_gamma(
    nu_plus: float, nu_minus: float, n_plus: float, n_minus: float
) -> tuple[float, float]:
    """Return the (ν, γ) equivalent to (ν₊, ν₋).

    Parameters
    ----------
    nu_plus, nu_minus : float
        Fraction of each class that may be margin errors, in (0, 1].
    n_plus, n_minus : float
        Number of points of each class.

    Returns
    -------
    nu, gamma : float

    Examples
    --------
    >>> to_nu_gamma(0.5, 0.5, 10, 30)
    (0.1875, 0.75)
    """
    for name, value in (("nu_plus", nu_plus), ("nu_minus", nu_minus)):
        check_nu(name, value)
    plus, minus = nu_plus * n_plus, nu_minus * n_minus
    return 2.0 * plus * minus / ((plus + minus) * (n_plus + n_minus)), minus / (plus + minus)


def check_nu(name: str, value: float) -> float:
    """Return ν₊ or ν₋, which must be in (0, 1] (Proposition 4)."""
    if not 0.0 < value <= 1.0:
        raise ValueError(
            f"{name} must lie above 0 and be at most 1, not {value}: it bounds the share of margin "
            f"errors of a class. Above 1 no coefficients satisfy the constraints, and at 0 they "
            f"all vanish."
        )
    return float(value)


def class_shares(y: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the share of each point in the weight of its class: the solution at ν₊ = ν₋ = 1."""
    plus, minus = class_weights(y, weights)
    return weights / np.where(y > 0, plus, minus)


def class_weights(y: FloatArray, weights: FloatArray) -> tuple[float, float]:
    """Return the total weight of the positive and the negative class, both positive."""
    plus, minus = float(weights[y > 0].sum()), float(weights[y < 0].sum())
    if not (plus > 0 and minus > 0):
        raise ValueError(
            "An SVM with offset needs points of two classes, and here only one class has points "
            "of positive weight. For data of one class use a one-class SVM."
        )
    return plus, minus
