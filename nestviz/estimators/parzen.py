"""Parzen windows: the level sets of a kernel density estimate."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from nestviz.arrays import FloatArray
from nestviz.estimators.checks import checked_number, checked_weights
from nestviz.estimators.one_class_problem import OutlierEstimator
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel


class ParzenLevelSets(OutlierEstimator):
    """Level sets of the Parzen windows estimator.

    The set at level θ > 0 is ``{x : (1/N) Σ_i k(x_i, x) ≥ θ}``, or the same with a weighted mean.
    Only the threshold moves with the level, so the sets are nested for any kernel. It is what a
    one-class SVM becomes when every point is a support vector at its bound (Schölkopf & Smola 2002,
    section 8.3, ν = 1; Lee & Scott 2010, after eq. 6), and the baseline for everything else here.

    Parameters
    ----------
    sigma : float or str
        Width of the Gaussian kernel, or a rule, as in `OneClassSVM`.
    level : float, optional
        The level θ at which `decision_function` and `predict` answer; by default the highest one
        that leaves out no more than the ``contamination`` of the training points.
    contamination : float
        The same level by the share of the training points that may be left out, in (0, 0.5].

    Attributes
    ----------
    family_ : SetFamily
        All level sets, over θ in (0, ∞).
    level_, offset_ : float
        The level in use; ``decision_function = score_samples - offset_``.
    sigma_ : float
        The width in use.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [0.1], [0.2], [3.0]])
    >>> ParzenLevelSets(sigma=0.5, contamination=0.25).fit(X).predict(X)
    array([ 1,  1,  1, -1])
    """

    def __init__(
        self,
        sigma: float | str = "auto",
        *,
        level: float | None = None,
        contamination: float = 0.1,
    ) -> None:
        self.sigma = sigma
        self.level = level
        self.contamination = contamination

    def fit(self, X: ArrayLike, y: Any = None, sample_weight: ArrayLike | None = None) -> Self:
        """Put a kernel on every point.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.
        y : object, optional
            Ignored.
        sample_weight : ndarray of shape (n_points,), optional
            Weights of the points, all 1 by default.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._checked_points(X, reset=True)
        weights = checked_weights(sample_weight, len(points))
        shares = weights / weights.sum()
        self.sigma_ = self._width(points[weights > 0])
        self.family_ = SetFamily(
            levels=np.zeros(1),
            coefficients=shares[None, :],
            offsets=np.zeros(1),
            centres=points,
            kernel=GaussianKernel(self.sigma_),
            orientation=-1,
            domain=(0.0, np.inf),
            tail=1.0,
            open_below=True,
            is_nested=True,
            level_name="level λ",
        )
        self.level_ = self._chosen_level(points[weights > 0], shares[weights > 0])
        return self

    def score_samples(self, X: ArrayLike) -> FloatArray:
        """Return the density estimate (1/N) Σ_i k(x_i, x), not normalised: larger is more normal.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.

        Returns
        -------
        ndarray of shape (n_points,)
            The estimate.
        """
        check_is_fitted(self)
        return self._density(self._checked_points(X, reset=False))

    def _coefficients(self, levels: FloatArray) -> FloatArray:
        return np.repeat(np.asarray(self.family_.coefficients), levels.size, axis=0)

    def _density(self, points: FloatArray) -> FloatArray:
        # Where all kernel values underflow the field is negative; the density is zero.
        return np.maximum(self.family_.field(points)[0], 0.0)

    def _chosen_level(self, points: FloatArray, shares: FloatArray) -> float:
        contamination = checked_number("contamination", self.contamination, above=0.0, at_most=0.5)
        if self.level is not None:
            return checked_number("level", self.level, above=0.0)
        # Half way between the last point left out and the first one kept, so that rounding does
        # not decide. Where the two are tied both are inside.
        density = self._density(points)
        order = np.argsort(density, kind="stable")
        ordered = density[order]
        left_out = np.cumsum(shares[order]) <= contamination + 1e-9 / len(points)
        kept = ordered[np.count_nonzero(left_out)]
        below = ordered[ordered < kept]
        return float((below[-1] + kept) / 2) if below.size else float(kept / 2)
