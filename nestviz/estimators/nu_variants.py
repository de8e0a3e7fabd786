"""One-class SVMs with points of the other class (problems 8.10 and 8.11)."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_array

from nestviz.arrays import FloatArray
from nestviz.distances import inner
from nestviz.estimators.base import Problem, warn_if_stopped
from nestviz.estimators.checks import checked_weights
from nestviz.estimators.nu_one_class import NuOneClassSVM
from nestviz.kernels import Kernel
from nestviz.solvers.derived_columns import CentredColumns, ReflectedColumns
from nestviz.solvers.records import Callback

CHUNK = 1 << 22
"""Kernel values in memory at once while they are averaged."""


class ReflectedOneClassSVM(NuOneClassSVM):
    """One-class SVM with some known outliers (Schölkopf & Smola 2002, problem 8.10).

    ::

        min_α  ½ Σ_ij α_i α_j y_i y_j k(x_i, x_j)     subject to 0 ≤ α_i ≤ 1/(νm),  Σ_i α_i = 1

    over the normal points (y_i = 1) and the known outliers (y_i = −1), which are reflected at the
    origin of the feature space (8.42–8.44). The set is {x : Σ_i α_i y_i k(x_i, x) ≥ ρ} (8.45).
    Normal points should lie beyond ρ, known outliers below −ρ, and ν bounds the fraction of all
    points that do not. Without known outliers it is `NuOneClassSVM`.

    Parameters
    ----------
    sigma, nu, level, outlier_fraction : float or str, float, float, float
        As in `NuOneClassSVM`; ``outlier_fraction`` counts normal points only.
    kernel, degree, tol, max_iter : str, int, float, int
        As in `OneClassSVM`. A precomputed kernel cannot be combined with known outliers.

    Attributes
    ----------
    alpha_ : ndarray of shape (1, n_points + n_outliers)
        Coefficients, those of the known outliers last.
    family_, level_, offset_, rho_, tolerance_, support_
        As in `NuOneClassSVM`.
    objective_, kkt_residual_, duality_gap_, n_iter_, converged_
        As in `OneClassSVM`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.2], [0.4], [2.0], [2.2], [2.4]])
    >>> model = ReflectedOneClassSVM(sigma=1.5, nu=0.3)
    >>> model.fit(X).predict([[1.2]]), model.fit(X, outliers=[[1.2]]).predict([[1.2]])
    (array([1]), array([-1]))
    """

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        callback: Callback | None = None,
        outliers: ArrayLike | None = None,
    ) -> Self:
        """Fit the set to normal points and known outliers.

        Parameters
        ----------
        X, y, sample_weight, callback : ndarray, object, ndarray, callable
            As in `NuOneClassSVM`, for the normal points; a known outlier has weight 1.
        outliers : ndarray of shape (n_outliers, n_features), optional
            Points that should be outside.

        Returns
        -------
        self
            The fitted estimator.
        """
        if outliers is None:
            super().fit(X, sample_weight=sample_weight, callback=callback)
            return self
        plain = self._signed_problem(X, sample_weight, outliers)
        problem = plain._replace(columns=ReflectedColumns(plain.columns, plain.y))
        solution = self._solved(problem, callback)
        self._keep_solution(problem, solution, solution.field, solution.rho)
        self._keep_order(solution.field, np.where(problem.y > 0, problem.upper, 0.0))
        self._keep_offset_family(
            problem,
            coefficients=(solution.alpha * problem.y)[None],
            domain=(-np.inf, np.inf),
            open_below=False,
        )
        warn_if_stopped(self.converged_, "The one-class SVM with known outliers")
        return self

    def _signed_problem(
        self, X: ArrayLike, sample_weight: ArrayLike | None, outliers: ArrayLike
    ) -> Problem:
        """Pose normal points (+1) and known outliers (−1) as one problem."""
        points = self._checked_points(X, reset=True)
        known = self._other_points(outliers, "outliers", points)
        weights = checked_weights(sample_weight, len(points))
        return self._posed(
            np.concatenate([points, known]),
            np.concatenate([weights, np.ones(len(known))]),
            np.repeat([1.0, -1.0], [len(points), len(known)]),
            self._make_kernel(points[weights > 0]),
        )

    def _other_points(self, Z: ArrayLike, name: str, points: FloatArray) -> FloatArray:
        if self.kernel == "precomputed":
            raise ValueError(
                f"{name} are points, and a precomputed kernel has only the values between the "
                f"training points. Use a kernel given by its name."
            )
        others: FloatArray = check_array(Z, dtype=np.float64, order="C", input_name=name)
        if others.shape[1] != points.shape[1]:
            raise ValueError(
                f"{name} have {others.shape[1]} features, but X has {points.shape[1]}: give the "
                f"same features in the same order."
            )
        return others


class CentredOneClassSVM(ReflectedOneClassSVM):
    """One-class SVM that separates from the mean of other points (2002, problem 8.11).

    ::

        min_α  ½ Σ_ij α_i α_j (k(x_i, x_j) + q − q_i − q_j)
        subject to 0 ≤ α_i ≤ 1/(νm),  Σ_i α_i = 1

    with q the mean of k(z_n, z_p) and q_i that of k(x_i, z_n) over the other points z (8.49–8.51):
    the origin of the feature space is moved to their mean. They stand for the other class in a
    weak sense; none of them has to be outside. The set is
    {x : ⟨w, Φ(x) − mean Φ(z)⟩ ≥ ρ} (8.48). Without other points it is `NuOneClassSVM`. From the
    mean of the training points themselves nothing can be separated: α_i = 1/m is feasible at every
    ν and gives w = 0 (the problem suggests one-sided quantiles; the dual as stated gives none).

    Parameters
    ----------
    sigma, nu, level, outlier_fraction : float or str, float, float, float
        As in `NuOneClassSVM`.
    kernel, degree, tol, max_iter : str, int, float, int
        As in `OneClassSVM`. A precomputed kernel cannot be combined with other points.

    Attributes
    ----------
    family_, level_, offset_, alpha_, rho_, tolerance_, support_
        As in `NuOneClassSVM`.
    objective_, kkt_residual_, duality_gap_, n_iter_, converged_
        As in `OneClassSVM`; ``objective_`` is (8.49).

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.5], [1.0], [1.5], [2.0]])
    >>> model = CentredOneClassSVM(sigma=1.0, nu=0.3).fit(X, others=[[3.0], [3.5]])
    >>> model.predict([[0.0], [2.5]])
    array([ 1, -1])
    """

    def fit(
        self,
        X: ArrayLike,
        y: Any = None,
        sample_weight: ArrayLike | None = None,
        callback: Callback | None = None,
        others: ArrayLike | None = None,
    ) -> Self:
        """Fit the set to points, away from the mean of other points.

        Parameters
        ----------
        X, y, sample_weight, callback : ndarray, object, ndarray, callable
            As in `NuOneClassSVM`.
        others : ndarray of shape (n_others, n_features), optional
            The points to separate from.

        Returns
        -------
        self
            The fitted estimator.
        """
        if others is None:
            super().fit(X, sample_weight=sample_weight, callback=callback)
            return self
        plain = self._posed(self._checked_points(X, reset=True), sample_weight)
        Z = self._other_points(others, "others", plain.centres)
        means = _mean_values(plain.kernel, plain.centres, Z)
        mean = float(_mean_values(plain.kernel, Z, Z).mean())
        problem = plain._replace(columns=CentredColumns(plain.columns, means, mean))
        solution = self._solved(problem, callback)
        self._keep_solution(problem, solution, solution.field, solution.rho)
        shift = inner(solution.alpha, means) - mean
        self._keep_offset_family(
            problem,
            centres=np.concatenate([plain.centres, Z]),
            coefficients=np.append(solution.alpha, np.full(len(Z), -1.0 / len(Z)))[None],
            offsets=np.array([self.rho_ + shift]),
            domain=(-np.inf, np.inf),
            open_below=False,
        )
        warn_if_stopped(self.converged_, "The centred one-class SVM")
        return self


def _mean_values(kernel: Kernel, A: FloatArray, Z: FloatArray) -> FloatArray:
    """Return the mean of k(a, z) over z for each row of A."""
    step = max(1, CHUNK // len(Z))
    parts = [kernel.gram(A[k : k + step], Z).mean(axis=1) for k in range(0, len(A), step)]
    return np.concatenate(parts)
