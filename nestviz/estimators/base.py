"""What all estimators share: parameters to kernels and weights, answers at one level."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from nestviz.arrays import FloatArray
from nestviz.estimators.checks import checked_weights, miv_margin, resolve_sigma
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel, Kernel, PolynomialKernel, PrecomputedKernel
from nestviz.solvers.columns import Columns, StoredMatrix, columns_of
from nestviz.solvers.merge import Merged, merge_duplicates
from nestviz.solvers.verification import verifying_columns
from nestviz.volume.bandwidth import miv_search


def _all_or_nothing(fit: Callable[..., Any]) -> Callable[..., Any]:
    """Return a ``fit`` that leaves the estimator as it was when it fails or is interrupted."""

    @wraps(fit)
    def whole(self: Any, *data: Any, **options: Any) -> Any:
        before = dict(vars(self))
        try:
            return fit(self, *data, **options)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    return whole


class FamilyEstimator(BaseEstimator):
    """An estimator whose result is a `SetFamily`, and that answers at one of its levels.

    After ``fit``: ``family_``, and ``level_``, the level at which `decision_function` and
    `predict` answer.
    """

    sigma: float | str
    family_: SetFamily
    level_: float

    def __init_subclass__(cls, **options: Any) -> None:
        if "fit" in vars(cls):
            cls.fit = _all_or_nothing(vars(cls)["fit"])
        super().__init_subclass__(**options)

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Return g at ``level_``: positive inside the set, zero on its boundary.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.

        Returns
        -------
        ndarray of shape (n_points,)
            Values of g.
        """
        check_is_fitted(self)
        return self.family_.values(self._checked_points(X, reset=False), self.level_)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return +1 inside the set at ``level_`` and on its boundary, −1 outside.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.

        Returns
        -------
        ndarray of shape (n_points,)
            +1 or −1.
        """
        return np.where(self.decision_function(X) >= 0, 1, -1)

    def coefficients(self, levels: ArrayLike) -> FloatArray:
        """Return the coefficients of the training points at some levels.

        Parameters
        ----------
        levels : ndarray of shape (n_levels,)
            Levels of ``family_``; beyond those solved for the coefficients stay constant.

        Returns
        -------
        ndarray of shape (n_levels, n_points)
            Coefficients of the points in the order in which they were given.
        """
        check_is_fitted(self)
        return self._coefficients(np.atleast_1d(np.asarray(levels, dtype=np.float64)))

    def _coefficients(self, levels: FloatArray) -> FloatArray:
        """Return one row per level; by default the same row at every level."""
        return np.repeat(vars(self)["alpha_"], levels.size, axis=0)

    def _checked_points(self, X: ArrayLike, *, reset: bool) -> FloatArray:
        points: FloatArray = validate_data(self, X, reset=reset, dtype=np.float64, order="C")
        return points

    def _width(self, points: FloatArray) -> float:
        """Return the Gaussian width as a number: given, or found from the points."""
        if isinstance(self.sigma, str) and self.sigma.startswith("miv"):
            return self._miv_sigma(points, miv_margin(self.sigma))
        return resolve_sigma(self.sigma, points)

    def _miv_sigma(self, points: FloatArray, margin: float | None) -> float:
        """Search the width of least integrated volume for this estimator's sets, and keep it."""
        search = miv_search(points, self, margin)
        self.bandwidth_search_ = search.without_curves()
        return search.sigma


class Problem(NamedTuple):
    """Distinct points with weights and classes, their kernel matrix, and the way back."""

    kernel: Kernel
    columns: Columns
    merged: Merged

    @property
    def centres(self) -> FloatArray:
        """The distinct points."""
        return self.merged.X

    @property
    def weights(self) -> FloatArray:
        """Their weights."""
        return self.merged.weights

    @property
    def upper(self) -> FloatArray:
        """Their weights, divided by the sum: the bounds u_i of one-class problems."""
        return self.merged.weights / self.merged.weights.sum()

    @property
    def y(self) -> FloatArray:
        """Their classes, −1 and +1."""
        assert self.merged.y is not None
        return self.merged.y

    def reweighted(self, weights: FloatArray) -> Problem:
        """Return the problem of the same points with other weights, one for each point given.

        Points without weight are left out; the rest of the kernel matrix is taken as it is.
        """
        merged = self.merged
        total = np.zeros(len(merged.X))
        np.add.at(total, merged.inverse, weights)
        used = np.flatnonzero(total > 0)
        points = np.ascontiguousarray(merged.X[used])
        columns = (
            StoredMatrix(self.columns.block(used))
            if isinstance(self.columns, StoredMatrix)
            else columns_of(self.kernel, points)
        )
        y = None if merged.y is None else merged.y[used]
        alone = Merged(points, y, total[used], np.arange(used.size), np.ones(used.size))
        return Problem(self.kernel, columns, alone)

    @property
    def verifying(self) -> Columns:
        """The kernel matrix computed in another way, for certificates."""
        return verifying_columns(self.kernel, self.merged.X, self.columns)


