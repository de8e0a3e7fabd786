"""Entry levels as the scores of a detector."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted, validate_data

from nestviz.arrays import FloatArray
from nestviz.estimators.conformity import checked_by, scores_by
from nestviz.estimators.scored_sets import ScoredSets, family_of

OUTSIDE = 1e300
"""Minus the score of a point in no set: other tools refuse infinite scores."""


class EntryLevels(ScoredSets):
    """Score points by the level at which they enter the sets of an estimator.

    `decision_function` of an estimator is the field at one level, which its ``contamination``
    chooses. The entry level is read off the sets of all levels. Where sets cross there are two:
    the first set that contains a point, and the set from which on it is always inside. As detectors
    in tools that take scores, such as nonconform, each gives p-values of its own.

    Parameters
    ----------
    estimator : estimator, optional
        An estimator of one class with a ``family_``; `NestedOneClassSVM` by default.
    by : {"first", "last"}
        Which of the two levels.

    Attributes
    ----------
    family_ : SetFamily
        Its sets. Sets of quantiles go on beyond the largest quantile, as in `ConformalSets`.
    estimator_ : estimator
        The fitted estimator. `predict` answers +1 in the union of the sets up to its ``level_`` for
        "first", and for "last" in the intersection of the sets from there on.

    Examples
    --------
    >>> from nestviz import OneClassPath, make_sample
    >>> X = make_sample("banana", n=60, random_state=0).X
    >>> first, last = (EntryLevels(OneClassPath(0.5), by).fit(X) for by in ("first", "last"))
    >>> bool((first.score_samples(X) >= last.score_samples(X)).all())
    True
    """

    def __init__(self, estimator: Any = None, by: str = "first") -> None:
        self.estimator = estimator
        self.by = by

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._inner().__sklearn_tags__().input_tags.pairwise
        return tags

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Fit the estimator.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points of one class.
        y : object, optional
            Ignored.

        Returns
        -------
        self
            The fitted estimator.
        """
        checked_by(self.by)
        inner = self._inner()
        points = validate_data(self, X, dtype=np.float64, order="C")
        fitted = clone(inner).fit(points)
        self.family_ = family_of(fitted)
        self.estimator_ = fitted
        return self

    @property
    def offset_(self) -> float:
        """The score at ``estimator_.level_``: ``decision_function = score_samples - offset_``."""
        check_is_fitted(self)
        return -self.family_.orientation * float(self.estimator_.level_)

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Return the entry levels, turned so that larger is more normal.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.

        Returns
        -------
        ndarray of shape (n_points,)
            Levels λ as they are, and minus those of sets that grow with their level; −10³⁰⁰ for a
            point in no set.
        """
        check_is_fitted(self)
        points = validate_data(self, X, reset=False, dtype=np.float64, order="C")
        found = scores_by(self.by, self.family_, points)
        return np.clip(found, -OUTSIDE, OUTSIDE)
