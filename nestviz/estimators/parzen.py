"""Parzen windows: the level sets of a kernel density estimate."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from nestviz.arrays import FloatArray
from nestviz.estimators.checks import checked_number
from nestviz.estimators.one_class_problem import OutlierEstimator
from nestviz.families import SetFamily
from nestviz.kernels import GaussianKernel


class ParzenLevelSets(OutlierEstimator):
    """Level sets of the Parzen windows estimator.

    The set at level θ > 0 is ``{x : (1/N) Σ_i k(x_i, x) ≥ θ}``. Only the threshold moves with the
    level, so the sets are nested for any kernel. It is what a one-class SVM becomes when every
    point is a support vector at its bound (Schölkopf & Smola 2002, section 8.3, ν = 1; Lee & Scott
    2010, after eq. 6), and the baseline for everything else here.

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

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Put a kernel on every point.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.
        y : object, optional
            Ignored.

        Returns
        -------
        self
            The fitted estimator.
        """
        points = self._checked_points(X, reset=True)
        self.sigma_ = self._width(points)
        self.family_ = SetFamily(
            levels=np.zeros(1),
            coefficients=np.full((1, len(points)), 1.0 / len(points)),
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
        self.level_ = self._chosen_level(points)
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
        return np.full((levels.size, len(self.family_.centres)), 1.0 / len(self.family_.centres))

    def _density(self, points: FloatArray) -> FloatArray:
        # Where all kernel values underflow the field is negative; the density is zero.
        return np.maximum(self.family_.field(points)[0], 0.0)

    def _chosen_level(self, points: FloatArray) -> float:
        contamination = checked_number("contamination", self.contamination, above=0.0, at_most=0.5)
        if self.level is not None:
            return checked_number("level", self.level, above=0.0)
        # Half way between the last point left out and the first one kept, so that rounding does
        # not decide. Where the two are tied both are inside.
        ordered = np.sort(self._density(points))
        outside = int(np.floor(contamination * len(ordered) + 1e-9))
        kept = ordered[outside]
        below = ordered[ordered < kept]
        return float((below[-1] + kept) / 2) if below.size else float(kept / 2)
