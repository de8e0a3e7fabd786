"""The one-class SVM at one level."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.estimators.base import (
    checked_number,
    warn_if_stopped,
)
from nestviz.estimators.one_class_problem import (
    OneClassEstimator,
)
from nestviz.solvers.nested.limits import lambda_oc
from nestviz.solvers.nested.solve import solve_one_class


class OneClassSVM(OneClassEstimator):
    """The one-class SVM at one level λ (Lee & Scott 2010, eq. 5).

    ::

        min_α  1/(2λ) Σ_ij α_i α_j k(x_i, x_j) − Σ_i α_i     subject to 0 ≤ α_i ≤ 1/N

    and the set is {x : Σ_i α_i k(x_i, x) ≥ λ}.

    Parameters
    ----------
    sigma : float, "median" or "miv"
        Width of the Gaussian kernel; "miv" takes the one of least integrated volume
        (`nestviz.volume.select_bandwidth` with seed 0), "miv:0.5" the same in a box with that
        margin.
    lam : float
        The level λ > 0. From ``lambda_max_`` on, nothing changes any more.
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
        A family of this one set.
    alpha_ : (1, N) array
        Coefficients.
    objective_ : float
        The dual objective above.
    kkt_residual_, duality_gap_ : float
        Certificate, recomputed from the coefficients.
    n_iter_ : int
        Rounds of the solver.
    converged_ : bool
        Whether the certificate is within ``tol``.
    lambda_max_ : float
        The λ from which on all coefficients are at their bound (appendix C).

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [3.0]])
    >>> OneClassSVM(sigma=0.5, lam=0.5).fit(X).predict([[0.1], [3.0]])
    array([ 1, -1])
    """

    def __init__(
        self,
        sigma: float | str = "median",
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

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        callback: Any = None,
    ) -> OneClassSVM:
        """Solve at ``lam``; ``y`` is ignored, weights scale the upper bounds."""
        lam = checked_number("lam", self.lam, above=0.0)
        problem = self._problem(X, sample_weight)
        levels = np.array([lam])
        solution = solve_one_class(
            problem.columns, problem.upper, levels,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        self.lambda_max_ = lambda_oc(problem.columns, problem.upper)
        self._keep_verified(problem, solution, levels)
        self.alpha_ = self._of_all_points(problem, solution.alpha, levels)
        self.level_ = lam
        self.family_ = self._one_class_family(
            problem,
            levels=levels,
            coefficients=solution.alpha,
            offsets=levels,
            domain=(lam, lam),
            open_below=False,
            is_nested=True,
        )
        warn_if_stopped(self.converged_, "The one-class SVM")
        return self
