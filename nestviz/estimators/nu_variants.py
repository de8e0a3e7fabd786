"""One-class SVMs that know something of the other class (problems 8.10 and 8.11)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_array

from nestviz.arrays import FloatArray
from nestviz.estimators.base import checked_weights, warn_if_stopped
from nestviz.estimators.nu_one_class import NuOneClassSVM
from nestviz.estimators.nu_problem import columns_on_demand
from nestviz.estimators.one_class_problem import Problem
from nestviz.kernels import Kernel
from nestviz.solvers.box_sum.nu_one_class import solve_nu_one_class
from nestviz.solvers.derived_columns import CentredColumns, ReflectedColumns
from nestviz.solvers.merge import merge_duplicates

CHUNK = 1 << 22
"""Kernel values held at once while they are averaged."""


class ReflectedOneClassSVM(NuOneClassSVM):
    """A one-class SVM that knows some outliers (Schölkopf & Smola 2002, problem 8.10).

    ::

        min_α  ½ Σ_ij α_i α_j y_i y_j k(x_i, x_j)     subject to 0 ≤ α_i ≤ 1/(νm),  Σ_i α_i = 1

    over the wanted points (y_i = 1) and the known outliers (y_i = −1), which are reflected at the
    origin of the feature space (8.42–8.44). The set is {x : Σ_i α_i y_i k(x_i, x) ≥ ρ} (8.45).
    Wanted points are to lie beyond ρ, known outliers below −ρ, and ν bounds the fraction of all
    points that do not. Without known outliers it is `NuOneClassSVM`.

    Parameters
    ----------
    sigma, nu, outlier_fraction, kernel, degree, tol, max_iter
        As in `NuOneClassSVM`; ``outlier_fraction`` counts wanted points only. A precomputed kernel
        cannot be combined with known outliers.

    Attributes
    ----------
    alpha_ : (1, N + T) array
        Coefficients, those of the known outliers last.
    family_, level_, rho_, tolerance_, support_, objective_, n_iter_, converged_
        As in `NuOneClassSVM`.
    kkt_residual_, duality_gap_ : float
        Certificate, recomputed from the coefficients.

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
        callback: Any = None,
        outliers: ArrayLike | None = None,
    ) -> ReflectedOneClassSVM:
        """Solve at ``nu``; ``y`` is ignored, ``outliers`` are points known to be outside.

        Weights are those of the wanted points; a known outlier counts as much as a wanted point of
        weight one.
        """
        if outliers is None:
            super().fit(X, sample_weight=sample_weight, callback=callback)
            return self
        nu = self._checked_nu()
        problem, labels = self._signed_problem(X, sample_weight, outliers)
        solution = solve_nu_one_class(
            problem.columns, problem.upper / nu,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        solution = self._verified(problem, solution, nu)
        self._keep_solution(problem, solution, nu, solution.field, solution.rho)
        self._keep_order(solution.field, np.where(labels > 0, problem.upper, 0.0))
        self.level_ = self._chosen_offset()
        self.family_ = self._offset_family(
            problem,
            coefficients=(solution.alpha * labels)[None],
            domain=(-np.inf, np.inf),
            open_below=False,
        )
        warn_if_stopped(self.converged_, "The one-class SVM with known outliers")
        return self

    def _signed_problem(
        self, X: ArrayLike, sample_weight: ArrayLike | None, outliers: ArrayLike
    ) -> tuple[Problem, FloatArray]:
        """Wanted points and known outliers as one problem, and the sign of each distinct point."""
        points = self._checked_points(X, reset=True)
        weights = checked_weights(sample_weight, len(points))
        known = self._other_points(outliers, "outliers", points)
        kernel = self._make_kernel(points[weights > 0])
        labels = np.repeat([1.0, -1.0], [len(points), len(known)])
        merged = merge_duplicates(
            np.concatenate([points, known]), labels, np.concatenate([weights, np.ones(len(known))])
        )
        assert merged.y is not None
        columns = ReflectedColumns(columns_on_demand(kernel, merged.X), merged.y)
        upper = merged.weights / merged.weights.sum()
        return Problem(kernel, columns, upper, merged), merged.y

    def _other_points(self, Z: ArrayLike, name: str, points: FloatArray) -> FloatArray:
        if self.kernel == "precomputed":
            raise ValueError(
                f"{name} are points, and a precomputed kernel knows only the values between the "
                f"training points. Use a kernel given by its name."
            )
        others: FloatArray = check_array(Z, dtype=np.float64, input_name=name)
        if others.shape[1] != points.shape[1]:
            raise ValueError(
                f"{name} have {others.shape[1]} features, but X has {points.shape[1]}: give the "
                f"same features in the same order."
            )
        return others


class CentredOneClassSVM(ReflectedOneClassSVM):
    """A one-class SVM that separates from the mean of other points (2002, problem 8.11).

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
    sigma, nu, outlier_fraction, kernel, degree, tol, max_iter
        As in `NuOneClassSVM`. A precomputed kernel cannot be combined with other points.

    Attributes
    ----------
    family_, level_, alpha_, rho_, tolerance_, support_, objective_, n_iter_, converged_
        As in `NuOneClassSVM`; ``objective_`` is (8.49).
    kkt_residual_, duality_gap_ : float
        Certificate, recomputed from the coefficients.

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
        callback: Any = None,
        others: ArrayLike | None = None,
    ) -> CentredOneClassSVM:
        """Solve at ``nu``; ``y`` is ignored, ``others`` are the points to separate from."""
        if others is None:
            super().fit(X, sample_weight=sample_weight, callback=callback)
            return self
        nu = self._checked_nu()
        plain = self._problem(X, sample_weight)
        Z = self._other_points(others, "others", plain.centres)
        means = _mean_values(plain.kernel, plain.centres, Z)
        mean = float(_mean_values(plain.kernel, Z, Z).mean())
        problem = plain._replace(columns=CentredColumns(plain.columns, means, mean))
        solution = solve_nu_one_class(
            problem.columns, problem.upper / nu,
            tol=self.tol, max_iter=self.max_iter, callback=callback,
        )  # fmt: skip
        solution = self._verified(problem, solution, nu)
        self._keep_solution(problem, solution, nu, solution.field, solution.rho)
        self.level_ = self._chosen_offset()
        shift = float(solution.alpha @ means) - mean
        self.family_ = self._offset_family(
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
    """The mean of k(a, z) over z for each row of A."""
    step = max(1, CHUNK // len(Z))
    parts = [kernel.gram(A[k : k + step], Z).mean(axis=1) for k in range(0, len(A), step)]
    return np.concatenate(parts)
