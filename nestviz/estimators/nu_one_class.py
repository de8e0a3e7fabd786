"""The one-class SVM in its ν form, alone or between one-class SVM and Parzen windows."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from nestviz.estimators.base import warn_if_stopped
from nestviz.estimators.nu_problem import NuEstimator
from nestviz.solvers.box_sum.nu_one_class import solve_nu_one_class


class NuOneClassSVM(NuEstimator):
    """The one-class SVM in its ν form (Schölkopf & Smola 2002, eqs. 8.6–8.16).

    ::

        min_α  ½ Σ_ij α_i α_j k(x_i, x_j)     subject to 0 ≤ α_i ≤ 1/(νm),  Σ_i α_i = 1

    and the set is {x : Σ_i α_i k(x_i, x) ≥ ρ}. ν is an upper bound on the fraction of outliers and
    a lower bound on the fraction of support vectors, if ρ ≠ 0 (Proposition 8.3). The set is that of
    `OneClassSVM` at λ = νρ, with all coefficients divided by ν.

    ``family_`` keeps the coefficients and moves the offset, as in figure 8.6: with ν = 1 its sets
    are those of `ParzenLevelSets`, with ν < 1 they are in between.

    Parameters
    ----------
    sigma : float, "median" or "miv"
        Width of the Gaussian kernel; "miv" takes the one of least integrated volume
        (`nestviz.volume.select_bandwidth` with seed 0), "miv:0.5" the same in a box with that
        margin.
    nu : float
        ν in (0, 1].
    outlier_fraction : float, optional
        ν' in [0, 1): `predict` then answers at the highest offset that leaves out no more than this
        fraction of the training points, instead of at ρ.
    kernel : {"gaussian", "polynomial", "precomputed"}
        The kernel k.
    degree : int
        Degree of the polynomial kernel.
    tol : float
        Relative duality gap at which the solver stops, positive; ρ hardly depends on it.
    max_iter : int
        Rounds after which it stops in any case.

    Attributes
    ----------
    family_ : SetFamily
        The sets {x : Σ_i α_i k(x_i, x) > θ} over the offset θ.
    level_ : float
        The offset in use: ρ − ``tolerance_``, or the one of ``outlier_fraction``.
    alpha_ : (1, N) array
        Coefficients.
    support_ : array
        Rows of the training points with a coefficient.
    rho_ : float
        ρ, the value of the margin points (8.16), and for any coefficients the ν-quantile of the
        field: no more than a share ν of the points lies below it.
    tolerance_ : float
        How far below ρ a point that belongs inside may lie, by rounding and the accuracy of the
        solution; a millionth of the range of the field at most.
    objective_ : float
        The dual objective (8.13).
    kkt_residual_, duality_gap_ : float
        Certificate, recomputed from the coefficients.
    n_iter_ : int
        Rounds of the solver.
    converged_ : bool
        Whether the certificate is within ``tol``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [3.0]])
    >>> NuOneClassSVM(sigma=0.5, nu=0.7).fit(X).predict(X)
    array([ 1,  1,  1, -1])
    """

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        callback: Any = None,
    ) -> NuOneClassSVM:
        """Solve at ``nu``; ``y`` is ignored, weights scale the upper bounds."""
        nu = self._checked_nu()
        problem = self._problem(X, sample_weight)
        solution = solve_nu_one_class(
            problem.columns, problem.upper / nu,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        solution = self._verified(problem, solution, nu)
        self._keep_solution(problem, solution, nu, solution.field, solution.rho)
        self.level_ = self._chosen_offset()
        self.family_ = self._offset_family(problem, coefficients=solution.alpha[None])
        warn_if_stopped(self.converged_, "The ν one-class SVM")
        return self
