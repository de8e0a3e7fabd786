"""Sets of labels with a coverage guarantee in each class."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from nestviz.arrays import BoolArray, FloatArray
from nestviz.estimators.conformal_sets import FEWEST, ConformalSets
from nestviz.estimators.conformity import checked_share


class ConformalLabels(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """Sets of labels that contain the true one with a given probability, in every class.

    Each class has a family of its own, calibrated on held-out points of the class
    (`ConformalSets`). The set of x has every label y with p_y(x) > α. It contains the label of a
    new point with probability at least 1 − α, whatever its class. It may have several labels,
    where classes overlap, or none: the point is like no class.

    Parameters
    ----------
    estimator : estimator, optional
        An estimator of one class with a ``family_``; `NestedOneClassSVM` by default.
    coverage : float
        Share 1 − α of new points of each class whose label the set should contain, in (0, 1).
    method, calibration, cv, random_state : str, float, int or str, int
        As in `ConformalSets`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    sets_ : list of ConformalSets
        The calibrated sets of each class.
    """

    def __init__(
        self,
        estimator: Any = None,
        coverage: float = 0.9,
        *,
        method: str | None = None,
        calibration: float = 0.5,
        cv: int | str | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.coverage = coverage
        self.method = method
        self.calibration = calibration
        self.cv = cv
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit and calibrate the sets of every class.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.
        y : ndarray of shape (n_points,)
            Labels, of two classes or more.

        Returns
        -------
        self
            The fitted estimator.
        """
        points, labels = validate_data(
            self, X, y, dtype=np.float64, order="C", ensure_min_samples=FEWEST
        )
        check_classification_targets(labels)
        self.classes_, counts = np.unique(labels, return_counts=True)
        if counts.min() < FEWEST:
            raise ValueError(
                f"Class {self.classes_[int(np.argmin(counts))]} has one point; each class needs "
                f"at least {FEWEST}, some to fit and some to calibrate."
            )
        self.sets_ = [self._sets().fit(points[labels == label]) for label in self.classes_]
        return self

    def _sets(self) -> ConformalSets:
        return ConformalSets(
            self.estimator,
            self.coverage,
            method=self.method,
            calibration=self.calibration,
            cv=self.cv,
            random_state=self.random_state,
        )

    def p_values(self, X: ArrayLike) -> FloatArray:
        """Return the p-value of each label at each point.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            New points.

        Returns
        -------
        ndarray of shape (n_points, n_classes)
        """
        check_is_fitted(self)
        points = validate_data(self, X, reset=False, dtype=np.float64, order="C")
        return np.stack([sets.p_values(points) for sets in self.sets_], axis=1)

    def label_sets(self, X: ArrayLike, coverage: float | None = None) -> BoolArray:
        """Return which labels each point may have.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            New points.
        coverage : float, optional
            Share of points of each class whose label the set should contain; by default the
            parameter.

        Returns
        -------
        ndarray of bool of shape (n_points, n_classes)
            No label in a row: the point is like none of the classes.
        """
        check_is_fitted(self)
        share = checked_share(self.coverage if coverage is None else coverage)
        points = validate_data(self, X, reset=False, dtype=np.float64, order="C")
        return np.stack([sets.contains(points, share) for sets in self.sets_], axis=1)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the label with the largest p-value.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            New points.

        Returns
        -------
        ndarray of shape (n_points,)
        """
        p_values = self.p_values(X)
        return np.asarray(self.classes_[np.argmax(p_values, axis=1)])
