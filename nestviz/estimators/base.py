"""What all estimators share: parameters to kernels and weights, answers at one level."""

from __future__ import annotations

import warnings
from numbers import Integral, Real
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted, validate_data

from nestviz.arrays import FloatArray
from nestviz.families import SetFamily
from nestviz.kernels import (
    GaussianKernel,
    Kernel,
    PolynomialKernel,
    PrecomputedKernel,
    auto_sigma,
    median_distance,
)
from nestviz.solvers.merge import Merged
from nestviz.volume.bandwidth import miv_search


class FamilyEstimator(BaseEstimator):
    """An estimator whose result is a `SetFamily`, and that answers yes or no at one of its levels.

    After ``fit``: ``family_``, and ``level_``, the level at which `decision_function` and
    `predict` answer.
    """

    sigma: float | str
    family_: SetFamily
    level_: float

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """g at ``level_``: zero on the boundary, positive inside the set, negative outside."""
        check_is_fitted(self)
        return self.family_.values(self._checked_points(X, reset=False), self.level_)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """+1 inside the set at ``level_`` or on its boundary, −1 outside."""
        return np.where(self.decision_function(X) >= 0, 1, -1)

    def _checked_points(self, X: ArrayLike, *, reset: bool) -> FloatArray:
        points: FloatArray = validate_data(self, X, reset=reset, dtype=np.float64)
        return points

    def _width(self, points: FloatArray) -> float:
        """The Gaussian width as a number: given, or found from the points."""
        if isinstance(self.sigma, str) and self.sigma.startswith("miv"):
            margin = miv_margin(self.sigma)
            return self._miv_sigma(points, margin)
        return resolve_sigma(self.sigma, points)

    def _miv_sigma(self, points: FloatArray, margin: float | None) -> float:
        """Search the width of least integrated volume for this estimator's sets, and keep it."""
        search = miv_search(points, self, margin)
        self.bandwidth_search_ = search.without_curves()
        return search.sigma


class KernelEstimator(FamilyEstimator):
    """A family estimator with a choice of kernels: parameters sigma, kernel, degree."""

    kernel: str
    degree: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags

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
    if kernel.nonnegative:
        return
    raise ValueError(
        "Nested sets need a kernel that is never negative (Lee & Scott 2010, Propositions 1 and "
        "2), and this one can be: coefficients that grow would then not make sets that grow. Use "
        "a Gaussian kernel, a polynomial one of even degree, or a precomputed matrix without "
        "negative entries."
    )


def checked_weights(sample_weight: ArrayLike | None, n: int) -> FloatArray:
    """One weight per point: finite, not negative, not all zero."""
    if sample_weight is None:
        return np.ones(n)
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.ndim == 0:
        weights = np.full(n, float(weights))
    if weights.shape != (n,):
        raise ValueError(f"sample_weight must hold one number for each of the {n} points.")
    if not np.all(np.isfinite(weights)) or weights.min() < 0:
        raise ValueError("sample_weight must hold finite numbers that are not negative.")
    if not weights.max() > 0:
        raise ValueError("sample_weight must not be zero for all points.")
    return weights


def warn_if_stopped(converged: bool, what: str) -> None:
    """Say that a result is feasible but not optimal."""
    if not converged:
        warnings.warn(
            f"{what} stopped before it converged. The result is feasible, but not optimal to "
            f"the tolerance asked for: its certificate says how far off it may be.",
            ConvergenceWarning,
            stacklevel=3,
        )


def miv_margin(sigma: str) -> float | None:
    """The margin of the box in ``"miv"`` (none given) or ``"miv:0.5"``."""
    rule, colon, number = sigma.partition(":")
    if rule == "miv" and not colon:
        return None
    try:
        margin = float(number)
    except ValueError:
        margin = np.nan
    if rule != "miv" or not (np.isfinite(margin) and margin >= 0):
        raise ValueError(
            f"sigma must be a positive number, 'auto', 'median' or 'miv', not {sigma!r}. After "
            "'miv' there may be a colon and the margin of the box, as in 'miv:0.5'."
        )
    return margin


def resolve_sigma(sigma: Any, X: FloatArray) -> float:
    """Return the Gaussian width as a number: given, or by a rule for these points."""
    if isinstance(sigma, str):
        rules = {"auto": auto_sigma, "median": median_distance}
        if sigma in rules:
            return rules[sigma](X)
        raise ValueError(
            f"sigma must be a positive number, 'auto', 'median' or 'miv', not {sigma!r}."
        )
    return checked_number("sigma", sigma, above=0.0)


def checked_number(
    name: str, value: Any, *, above: float = -np.inf, at_most: float = np.inf
) -> float:
    """A finite number in (above, at_most], or a sentence that says what is wrong."""
    if isinstance(value, Real) and not isinstance(value, bool):
        number = float(value)
        if np.isfinite(number) and above < number <= at_most:
            return number
    room = f" above {above:g}" if np.isfinite(above) else ""
    room += f" and at most {at_most:g}" if np.isfinite(at_most) else ""
    raise ValueError(f"{name} must be a finite number{room}, not {value!r}.")


def rows_at(levels: ArrayLike, nodes: FloatArray, rows: FloatArray) -> FloatArray:
    """Interpolate rows between ascending nodes; beyond the nodes they stay constant."""
    wanted = np.clip(np.atleast_1d(np.asarray(levels, dtype=np.float64)), nodes[0], nodes[-1])
    if len(nodes) == 1:
        return np.repeat(rows, wanted.size, axis=0)
    after = np.clip(np.searchsorted(nodes, wanted), 1, len(nodes) - 1)
    share = ((wanted - nodes[after - 1]) / (nodes[after] - nodes[after - 1]))[:, None]
    return rows[after - 1] * (1.0 - share) + rows[after] * share


def whole_number(name: str, value: Any) -> int:
    """A whole number from 1 up, or a sentence that says what is wrong."""
    if isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 1:
        return int(value)
    raise ValueError(f"{name} must be a whole number from 1 up, not {value!r}.")


def first_original(merged: Merged) -> NDArray[np.intp]:
    """For each distinct point the first of the points it stands for."""
    return np.unique(merged.inverse, return_index=True)[1]


class Certified(Protocol):
    """What every solver's solution says of itself."""

    @property
    def objective(self) -> float:
        """The dual objective."""

    @property
    def kkt_residual(self) -> float:
        """Violation of the optimality conditions."""

    @property
    def duality_gap(self) -> float:
        """Primal minus dual, relative."""

    @property
    def n_iter(self) -> int:
        """Rounds."""

    @property
    def converged(self) -> bool:
        """Whether both are within the tolerance."""


def keep_certificate(estimator: Any, solution: Certified) -> None:
    """Keep what the solver says of its solution, under the names all estimators share."""
    for name in ("objective", "kkt_residual", "duality_gap", "n_iter", "converged"):
        setattr(estimator, f"{name}_", getattr(solution, name))
