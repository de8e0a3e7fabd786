"""What an estimator answers that keeps another one, fitted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from nestviz.arrays import FloatArray


def _inner_has(name: str) -> Any:
    return lambda self: hasattr(self._inner(), name)


class WrappedEstimator(MetaEstimatorMixin, BaseEstimator):
    """An estimator whose answers are those of ``estimator_``, fitted in a way of its own."""

    estimator_: Any

    def _inner(self) -> Any:
        """Return the estimator to be fitted."""
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = self._inner().__sklearn_tags__()
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags = inner.classifier_tags
        tags.target_tags = inner.target_tags
        return tags

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
        values: FloatArray = self.estimator_.decision_function(X)
        return values

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return +1 inside the set and −1 outside, or the classes of a problem of two.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.

        Returns
        -------
        ndarray of shape (n_points,)
            Answers of the estimator.
        """
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict(X))

    @available_if(_inner_has("score_samples"))
    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Return the function whose level set is the set at ``level_``: larger is more normal.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.

        Returns
        -------
        ndarray of shape (n_points,)
            Scores.
        """
        check_is_fitted(self)
        scores: FloatArray = self.estimator_.score_samples(X)
        return scores

    @available_if(_inner_has("fit_predict"))
    def fit_predict(self, X: ArrayLike, y: Any = None) -> NDArray[Any]:
        """Fit, and return the answers for the training points.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.
        y : object, optional
            Ignored.

        Returns
        -------
        ndarray of shape (n_points,)
            +1 or −1.
        """
        found: NDArray[Any] = self.fit(X).predict(X)
        return found
