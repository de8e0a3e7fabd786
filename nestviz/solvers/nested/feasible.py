"""Make coefficients feasible to the last bit, so that nesting is exact.

The solver's variables satisfy their constraints exactly, but α = λ b rounds, and so does splitting
the coefficients of merged points. These functions return coefficients nearby for which (13) and
(14), or (8) and (9), hold in floating-point comparison.
"""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.compiled import njit
from nestviz.solvers.records import Chains


def one_class_chains(upper: FloatArray, levels: FloatArray) -> Chains:
    """Return the nested one-class problem (12)–(14) in the variables b = α/λ."""
    return Chains(
        np.ascontiguousarray(levels, dtype=np.float64),
        np.ones(len(upper)),
        np.ascontiguousarray(upper / levels[:, None]),
    )


def level_weights(levels: FloatArray) -> FloatArray:
    """Return the part of the range of levels that is nearest to each, in units of the mean.

    With these weights a sum over levels stands for an integral over their range, wherever they are.
    """
    if len(levels) < 2:
        return np.ones(len(levels))
    widths = np.abs(np.diff(levels))
    weights = 0.5 * (np.append(widths, 0.0) + np.append(0.0, widths))
    return np.ascontiguousarray(weights / weights.mean())


def weighted_chains(chains: Chains, weights: FloatArray | None) -> Chains:
    """Return a problem whose levels have weights, if there are any."""
    return chains if weights is None else chains._replace(q=chains.q * weights)


def cost_sensitive_chains(
    y: FloatArray, weights: FloatArray, lam: float, asymmetries: FloatArray
) -> Chains:
    """Return the nested cost-sensitive problem (7)–(9) in the variables b = yα."""
    return Chains(
        np.full(len(asymmetries), 1.0 / lam),
        lam * y,
        cost_sensitive_bounds(y, weights, asymmetries),
    )


def cost_sensitive_bounds(
    y: FloatArray, weights: FloatArray, asymmetries: FloatArray
) -> FloatArray:
    """Return upper bounds of α: w_i γ_m for positive points, w_i (1 − γ_m) for negative ones."""
    cost = np.where(y > 0, asymmetries[:, None], 1.0 - asymmetries[:, None])
    return np.ascontiguousarray(weights * cost)


def settle_one_class(alpha: FloatArray, upper: FloatArray, levels: FloatArray) -> FloatArray:
    """Return coefficients near ``alpha`` with 0 ≤ α ≤ u and α_m/λ_m not decreasing in m.

    ``alpha`` has to satisfy the constraints up to rounding.
    """
    alpha = np.ascontiguousarray(np.clip(alpha, 0.0, upper))
    # One compiled form for levels in either direction.
    raise_ratios(alpha, upper, np.ascontiguousarray(levels))
    return alpha


@njit(cache=True, nogil=True)
def raise_ratios(alpha: FloatArray, upper: FloatArray, levels: FloatArray) -> None:
    """Raise α within its bounds, in place, just so that α_m/λ_m does not decrease."""
    for m in range(1, len(levels)):
        for i in range(len(upper)):
            least = alpha[m - 1, i] / levels[m - 1]
            value = max(alpha[m, i], min(least * levels[m], upper[i]))
            # Ends at α = u at the latest, whose ratio is no smaller: u ≥ α_{m−1}, λ_m ≤ λ_{m−1}.
            while value / levels[m] < least:
                value = min(np.nextafter(value, np.inf), upper[i])
            alpha[m, i] = value


def settle_cost_sensitive(
    alpha: FloatArray, y: FloatArray, weights: FloatArray, asymmetries: FloatArray
) -> FloatArray:
    """Return coefficients near ``alpha`` with 0 ≤ α ≤ bound and yα not decreasing in m.

    ``alpha`` has to satisfy the constraints up to rounding.
    """
    clipped = np.clip(alpha, 0.0, cost_sensitive_bounds(y, weights, asymmetries))
    return y * np.maximum.accumulate(y * clipped, axis=0)


def is_one_class_feasible(alpha: FloatArray, upper: FloatArray, levels: FloatArray) -> bool:
    """Return whether (13) and (14) hold in floating-point comparison."""
    ratio = alpha / levels[:, None]
    return bool(np.all(alpha >= 0) and np.all(alpha <= upper) and np.all(ratio[:-1] <= ratio[1:]))


def is_cost_sensitive_feasible(
    alpha: FloatArray, y: FloatArray, weights: FloatArray, asymmetries: FloatArray
) -> bool:
    """Return whether (8) and (9) hold in floating-point comparison."""
    signed = y * alpha
    bounds = cost_sensitive_bounds(y, weights, asymmetries)
    return bool(
        np.all(alpha >= 0) and np.all(alpha <= bounds) and np.all(signed[:-1] <= signed[1:])
    )
