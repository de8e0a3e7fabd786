"""What the SVMs with an offset share: two classes, one normal vector, a family of shifted sets."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from nestviz.arrays import FloatArray
from nestviz.estimators.base import KernelEstimator, checked_weights
from nestviz.families import SetFamily
from nestviz.kernels import Kernel
from nestviz.solvers.box_sum.dual_parameters import class_weights
from nestviz.solvers.box_sum.dual_svm import DualSolution
from nestviz.solvers.columns import Columns, StoredMatrix, columns_of
from nestviz.solvers.merge import Merged, merge_duplicates
from nestviz.solvers.verification import verifying_columns


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


class ErrorRates(NamedTuple):
    """The two errors of a classifier.

    Attributes
    ----------
    false_alarm : float
        P_F, share of negative points called positive; NaN without negative points.
    miss : float
        P_M, share of positive points called negative; NaN without positive points.
    """

    false_alarm: float
    miss: float


class OffsetEstimator(ClassifierMixin, KernelEstimator):
    """What the SVMs with an offset share."""

    classes_: NDArray[Any]
    offset_: float

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The second of ``classes_`` where the decision function is ≥ 0, else the first."""
        inside = self.decision_function(X) >= 0
        return self.classes_[inside.astype(np.intp)]

    def error_rates(self, X: ArrayLike, y: ArrayLike) -> ErrorRates:
        """P_F and P_M on labelled points."""
        labels = np.asarray(y)
        strange = np.setdiff1d(labels, self.classes_)
        if len(strange):
            raise ValueError(
                f"y has the label {strange[0]!r}, which is not among the classes of the fit: "
                f"{self.classes_[0]!r} and {self.classes_[1]!r}."
            )
        called = self.decision_function(X) >= 0
        positive = labels == self.classes_[1]
        return ErrorRates(_share(called[~positive]), _share(~called[positive]))

    def _miv_sigma(self, points: FloatArray, margin: float | None) -> float:
        raise ValueError(
            "sigma='miv' needs data of one class: it looks for the sets that hold them in the "
            "smallest volume. For two classes give a number or 'median', or choose sigma by "
            "cross-validation over the labels."
        )

    def _two_classes(self, X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Checked points and classes −1 and +1; the larger of the two labels is positive."""
        points, labels = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(labels)
        self.classes_ = np.unique(labels)
        if len(self.classes_) != 2:
            raise ValueError(
                f"Only binary classification is supported: an SVM with offset separates two "
                f"classes, and y has {len(self.classes_)} class"
                f"{'' if len(self.classes_) == 1 else 'es'}."
            )
        return points, np.where(labels == self.classes_[1], 1.0, -1.0)

    def _problem(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> Problem:
        points, signs = self._two_classes(X, y)
        weights = checked_weights(sample_weight, len(points))
        self.n_plus_, self.n_minus_ = class_weights(signs, weights)
        precomputed = self.kernel == "precomputed"
        kernel = self._make_kernel(points if precomputed else points[weights > 0])
        if precomputed:
            # Coincident points cannot be seen from their values alone: each stands for itself.
            merged = Merged(points, signs, weights, np.arange(len(points)), np.ones(len(points)))
            return Problem(kernel, StoredMatrix(points), signs, weights, merged)
        merged = merge_duplicates(points, signs, weights)
        classes = np.asarray(merged.y, dtype=np.float64)
        return Problem(kernel, columns_of(kernel, merged.X), classes, merged.weights, merged)

    def _keep(self, problem: Problem, solution: DualSolution) -> None:
        """Fitted attributes: coefficients of all points, offset, certificate, family."""
        for name in ("objective", "kkt_residual", "duality_gap", "n_iter", "converged", "margin"):
            setattr(self, f"{name}_", getattr(solution, name))
        self.alpha_ = problem.merged.split(solution.alpha)[None]
        self.offset_ = self.level_ = solution.offset
        # Of a trivial solution rounding is all that is left: it is kept as the zero it stands for.
        normal = np.zeros(len(problem.y)) if solution.is_trivial else problem.y * solution.alpha
        self.family_ = self._shifted_sets(problem, normal)

    def _shifted_sets(self, problem: Problem, normal: FloatArray) -> SetFamily:
        """The sets for every offset of one normal vector, given by its coefficients."""
        return SetFamily(
            levels=np.zeros(1),
            coefficients=normal[None],
            offsets=np.zeros(1),
            centres=problem.merged.X,
            kernel=problem.kernel,
            orientation=1,
            domain=(-np.inf, np.inf),
            tail=-1.0,
            is_nested=True,
            level_name="offset b",
        )


def _share(errors: NDArray[np.bool_]) -> float:
    return float(errors.mean()) if len(errors) else float("nan")
