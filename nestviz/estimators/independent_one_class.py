"""One one-class SVM for each quantile, with nothing shared between them."""

from __future__ import annotations

import numpy as np

from nestviz.estimators.base import Problem
from nestviz.estimators.quantile_problem import QuantileEstimator, Relay, offsets_in_use
from nestviz.solvers.box_sum.nu_one_class import NuSolution, solve_nu_one_class, verified_nu
from nestviz.solvers.quantile.certificate import upper_bounds
from nestviz.solvers.records import Callback


class IndependentOneClassSVM(QuantileEstimator):
    """Independent one-class SVMs (I-OCSVM): one ν one-class SVM for each quantile.

    ::

        min_α  ½ Σ_is α_ji α_js k(x_i, x_s)     for each j,
        subject to  Σ_i α_ji = 1,   0 ≤ α_ji ≤ 1/(n ν_j),   ν_j = 1 − α_j

    for quantiles α_1 < … < α_q (Glazer, Lindenbaum & Markovitch 2013, eq. 1 and section 5). Each
    set keeps the ν-property, but nothing keeps the sets from crossing: ``family_`` is not nested,
    and `nestviz.analysis.nesting_report` measures how much its sets cross.

    Parameters
    ----------
    sigma, quantiles, level : float or str, int or ndarray, float
        As in `QuantileOneClassSVM`.
    kernel, degree, tol, max_iter : str, int, float, int
        As in `OneClassSVM`; the tolerance holds for each quantile.

    Attributes
    ----------
    family_ : SetFamily
        All sets, over the quantile; between two of them coefficients and offset are interpolated.
    quantiles_ : ndarray of shape (n_quantiles,)
        The quantiles, ascending.
    alpha_ : ndarray of shape (n_quantiles, n_points)
        Coefficients, one row for each quantile.
    rho_ : ndarray of shape (n_quantiles,)
        Offsets, each the value of the margin points of its set: the ν_j-quantile of the field.
    objectives_ : ndarray of shape (n_quantiles,)
        The dual objective for each quantile.
    objective_, kkt_residual_, duality_gap_, n_iter_, converged_
        The sum of the objectives, the largest residual and gap, the sum of the rounds, and whether
        all have converged.
    level_, offset_ : float
        As in `QuantileOneClassSVM`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(50, 2))
    >>> model = IndependentOneClassSVM(sigma=1.0, quantiles=[0.3, 0.7]).fit(X)
    >>> model.alpha_.shape, model.family_.is_nested
    ((2, 50), False)
    """

    _title = "One of the one-class SVMs"

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        self._choose_levels()
        bounds = upper_bounds(problem.upper, self.quantiles_)
        solutions: list[NuSolution] = []
        verifying = problem.verifying
        relay, start = Relay(callback), None
        # From the largest set down each solution is a good start for the next.
        for bound in bounds[::-1]:
            solution = solve_nu_one_class(
                problem.columns, bound,
                start=start, tol=self.tol, max_iter=self.max_iter, callback=relay,
            )  # fmt: skip
            solutions.append(verified_nu(verifying, solution, bound, tol=self.tol))
            start = solution.alpha
            relay.next()
        solutions.reverse()
        self._keep_certificates(solutions)
        alpha = np.stack([solution.alpha for solution in solutions])
        self.alpha_ = self._shared_out(problem, alpha, bounds)
        self.rho_ = offsets_in_use(problem, solutions, bounds)
        alone = len(self.quantiles_) == 1
        self.family_ = self._quantile_family(problem, alpha, is_nested=alone)