class KernelEstimator(FamilyEstimator):
    """A family estimator with a choice of kernels: parameters sigma, kernel, degree."""

    kernel: str
    degree: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

    def _posed(
        self,
        points: FloatArray,
        sample_weight: ArrayLike | None,
        signs: FloatArray | None = None,
        kernel: Kernel | None = None,
    ) -> Problem:
        """Merge points that coincide, within their class, and take their kernel matrix."""
        weights = checked_weights(sample_weight, len(points))
        if self.kernel == "precomputed":
            # Coincident points cannot be seen from their values alone: each stands for itself.
            alone = np.arange(len(points))
            merged = Merged(points, signs, weights, alone, np.ones(len(points)))
            return Problem(self._make_kernel(points), StoredMatrix(points), merged)
        kernel = kernel or self._make_kernel(points[weights > 0])
        merged = merge_duplicates(points, signs, weights)
        return Problem(kernel, self._columns(kernel, merged.X), merged)

    def _columns(self, kernel: Kernel, X: FloatArray) -> Columns:
        return columns_of(kernel, X)

    def _make_kernel(self, points: FloatArray) -> Kernel:
        if self.kernel == "gaussian":
            self.sigma_ = self._width(points)
            return GaussianKernel(self.sigma_)
        if self.kernel == "polynomial":
            if not isinstance(self.degree, (int, np.integer)) or self.degree < 1:
                raise ValueError(f"degree must be a whole number from 1 up, not {self.degree!r}.")
            return _finite(PolynomialKernel(int(self.degree)), points)
        if self.kernel == "precomputed":
            return PrecomputedKernel.of(points)
        raise ValueError(
            f"kernel must be 'gaussian', 'polynomial' or 'precomputed', not {self.kernel!r}."
        )


def _finite(kernel: Kernel, points: FloatArray) -> Kernel:
    """Refuse points whose kernel values are beyond the largest number."""
    with np.errstate(over="ignore"):
        lengths = kernel.diagonal(points)
    if not np.all(np.isfinite(lengths)):
        raise ValueError(
            f"The polynomial kernel of row {int(np.flatnonzero(~np.isfinite(lengths))[0])} with "
            f"itself is beyond the largest number. Scale the features, or take a smaller degree."
        )
    return kernel


def check_nonnegative(kernel: Kernel) -> None:
    """Refuse a kernel for which nesting is not guaranteed."""
    if not kernel.nonnegative:
        raise ValueError(
            "Nested sets need a kernel that is never negative (Lee & Scott 2010, Propositions 1 "
            "and 2), and this one can be: coefficients that grow would then not make sets that "
            "grow. Use a Gaussian kernel, a polynomial one of even degree, or a precomputed matrix "
            "without negative entries."
        )


def warn_if_stopped(converged: bool, what: str) -> None:
    """Warn that a result is feasible but not optimal."""
    if not converged:
        warnings.warn(
            f"{what} stopped before it converged. The result is feasible, but not optimal to "
            f"the tolerance asked for: its certificate says how far off it may be.",
            ConvergenceWarning,
            stacklevel=3,
        )


def rows_at(levels: FloatArray, nodes: FloatArray, rows: FloatArray) -> FloatArray:
    """Interpolate rows between ascending nodes; beyond the nodes they stay constant."""
    wanted = np.clip(levels, nodes[0], nodes[-1])
    if len(nodes) == 1:
        return np.repeat(rows, wanted.size, axis=0)
    after = np.clip(np.searchsorted(nodes, wanted), 1, len(nodes) - 1)
    share = ((wanted - nodes[after - 1]) / (nodes[after] - nodes[after - 1]))[:, None]
    return rows[after - 1] * (1.0 - share) + rows[after] * share


CERTIFICATE = ("objective", "kkt_residual", "duality_gap", "n_iter", "converged")
"""What every solution says about itself; estimators keep it with a trailing underscore."""


def keep_certificate(estimator: Any, solution: Any) -> None:
    """Keep the certificate of a solution under the names all estimators share."""
    for name in CERTIFICATE:
        setattr(estimator, f"{name}_", getattr(solution, name))
