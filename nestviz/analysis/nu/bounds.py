"""Bounds on the error of single-class SVMs: problem 8.13 and Theorem 8.6.

From Schölkopf & Smola (2002).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from nestviz.analysis.nu.fractions import ROUNDING, TIGHT
from nestviz.arrays import BoolArray, FloatArray
from nestviz.estimators.checks import checked_number
from nestviz.estimators.nu_problem import NuEstimator
from nestviz.solvers.box_sum.nu_one_class import NuSolution, solve_nu_one_class

C = 103.0
"""The constant c of Theorem 8.6; c_1 = 16 c², c_2 = ln 2/(4 c²)."""
C1, C2 = 16.0 * C**2, np.log(2.0) / (4.0 * C**2)


@dataclass(frozen=True)
class LeaveOneOut:
    """Leave-one-out error and its bound (problem 8.13).

    Attributes
    ----------
    bound : float
        Share of support vectors: at least ``error``.
    error : float
        Fraction of the points outside the set of all the others.
    outside : ndarray of bool of shape (n_points,)
        Which points these are.
    solves : int
        Number of problems solved after the first.
    """

    bound: float
    error: float
    outside: BoolArray
    solves: int


def leave_one_out(K: FloatArray, nu: float, *, linear: FloatArray | None = None) -> LeaveOneOut:
    """Compute the exact leave-one-out error of the ν one-class SVM and its bound.

    A point without a coefficient can be left out without any change, so only support vectors are
    left out in turn, each solve starting at the solution for all points. The upper bound 1/(νm) is
    kept; a bound of 1/(ν(m − 1)) would change the problem for every point.

    Parameters
    ----------
    K : ndarray of shape (n_points, n_points)
        Kernel matrix.
    nu : float
        ν in (0, 1 − 1/n_points]; above, the other points cannot carry the whole sum.
    linear : ndarray of shape (n_points,), optional
        Half of k(x_i, x_i) for the soft ball.

    Returns
    -------
    LeaveOneOut
    """
    N = len(K)
    nu = checked_number("nu", nu, above=0.0, at_most=1.0)
    if nu * N > N - 1 + ROUNDING:
        raise ValueError(
            f"With ν = {nu:g} the other {N - 1} points cannot carry the whole sum of coefficients: "
            f"choose ν ≤ {(N - 1) / N:g}."
        )
    upper = np.full(N, 1.0 / (nu * N))
    q = np.zeros(N) if linear is None else linear
    whole = solve_nu_one_class(K, upper, linear=q, tol=TIGHT)
    support = np.flatnonzero(whole.alpha)
    outside = np.zeros(N, dtype=bool)
    for i in support:
        others = upper.copy()
        # With a bound of zero it has no coefficient; its field is computed all the same.
        others[i] = 0.0
        fit = solve_nu_one_class(K, others, linear=q, tol=TIGHT, start=whole.alpha)
        outside[i] = fit.field[i] - q[i] < fit.rho - _short(fit, others, q, K)
    return LeaveOneOut(len(support) / N, float(outside.mean()), outside, len(support))


def _short(fit: NuSolution, upper: FloatArray, q: FloatArray, K: FloatArray) -> float:
    """Return how far below ρ a point inside may lie: the tolerance trick of section 8.4."""
    missing = np.where(fit.alpha < upper, fit.rho - fit.field + q, 0.0)
    return max(float(missing.max()), 0.0) + ROUNDING * float(K.diagonal().max())


@dataclass(frozen=True)
class GeneralisationBound:
    """The right-hand side of Theorem 8.6.

    Attributes
    ----------
    bound : float
        With probability 1 − δ at most this much of the distribution is outside the set at ρ − γ.
        One, which says nothing, where the formula is out of its range.
    level : float
        ρ − γ.
    gamma_hat : float
        γ/‖w‖.
    slack : float
        𝒟, the sum of the slacks.
    points_needed : float
        Approximate number of points from which the bound is below one, without slack.
    """

    bound: float
    level: float
    gamma_hat: float
    slack: float
    points_needed: float

    @property
    def is_vacuous(self) -> bool:
        """Return whether the bound is one or more and so says nothing."""
        return self.bound >= 1.0


def generalisation_bound(
    model: NuEstimator, X: ArrayLike, gamma: float, *, delta: float = 0.05
) -> GeneralisationBound:
    """Evaluate Theorem 8.6 for a fitted `NuOneClassSVM`: loose, and in practice vacuous.

    The constant c = 103 is far from optimal and the kernel's smoothness is not used, so the bound
    says something only from millions of points on. Use it to see how it changes with γ, ‖w‖ and the
    slacks, not as a guarantee. Below c_2 γ̂² m = 1 the printed first term of (8.36) is negative,
    which no covering number is: the bound is then one.

    Parameters
    ----------
    model : NuOneClassSVM
        Fitted on ``X``.
    X : array-like of shape (n_points, n_features)
        The training points.
    gamma : float
        γ > 0, by how much the offset is lowered.
    delta : float
        δ in (0, 1), the probability with which the statement may fail.

    Returns
    -------
    GeneralisationBound
    """
    gamma = checked_number("gamma", gamma, above=0.0)
    delta = checked_number("delta", delta, above=0.0, at_most=1.0)
    scores = model.score_samples(X)
    slack = float(np.maximum(model.rho_ - model.tolerance_ - scores, 0.0).sum())
    gamma_hat = gamma / float(np.sqrt(2.0 * model.objective_))
    return GeneralisationBound(
        bound=_theorem(len(scores), gamma_hat, slack, delta),
        level=model.rho_ - gamma,
        gamma_hat=gamma_hat,
        slack=slack,
        points_needed=_points_needed(gamma_hat, delta),
    )


def _theorem(m: float, gamma_hat: float, slack: float, delta: float) -> float:
    """Return (8.35) and (8.36), at most one."""
    covering = C2 * gamma_hat**2 * m
    if covering <= 1.0:
        return 1.0
    k = C1 * np.log2(covering) / gamma_hat**2 + 2.0
    if slack > 0:
        ratio = (2 * m - 1) * gamma_hat / (2 * slack)
        k += 2 * slack / gamma_hat * np.log2(math.e * (ratio + 1))
    return min(float(2.0 / m * (k + np.log2(m**2 / (2 * delta)))), 1.0)


def _points_needed(gamma_hat: float, delta: float) -> float:
    """Return where the bound without slack first falls below one, to three digits."""
    # It rises from where its first term vanishes, and falls for good beyond e times that.
    m = math.e / (C2 * gamma_hat**2)
    while _theorem(m, gamma_hat, 0.0, delta) >= 1.0:
        m *= 1.001
    return float(m)
