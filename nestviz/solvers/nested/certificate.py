"""Certify how far coefficients are from optimal, from the coefficients alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.solvers.columns import Columns, as_columns
from nestviz.solvers.nested.feasible import (
    cost_sensitive_chains,
    is_cost_sensitive_feasible,
    is_one_class_feasible,
    one_class_chains,
    weighted_chains,
)
from nestviz.solvers.nested.gap import dual_objective, point_gaps, relative_gap, smallest_gap
from nestviz.solvers.nested.kkt import residual, violations
from nestviz.solvers.records import Chains


class Certificate(NamedTuple):
    """Bounds on the error of coefficients.

    Attributes
    ----------
    objective : float
        Dual objective as the paper writes it.
    kkt_residual : float
        See :func:`nestviz.solvers.nested.kkt.residual`; inf if a constraint is violated.
    duality_gap : float
        Primal minus dual, relative to the dual value, for the best multiple of the primal vector
        at each level (:mod:`nestviz.solvers.nested.gap`); inf if a constraint is violated.
    """

    objective: float
    kkt_residual: float
    duality_gap: float


def one_class_certificate(
    K: FloatArray | Columns,
    alpha: FloatArray,
    upper: FloatArray,
    levels: FloatArray,
    level_weights: FloatArray | None = None,
) -> Certificate:
    """Certify coefficients of the nested one-class problem (12)–(14).

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points) or Columns
        Kernel matrix.
    alpha : ndarray of shape (n_levels, n_points)
        Coefficients, one row for each level.
    upper : ndarray of shape (n_points,)
        Upper bounds, 1/N each in the paper.
    levels : ndarray of shape (n_levels,)
        Levels λ, positive and not increasing.
    level_weights : ndarray of shape (n_levels,), optional
        Weights of the levels in (12), 1 each in the paper.

    Returns
    -------
    Certificate
    """
    columns = as_columns(K)
    b = alpha / levels[:, None]
    feasible = is_one_class_feasible(alpha, upper, levels)
    chains = weighted_chains(one_class_chains(upper, levels), level_weights)
    return certify(chains, b, columns.product(b), feasible)


def cost_sensitive_certificate(
    K: FloatArray | Columns,
    alpha: FloatArray,
    y: FloatArray,
    weights: FloatArray,
    lam: float,
    asymmetries: FloatArray,
    level_weights: FloatArray | None = None,
) -> Certificate:
    """Certify coefficients of the nested cost-sensitive problem (7)–(9).

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points) or Columns
        Kernel matrix.
    alpha : ndarray of shape (n_levels, n_points)
        Coefficients, one row for each asymmetry.
    y : ndarray of shape (n_points,)
        Classes, −1 or +1.
    weights : ndarray of shape (n_points,)
        Weights that scale the bounds, 1 each in the paper.
    lam : float
        Regularisation λ.
    asymmetries : ndarray of shape (n_levels,)
        Cost asymmetries γ, not decreasing.
    level_weights : ndarray of shape (n_levels,), optional
        Weights of the asymmetries in (7), 1 each in the paper.

    Returns
    -------
    Certificate
    """
    columns = as_columns(K)
    b = y * alpha
    feasible = is_cost_sensitive_feasible(alpha, y, weights, asymmetries)
    chains = weighted_chains(cost_sensitive_chains(y, weights, lam, asymmetries), level_weights)
    return certify(chains, b, columns.product(b), feasible)


def certify(chains: Chains, b: FloatArray, F: FloatArray, feasible: bool) -> Certificate:
    """Certify b from its field F = b K."""
    if not feasible:
        return Certificate(float(dual_objective(chains, b, F)), np.inf, np.inf)
    return summarise(chains, b, F, point_gaps(chains, b, F), violations(chains, b, F))


def summarise(
    chains: Chains, b: FloatArray, F: FloatArray, gaps: FloatArray, violation: FloatArray
) -> Certificate:
    """Certify feasible coefficients from the contributions of the points."""
    objective = float(dual_objective(chains, b, F))
    gap = smallest_gap(chains, b, F, float(gaps.sum()))
    return Certificate(objective, residual(chains, violation), relative_gap(gap, objective))
