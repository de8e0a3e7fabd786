"""What the classifiers share: two classes, answers by the sign of the decision function."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from nestviz.arrays import FloatArray
from nestviz.estimators.base import KernelEstimator, Problem, warn_if_stopped
from nestviz.estimators.checks import checked_number
from nestviz.solvers.records import Callback


class TwoClassEstimator(ClassifierMixin, KernelEstimator):
    """A classifier of two classes. Subclasses define ``_solve``."""

    classes_: NDArray[Any]
    converged_: bool
    _title: str
    """What a warning calls the method."""
    _needs_both = True
    """Whether data of a single class are refused."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        callback: Callback | None = None,
    ) -> Self:
        """Fit the classifier to points of two classes.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points, or for ``kernel="precomputed"`` the kernel matrix of the points.
        y : ndarray of shape (n_points,)
            Classes; the larger of the two labels is the positive class.
        sample_weight : ndarray of shape (n_points,), optional
            Weights of the points. They scale the upper bounds of the coefficients.
        callback : callable, optional
            Called with a `Progress` between two rounds. A true return value stops the solver.

        Returns
        -------
        self
            The fitted estimator.
        """
        self._solve(self._problem(X, y, sample_weight), callback)
        warn_if_stopped(self.converged_, self._title)
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the second of ``classes_`` where the decision function is ≥ 0, else the first.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.

        Returns
        -------
        ndarray of shape (n_points,)
            Classes.
        """
        inside = self.decision_function(X) >= 0
        if len(self.classes_) == 1:
            return np.full(inside.shape, self.classes_[0])
        return self.classes_[inside.astype(np.intp)]

    def _solve(self, problem: Problem, callback: Callback | None) -> None:
        """Solve the problem and set the fitted attributes."""
        raise NotImplementedError

    def _problem(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> Problem:
        points, signs = self._two_classes(X, y)
        return self._posed(points, sample_weight, signs)

    def _two_classes(self, X: ArrayLike, y: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return checked points and classes −1 and +1; the larger of the labels is positive."""
        points, labels = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(labels)
        self.classes_ = np.unique(labels)
        count = len(self.classes_)
        if count > 2 or (count == 1 and self._needs_both):
            raise ValueError(
                f"Only binary classification is supported: two classes are separated, and y has "
                f"{count} class{'' if count == 1 else 'es'}."
            )
        # A class −1 that stands alone stays negative.
        alone_negative = count == 1 and bool(np.all(self.classes_ == -1))
        positive = None if alone_negative else self.classes_[-1]
        return points, np.where(labels == positive, 1.0, -1.0)

    def _miv_sigma(self, points: FloatArray, margin: float | None) -> float:
        raise ValueError(
            "sigma='miv' needs data of one class: it looks for the sets that hold them in the "
            "smallest volume. For two classes give a number, 'auto' or 'median', or choose sigma "
            "by cross-validation over the labels."
        )


def checked_gamma(gamma: Any, name: str = "gamma") -> float:
    """Return a cost asymmetry in [0, 1]."""
    return checked_number(name, gamma, above=-1e-300, at_most=1.0)
