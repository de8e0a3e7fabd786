"""The q-OCSVM: sets of given mass whose boundaries are parallel in feature space."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.estimators.base import keep_certificate, warn_if_stopped
from nestviz.estimators.nu_problem import rounding
from nestviz.estimators.quantile_problem import QuantileEstimator
from nestviz.solvers.box_sum.nu_certificate import VANISHING
from nestviz.solvers.quantile.certificate import quantile_certificate, upper_bounds
from nestviz.solvers.quantile.solve import QuantileSolution, solve_quantiles
from nestviz.solvers.verification import verified


class QuantileOneClassSVM(QuantileEstimator):
    """The q-OCSVM: one set for each quantile, all level sets of one function.

    ::

        min_η  1/(2q) Σ_jp Σ_is η_ji η_ps k(x_i, x_s)
        subject to  Σ_i η_ji = 1,   0 ≤ η_ji ≤ 1/(n ν_j),   ν_j = 1 − α_j

    for quantiles α_1 < … < α_q (Glazer, Lindenbaum & Markovitch 2013, eq. 5), and the sets are
    {x : 1/q Σ_ji η_ji k(x_i, x) ≥ ρ_j}. The function is the same for all of them and ρ_j does not
    increase, so they are nested for any kernel. No more than a share ν_j of the training points is
    outside, and no less than ν_j is outside or on the boundary (Theorem 2).

    Parameters
    ----------
    sigma : float, "median" or "miv"
        Width of the Gaussian kernel; "miv" takes the one of least integrated volume
        (`nestviz.volume.select_bandwidth` with seed 0), "miv:0.5" the same in a box with that
        margin.
    quantiles : int or array
        How many quantiles, evenly spaced: j/(q + 1) for j = 1, …, q; or the quantiles themselves,
        above 0 and below 1, in any order. Repeated ones count once.
    level : float, optional
        The quantile at which `decision_function` and `predict` answer; by default 0.9, or the
        nearest one that the sets reach.
    kernel : {"gaussian", "polynomial", "precomputed"}
        The kernel k.
    degree : int
        Degree of the polynomial kernel.
    tol : float
        Relative duality gap at which the solver stops.
    max_iter : int
        Rounds after which it stops in any case.

    Attributes
    ----------
    family_ : SetFamily
        All sets, over the quantile from α_1 to α_q; between two of them the offset is interpolated.
    quantiles_ : (q,) array
        The quantiles, ascending.
    alpha_ : (q, N) array
        The coefficients η, one row for each quantile.
    rho_ : (q,) array
        The offsets ρ_j of (7), not increasing: the ν_j-quantiles of the function over the training
        points.
    level_ : float
        The quantile at which `predict` answers.
    objective_ : float
        The dual objective (5).
    kkt_residual_, duality_gap_ : float
        Certificate, recomputed from the coefficients.
    n_iter_ : int
        Rounds of the solver.
    converged_ : bool
        Whether the certificate is within ``tol``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [0.3], [3.0]])
    >>> model = QuantileOneClassSVM(sigma=0.5, quantiles=[0.3, 0.7]).fit(X)
    >>> model.predict(X), model.family_.is_nested
    (array([ 1,  1,  1,  1, -1]), True)
    """

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        callback: Any = None,
    ) -> QuantileOneClassSVM:
        """Solve for all quantiles together; ``y`` is ignored, weights scale the upper bounds."""
        self._choose_levels()
        problem = self._problem(X, sample_weight)
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
        warn_if_stopped(self.converged_, "The quantile one-class SVM")
        return self


def check_separable(solution: QuantileSolution, diagonal: FloatArray) -> None:
    """Refuse a trivial solution: the origin lies in the combined reduced hulls, so w = 0."""
    unit = float(solution.eta.sum(axis=0) @ diagonal)
    if solution.objective <= VANISHING * unit:
        raise ValueError(
            "The optimal function is zero everywhere and has no sets: with this kernel too many "
            "points lie on opposite sides of the origin (Glazer et al. 2013 assume that none do, "
            "Definition 1). Use a Gaussian kernel, with which every data set is separable."
        )
