"""The one-class minimax probability machine: a set with a bound on its mass from two moments."""

from __future__ import annotations

import warnings

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.estimators.base import Problem
from nestviz.estimators.checks import checked_number
from nestviz.estimators.moments import coefficients_of, feature_space, moments, not_negative
from nestviz.estimators.one_class_problem import ROUNDING, OneClassEstimator, one_class_family
from nestviz.kernels import Kernel, PolynomialKernel
from nestviz.solvers.one_class_machine import solve_one_class_machine
from nestviz.solvers.records import Callback


class OneClassMinimaxMachine(OneClassEstimator):
    """Half-space of feature space that holds a given mass of the worst distribution.

    Of all half-spaces that hold mass α of every distribution with the mean m and the covariance Σ
    of the points, the one farthest from the origin, in standard deviations along its normal vector
    (Lanckriet, El Ghaoui & Jordan 2003):

    ::

        max_{a, b}  b/√(aᵀΣa)     subject to  aᵀm − b ≥ κ√(aᵀΣa),   κ² = α/(1 − α)

    Its normal vector Σ⁻¹m does not depend on α, so ``family_`` has the sets of all masses: they are
    nested. Mean and covariance are estimates. If the true mean may lie ν standard deviations from
    its estimate, and the true covariance matrix within ρ of its own in the Frobenius norm, the
    half-space is that for Σ + ρ·1 and κ + ν.

    Parameters
    ----------
    sigma : float or str
        Width of the Gaussian kernel, or the rule "auto" or "median", as in `OneClassSVM`.
    mass : float
        α in (0, 1), the mass to hold. The worst case is far from most: at 0.5, a set often holds
        nearly all points.
    level : float, optional
        The threshold b at which `decision_function` and `predict` answer, instead of that of
        ``mass``.
    kernel : {"gaussian", "linear", "polynomial", "precomputed"}
        The kernel. A linear one separates the points from the origin by a hyperplane.
    degree : int
        Degree of the polynomial kernel.
    covariance_uncertainty : float
        ρ, not negative, in units of squared lengths of the feature space: a Gaussian kernel has
        k(x, x) = 1. With 0 and a Gaussian kernel there is always a direction in which the points
        do not vary, and no bound.
    mean_uncertainty : float
        ν, not negative.

    Attributes
    ----------
    mass_bound_ : float
        The mass that is sure under the moments: ``mass``, or ``largest_mass_`` where that is less,
        with a warning. Of ``level``, if that is given.
    largest_mass_ : float
        The mass below which a half-space without the origin is sure to hold it.
    zeta_ : float
        √(mᵀΣ⁻¹m): how many standard deviations the mean is from the origin.
    family_ : SetFamily
        The sets {x : Σ_i c_i k(x_i, x) ≥ b} over the threshold b; the mean of the points has 1.
    level_, offset_ : float
        The threshold of ``mass``.
    alpha_ : ndarray of shape (1, n_points)
        Coefficients of the normal vector; they may have any sign.
    objective_ : float
        √(aᵀΣa) with aᵀm = 1: 1/ζ.
    duality_gap_, kkt_residual_ : float
        Relative distance of the objective from its lower bound, and of Σa from a multiple of m.
    n_iter_, converged_
        1, since the solution has a closed form; whether both are at most 1e-6.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[3.0], [4.0], [5.0]])
    >>> machine = OneClassMinimaxMachine(kernel="linear", covariance_uncertainty=0.0, mass=0.8)
    >>> round(float(machine.fit(X).largest_mass_), 12)
    0.96
    >>> machine.predict([[3.0], [1.0]])
    array([ 1, -1])
    """

    _title = "The one-class minimax probability machine"
    tol = 1e-6

    def __init__(
        self,
        sigma: float | str = "auto",
        *,
        mass: float = 0.5,
        level: float | None = None,
        kernel: str = "gaussian",
        degree: int = 2,
        covariance_uncertainty: float = 0.01,
        mean_uncertainty: float = 0.0,
    ) -> None:
        self.sigma = sigma
        self.mass = mass
        self.level = level
        self.kernel = kernel
        self.degree = degree
        self.covariance_uncertainty = covariance_uncertainty
        self.mean_uncertainty = mean_uncertainty

    def level_of_mass(self, mass: float) -> float:
        """Return the threshold whose set is sure to hold a mass.

        Parameters
        ----------
        mass : float
            Between 0 and 1. Beyond ``largest_mass_`` the threshold is negative, and the set has the
            origin of the feature space in it.

        Returns
        -------
        float
            A threshold for `score_samples`.
        """
        return 1.0 - (self._kappa(mass) + self._mean_uncertainty()) / self.zeta_

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        rho = not_negative("covariance_uncertainty", self.covariance_uncertainty)
        kappa, nu = self._kappa(self.mass), self._mean_uncertainty()
        basis, lengths = feature_space(problem.kernel, problem.merged.X)
        mean, covariance = moments(basis * lengths, problem.weights)
        end = solve_one_class_machine(mean, covariance + rho * np.eye(len(mean)))
        coefficients = coefficients_of(end.normal, basis, lengths)
        self.alpha_ = problem.merged.split(coefficients)[None]
        self.zeta_, self.objective_ = end.zeta, end.objective
        self.duality_gap_, self.kkt_residual_ = end.duality_gap, end.kkt_residual
        self.n_iter_ = 1
        self.converged_ = max(end.duality_gap, end.kkt_residual) <= self.tol
        self.largest_mass_ = _sure(end.zeta - nu)
        self.level_ = self._level_or(lambda: max(self.level_of_mass(self.mass), 0.0))
        self.mass_bound_ = _sure(end.zeta * (1.0 - self.level_) - nu)
        if self.level is None and kappa + nu > end.zeta:
            warnings.warn(
                f"No half-space without the origin is sure to hold {float(self.mass):g} of the "
                f"mass: {self.largest_mass_:.3g} is the most, and its set was taken. Ask for less "
                f"mass, or give less uncertainty.",
                UserWarning,
                stacklevel=3,
            )
        self._keep_thresholds(problem, coefficients)

    def _keep_thresholds(self, problem: Problem, coefficients: FloatArray) -> None:
        """Keep one function, cut at every threshold: nested for any kernel."""
        size = float(np.abs(coefficients).sum() * problem.columns.diagonal.max())
        self.family_ = one_class_family(
            problem,
            coefficients=coefficients[None],
            levels=np.array([1.0]),
            offsets=np.array([1.0]),
            domain=(-np.inf, np.inf),
            open_below=False,
            is_nested=True,
            tolerance=ROUNDING * max(1.0, size),
            level_name="threshold b",
        )

    def _kappa(self, mass: float) -> float:
        alpha = checked_number("mass", mass, above=0.0)
        if alpha >= 1.0:
            raise ValueError(
                f"mass must lie between 0 and 1, not {alpha:g}: no set is sure of all."
            )
        return float(np.sqrt(alpha / (1.0 - alpha)))

    def _mean_uncertainty(self) -> float:
        return not_negative("mean_uncertainty", self.mean_uncertainty)

    def _make_kernel(self, points: FloatArray) -> Kernel:
        if self.kernel == "linear":
            return PolynomialKernel(1, offset=0.0)
        return super()._make_kernel(points)


def _sure(kappa: float) -> float:
    """Return the mass that κ standard deviations are sure to hold."""
    square = max(kappa, 0.0) ** 2
    return float(square / (1.0 + square))
