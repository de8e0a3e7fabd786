"""The q-OCSVM: sets of given mass whose boundaries are parallel in feature space."""

from __future__ import annotations

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.distances import inner
from nestviz.estimators.base import Problem, keep_certificate
from nestviz.estimators.nu_problem import rounding
from nestviz.estimators.quantile_problem import QuantileEstimator
from nestviz.solvers.box_sum.nu_certificate import VANISHING
from nestviz.solvers.quantile.certificate import quantile_certificate, upper_bounds
from nestviz.solvers.quantile.solve import QuantileSolution, solve_quantiles
from nestviz.solvers.records import Callback
from nestviz.solvers.verification import verified


class QuantileOneClassSVM(QuantileEstimator):
    """Quantile one-class SVM (q-OCSVM): one set for each quantile, all level sets of one function.

    ::

        min_η  1/(2q) Σ_jp Σ_is η_ji η_ps k(x_i, x_s)
        subject to  Σ_i η_ji = 1,   0 ≤ η_ji ≤ 1/(n ν_j),   ν_j = 1 − α_j

    for quantiles α_1 < … < α_q (Glazer, Lindenbaum & Markovitch 2013, eq. 5), and the sets are
    {x : 1/q Σ_ji η_ji k(x_i, x) ≥ ρ_j}. The function is the same for all of them and ρ_j does not
    increase, so they are nested for any kernel. No more than a share ν_j of the training points is
    outside, and no less than ν_j is outside or on the boundary (Theorem 2).

    Parameters
    ----------
    sigma : float or str
        Width of the Gaussian kernel, or a rule, as in `OneClassSVM`.
    quantiles : int or ndarray
        The number q of quantiles, evenly spaced: j/(q + 1) for j = 1, …, q; or the quantiles
        themselves, above 0 and below 1, in any order. Repeated ones count once.
    level : float, optional
        The quantile at which `decision_function` and `predict` answer; by default 0.9, or the
        nearest one that the sets reach.
    kernel, degree, tol, max_iter : str, int, float, int
        As in `OneClassSVM`.

    Attributes
    ----------
    family_ : SetFamily
        All sets, over the quantile from α_1 to α_q; between two of them the offset is interpolated.
    quantiles_ : ndarray of shape (n_quantiles,)
        The quantiles, ascending.
    alpha_ : ndarray of shape (n_quantiles, n_points)
        The coefficients η, one row for each quantile.
    rho_ : ndarray of shape (n_quantiles,)
        The offsets ρ_j of (7), not increasing: the ν_j-quantiles of the function over the training
        points.
    level_ : float
        The quantile at which `predict` answers.
    offset_ : float
        The offset ρ at that quantile: ``decision_function = score_samples - offset_``.
    objective_ : float
        The dual objective (5).
    kkt_residual_, duality_gap_, n_iter_, converged_
        As in `OneClassSVM`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [0.3], [3.0]])
    >>> model = QuantileOneClassSVM(sigma=0.5, quantiles=[0.3, 0.7]).fit(X)
    >>> model.predict(X), model.family_.is_nested
    (array([ 1,  1,  1,  1, -1]), True)
    """

    _title = "The quantile one-class SVM"

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        self._choose_levels()
        solution = solve_quantiles(
            problem.columns, problem.upper, self.quantiles_,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        check_separable(solution, problem.columns.diagonal)
        certificate = quantile_certificate(
            problem.verifying, solution.eta, problem.upper, self.quantiles_
        )
        solution = verified(solution._replace(rho=certificate.rho), certificate, self.tol)
        keep_certificate(self, solution)
        bounds = upper_bounds(problem.upper, self.quantiles_)
        self.alpha_ = self._shared_out(problem, solution.eta, bounds)
        # A training point has this very value, and belongs inside however the sum is rounded.
        self.rho_ = solution.rho - rounding(problem)
        shared = solution.eta.sum(axis=0) / len(self.quantiles_)
        table = np.tile(shared, (len(self.quantiles_), 1))
        self.family_ = self._quantile_family(problem, table, is_nested=True)


def check_separable(solution: QuantileSolution, diagonal: FloatArray) -> None:
    """Refuse a trivial solution: the origin lies in the combined reduced hulls, so w = 0."""
    unit = inner(solution.eta.sum(axis=0), diagonal)
    if solution.objective <= VANISHING * unit:
        raise ValueError(
            "The optimal function is zero everywhere and has no sets: with this kernel too many "
            "points lie on opposite sides of the origin (Glazer et al. 2013 assume that none do, "
            "Definition 1). Use a Gaussian kernel, with which every data set is separable."
        )
