"""What estimators share that score points by the family of another estimator."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin, OutlierMixin, is_classifier

from nestviz.arrays import FloatArray
from nestviz.estimators.conformity import beyond_the_largest
from nestviz.estimators.nested_one_class import NestedOneClassSVM
from nestviz.families import SetFamily


class ScoredSets(OutlierMixin, MetaEstimatorMixin, BaseEstimator):
    """Scores and a threshold, from sets of ``estimator``: subclasses say which scores."""

    estimator: Any

    @property
    def offset_(self) -> float:
        """The threshold of the scores: ``decision_function = score_samples - offset_``."""
        raise NotImplementedError

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Return the scores: larger is more normal."""
        raise NotImplementedError

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """Return the score minus ``offset_``: positive inside the set, negative outside.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.

        Returns
        -------
        ndarray of shape (n_points,)
        """
        return self.score_samples(X) - self.offset_

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return +1 inside the set and −1 outside.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.

        Returns
        -------
        ndarray of shape (n_points,)
        """
        return np.where(self.decision_function(X) >= 0, 1, -1)

    def _inner(self) -> Any:
        """Return the estimator to be fitted, if its sets are of one class."""
        inner = NestedOneClassSVM() if self.estimator is None else self.estimator
        if is_classifier(inner):
            name = type(inner).__name__
            raise ValueError(f"Sets of one class are needed, and {name} separates two.")
        return inner


def family_of(model: Any) -> SetFamily:
    """Return the family of a fitted estimator, gone on beyond its largest set."""
    if not hasattr(model, "family_"):
        name = type(model).__name__
        raise ValueError(f"Sets of a family are needed, and {name} has no family_.")
    return beyond_the_largest(model.family_)
