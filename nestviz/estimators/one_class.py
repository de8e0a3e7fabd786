"""The one-class SVM at one level."""

from __future__ import annotations

import numpy as np

from nestviz.estimators.base import Problem
from nestviz.estimators.checks import checked_number
from nestviz.estimators.one_class_problem import OneClassEstimator, one_class_family
from nestviz.solvers.nested.limits import lambda_oc
from nestviz.solvers.nested.solve import solve_one_class
from nestviz.solvers.records import Callback


class OneClassSVM(OneClassEstimator):
    """One-class SVM at one level λ (Lee & Scott 2010, eq. 5).

    ::

        min_α  1/(2λ) Σ_ij α_i α_j k(x_i, x_j) − Σ_i α_i     subject to 0 ≤ α_i ≤ 1/N

    and the set is {x : Σ_i α_i k(x_i, x) ≥ λ}.

    Parameters
    ----------
    sigma : float or str
        Width σ of the Gaussian kernel exp(−‖x − x'‖²/2σ²), or a rule. "auto" is 0.2 times the
        median distance between the points, "median" the median distance itself, "dimension" is
        √(d/5) for d features of one scale (Glazer et al. 2013: γ = 2.5/d), "miv" the width of least
        integrated volume (`nestviz.volume.select_bandwidth` with seed 0), which the documentation
        recommends. "miv:0.5" is the same in a box with that margin.
    lam : float
        The level λ > 0. From ``lambda_max_`` on, nothing changes any more.
    kernel : {"gaussian", "polynomial", "precomputed"}
        The kernel k.
    degree : int
        Degree of the polynomial kernel.
    tol : float
        Relative duality gap at which the solver stops, positive.
    max_iter : int
        Largest number of rounds.

    Attributes
    ----------
    family_ : SetFamily
        A family of this one set.
    level_, offset_ : float
        λ; ``decision_function = score_samples - offset_``.
    alpha_ : ndarray of shape (1, n_points)
        Coefficients.
    objective_ : float
        The dual objective above.
    kkt_residual_, duality_gap_ : float
        Certificate, computed again from the coefficients.
    n_iter_ : int
        Rounds of the solver.
    converged_ : bool
        Whether the certificate is within ``tol``.
    lambda_max_ : float
        The λ from which on all coefficients are at their bound (appendix C).
    sigma_ : float
        The width in use.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [3.0]])
    >>> OneClassSVM(sigma=0.5, lam=0.5).fit(X).predict([[0.1], [3.0]])
    array([ 1, -1])
    """

    _title = "The one-class SVM"

    def __init__(
        self,
        sigma: float | str = "auto",
        lam: float = 0.1,
        *,
        kernel: str = "gaussian",
        degree: int = 2,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.sigma = sigma
        self.lam = lam
        self.kernel = kernel
        self.degree = degree
        self.tol = tol
        self.max_iter = max_iter

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        lam = checked_number("lam", self.lam, above=0.0)
        levels = np.array([lam])
        solution = solve_one_class(
            problem.columns, problem.upper, levels,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        self.lambda_max_ = lambda_oc(problem.columns, problem.upper)
        self.alpha_ = self._keep_verified(problem, solution, levels)
        self.level_ = lam
        self.family_ = one_class_family(
            problem,
            levels=levels,
            coefficients=solution.alpha,
            offsets=levels,
            domain=(lam, lam),
            open_below=False,
            is_nested=True,
        )
