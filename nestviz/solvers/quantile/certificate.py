"""Certify coefficients of the q-OCSVM.

The dual (5) of Glazer, Lindenbaum & Markovitch (2013), with weights u_i that add up to one instead
of 1/n,

    min  1/(2q) Σ_jp Σ_is η_ji η_ps k(x_i, x_s)     s.t.  Σ_i η_ji = 1,   0 ≤ η_ji ≤ u_i/ν_j,

belongs to the primal (2). Its field is f(x) = 1/q Σ_ji η_ji k(x_i, x) = ⟨w, Φ(x)⟩. For given w
the best ρ_j is the ν_j-quantile of f over the weighted points, and the best slack is (ρ_j − f_i)₊.
Primal minus dual is then a sum of non-negative terms,

    Σ_ji [ η_ji (f_i − ρ_j)₊ + (u_i/ν_j − η_ji) (ρ_j − f_i)₊ ].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.compiled import njit
from nestviz.distances import inner
from nestviz.solvers.box_sum.nu_certificate import ROUNDING, VANISHING, best_offsets
from nestviz.solvers.columns import Columns, as_columns, field_of
from nestviz.solvers.nested.gap import relative_gap


class QuantileCertificate(NamedTuple):
    """Bounds on the error of coefficients.

    Attributes
    ----------
    objective : float
        The dual objective (5), a minimum.
    kkt_residual : float
        Mean violation of the optimality conditions relative to the mean size of the field;
        inf if a constraint is violated.
    duality_gap : float
        Primal minus dual, relative to the dual value; inf if a constraint is violated.
    rho : ndarray of shape (n_quantiles,)
        The offsets ρ_j, not increasing in j.
    """

    objective: float
    kkt_residual: float
    duality_gap: float
    rho: FloatArray


def quantile_certificate(
    K: FloatArray | Columns, eta: FloatArray, weights: FloatArray, quantiles: FloatArray
) -> QuantileCertificate:
    """Certify coefficients for the dual (5).

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points) or Columns
        Kernel matrix.
    eta : ndarray of shape (n_quantiles, n_points)
        Coefficients, one row for each quantile.
    weights : ndarray of shape (n_points,)
        Weights of the points, 1/N each in the paper; only their proportions count.
    quantiles : ndarray of shape (n_quantiles,)
        The quantiles, ascending, between 0 and 1.

    Returns
    -------
    QuantileCertificate
    """
    columns = as_columns(K)
    bounds = upper_bounds(weights, quantiles)
    F = shared_field(columns, eta)
    found = certify(eta, F, weights / weights.sum(), quantiles, bounds, columns.diagonal)
    # Only the proportions of the weights count, so the last digit of a bound is uncertain.
    feasible = np.all(eta >= 0) and np.all(eta <= bounds * (1.0 + ROUNDING))
    if feasible and np.all(np.abs(eta.sum(axis=1) - 1.0) <= ROUNDING):
        return found
    return found._replace(kkt_residual=np.inf, duality_gap=np.inf)


def upper_bounds(weights: FloatArray, quantiles: FloatArray) -> FloatArray:
    """Return the bounds u_i/ν_j of (4), one row for each quantile."""
    return (weights / weights.sum()) / (1.0 - quantiles)[:, None]


def shared_field(columns: Columns, eta: FloatArray) -> FloatArray:
    """Return the field f at all points, which all quantiles share."""
    return field_of(columns, eta.sum(axis=0) / len(eta))


def certify(
    eta: FloatArray,
    F: FloatArray,
    u: FloatArray,
    quantiles: FloatArray,
    bounds: FloatArray,
    diagonal: FloatArray,
) -> QuantileCertificate:
    """Certify feasible coefficients from their field F."""
    # The best offsets of any field satisfy statement (2) of Theorem 2; at the optimum they are (7).
    rho = best_offsets(F, u, 1.0 - quantiles)
    total = eta.sum(axis=0)
    objective = 0.5 * inner(total, F)
    least = VANISHING * inner(total, diagonal)
    gaps, violation = errors(eta, F, bounds, rho)
    mass = float(bounds.sum())
    unit = inner(bounds.sum(axis=0), np.abs(F)) + least * mass / len(eta)
    return QuantileCertificate(
        objective,
        violation / unit if unit > 0 else 0.0,
        relative_gap(float(gaps.sum()), max(objective, least)),
        rho,
    )


@njit(cache=True, nogil=True)
def errors(
    eta: FloatArray, F: FloatArray, bounds: FloatArray, rho: FloatArray
) -> tuple[FloatArray, float]:
    """Return each point's part of primal minus dual, (2, n), and Σ_ji of bound times violation.

    The violation of a coefficient is the distance of f_i from ρ_j on the wrong side: below it while
    η_ji could grow (first row), above it while η_ji could shrink (second row).
    """
    q, n = eta.shape
    gaps, violation = np.zeros((2, n)), 0.0
    for j in range(q):
        for i in range(n):
            above = F[i] - rho[j]
            side = 1 if above > 0 else 0
            amount = eta[j, i] if above > 0 else bounds[j, i] - eta[j, i]
            if amount > 0:
                gaps[side, i] += amount * abs(above)
                violation += bounds[j, i] * abs(above)
    return gaps, violation
