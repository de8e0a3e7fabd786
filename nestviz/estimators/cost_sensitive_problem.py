"""What the cost-sensitive SVMs share: two classes, no offset, answers at one asymmetry."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from nestviz.arrays import FloatArray
from nestviz.estimators.base import (
    KernelEstimator,
    checked_number,
    checked_weights,
    keep_certificate,
)
from nestviz.families import SetFamily
from nestviz.kernels import Kernel
from nestviz.solvers.columns import Columns, StoredMatrix, columns_of
from nestviz.solvers.merge import Merged, merge_duplicates
from nestviz.solvers.nested.certificate import cost_sensitive_certificate
from nestviz.solvers.nested.feasible import settle_cost_sensitive
from nestviz.solvers.nested.limits import lambda_cs
from nestviz.solvers.records import Solution
from nestviz.solvers.verification import field_noise, verified, verifying_columns


class Problem(NamedTuple):
    """Distinct points of each class with their weights, and the way back."""

    kernel: Kernel
    columns: Columns
    y: FloatArray
    weights: FloatArray
    merged: Merged

    @property
    def verifying(self) -> Columns:
        """The kernel matrix again, by another road: what certificates are computed from."""
        return verifying_columns(self.kernel, self.merged.X, self.columns)

    @property
    def centres(self) -> FloatArray:
        """The distinct points."""
        return self.merged.X


class CostSensitiveEstimator(ClassifierMixin, KernelEstimator):
    """What the cost-sensitive SVMs share: two classes, no offset, an answer at one γ."""

    lam: float
    gamma: float
    tol: float

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The second of ``classes_`` where the decision function is ≥ 0, else the first."""
        inside = self.decision_function(X) >= 0
        if len(self.classes_) == 1:
            return np.full(inside.shape, self.classes_[0])
        return self.classes_[inside.astype(np.intp)]

    def _miv_sigma(self, points: FloatArray, margin: float | None) -> float:
        raise ValueError(
            "sigma='miv' needs data of one class: it looks for the sets that hold them in the "
            "smallest volume. For two classes give a number or 'median', or choose sigma by "
            "cross-validation over the labels."
        )

    def _problem(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> Problem:
        points, labels = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(labels)
        self.classes_ = np.unique(labels)
        if len(self.classes_) > 2:
            raise ValueError(
                f"Only binary classification is supported: a cost asymmetry is between two "
                f"classes, and y has {len(self.classes_)}."
            )
        signs = np.where(labels == _positive(self.classes_), 1.0, -1.0)
        weights = checked_weights(sample_weight, len(points))
        precomputed = self.kernel == "precomputed"
        kernel = self._make_kernel(points if precomputed else points[weights > 0])
        if precomputed:
            alone = np.arange(len(points))
            merged = Merged(points, signs, weights, alone, np.ones(len(points)))
            columns: Columns = StoredMatrix(points)
        else:
            merged = merge_duplicates(points, signs, weights)
            columns = columns_of(kernel, merged.X)
        classes = signs if merged.y is None else merged.y
        self.lambda_max_ = lambda_cs(columns, classes, merged.weights)
        return Problem(kernel, columns, classes, merged.weights, merged)

    def _cost_family(self, problem: Problem, **parts: Any) -> SetFamily:
        options = {
            "centres": problem.centres,
            "kernel": problem.kernel,
            "orientation": 1,
            "level_name": "cost asymmetry γ",
        }
        return SetFamily(**{**options, **parts})

    def _keep_verified(
        self, problem: Problem, solution: Solution, lam: float, asymmetries: FloatArray
    ) -> None:
        """Keep what a certificate from the points themselves, not from K, says of a solution."""
        certificate = cost_sensitive_certificate(
            problem.verifying, solution.alpha, problem.y, problem.weights, lam, asymmetries
        )
        noise = field_noise(solution.alpha, problem.columns.diagonal, lam)
        keep_certificate(self, verified(solution, certificate, self.tol, noise=noise))

    def _of_all_points(
        self, problem: Problem, alpha: FloatArray, asymmetries: FloatArray
    ) -> FloatArray:
        """Coefficients of the points as given, feasible to the last bit."""
        merged = problem.merged
        weights = problem.weights[merged.inverse] * merged.share
        y = problem.y[merged.inverse]
        return settle_cost_sensitive(merged.split(alpha), y, weights, asymmetries)


def _positive(classes: NDArray[Any]) -> Any:
    """The class that counts as +1; a class −1 that stands alone stays negative."""
    alone_negative = len(classes) == 1 and bool(np.all(classes == -1))
    return None if alone_negative else classes[-1]


def checked_gamma(gamma: Any) -> float:
    """A cost asymmetry in [0, 1]."""
    return checked_number("gamma", gamma, above=-1e-300, at_most=1.0)
