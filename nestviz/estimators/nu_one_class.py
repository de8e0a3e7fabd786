"""The one-class SVM in its ν form, alone or between one-class SVM and Parzen windows."""

from __future__ import annotations

from nestviz.estimators.base import Problem
from nestviz.estimators.nu_problem import NuEstimator
from nestviz.solvers.records import Callback


class NuOneClassSVM(NuEstimator):
    """One-class SVM in its ν form (Schölkopf & Smola 2002, eqs. 8.6–8.16).

    ::

        min_α  ½ Σ_ij α_i α_j k(x_i, x_j)     subject to 0 ≤ α_i ≤ 1/(νm),  Σ_i α_i = 1

    and the set is {x : Σ_i α_i k(x_i, x) ≥ ρ}. ν is an upper bound on the fraction of outliers and
    a lower bound on the fraction of support vectors, if ρ ≠ 0 (Proposition 8.3). The set is that of
    `OneClassSVM` at λ = νρ, with all coefficients divided by ν.

    ``family_`` keeps the coefficients and moves the offset, as in figure 8.6: with ν = 1 its sets
    are those of `ParzenLevelSets`, with ν < 1 they are in between.

    Parameters
    ----------
    sigma : float or str
        Width of the Gaussian kernel, or a rule, as in `OneClassSVM`.
    nu : float
        ν in (0, 1].
    level : float, optional
        The offset at which `decision_function` and `predict` answer; by default ρ.
    outlier_fraction : float, optional
        The same offset by a fraction ν' in [0, 1): the highest offset that leaves out no more than
        this fraction of the training points.
    kernel, degree, tol, max_iter : str, int, float, int
        As in `OneClassSVM`.

    Attributes
    ----------
    family_ : SetFamily
        The sets {x : Σ_i α_i k(x_i, x) ≥ θ} over the offset θ.
    level_, offset_ : float
        The offset in use: ρ − ``tolerance_`` unless another one is asked for;
        ``decision_function = score_samples - offset_``.
    alpha_ : ndarray of shape (1, n_points)
        Coefficients.
    support_ : ndarray of shape (n_support,)
        Rows of the training points with a coefficient.
    rho_ : float
        ρ, the value of the margin points (8.16), and for any coefficients the ν-quantile of the
        field: no more than a share ν of the points lies below it.
    tolerance_ : float
        How far below ρ a point inside may lie, by rounding and the accuracy of the solution; a
        millionth of the range of the field at most.
    objective_ : float
        The dual objective (8.13).
    kkt_residual_, duality_gap_, n_iter_, converged_
        As in `OneClassSVM`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [3.0]])
    >>> NuOneClassSVM(sigma=0.5, nu=0.7).fit(X).predict(X)
    array([ 1,  1,  1, -1])
    """

    _title = "The ν one-class SVM"

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        solution = self._solved(problem, callback)
        self._keep_solution(problem, solution, solution.field, solution.rho)
        self._keep_offset_family(problem, coefficients=solution.alpha[None])
