"""What the SVMs with an intercept share: one normal vector, a family of shifted sets."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray
from nestviz.estimators.base import Problem, keep_certificate
from nestviz.estimators.two_classes import TwoClassEstimator
from nestviz.families import SetFamily
from nestviz.renamed import renamed
from nestviz.solvers.box_sum.dual_parameters import class_weights
from nestviz.solvers.box_sum.dual_svm import DualSolution


class ErrorRates(NamedTuple):
    """The two error rates of a classifier.

    Attributes
    ----------
    false_alarm : float
        P_F, share of negative points called positive; NaN without negative points.
    miss : float
        P_M, share of positive points called negative; NaN without positive points.
    """

    false_alarm: float
    miss: float


@renamed(offset_="intercept_")
class InterceptEstimator(TwoClassEstimator):
    """A classifier with the decision function Σ_i α_i y_i k(x_i, x) + ``intercept_``."""

    intercept_: float

    def error_rates(self, X: ArrayLike, y: ArrayLike) -> ErrorRates:
        """Return P_F and P_M on labelled points.

        Parameters
        ----------
        X : ndarray of shape (n_points, n_features)
            Points.
        y : ndarray of shape (n_points,)
            Their classes.

        Returns
        -------
        ErrorRates
            Share of negative points called positive, and of positive points called negative.
        """
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

    def _problem(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> Problem:
        problem = super()._problem(X, y, sample_weight)
        self.n_plus_, self.n_minus_ = class_weights(problem.y, problem.weights)
        return problem

    def _keep(self, problem: Problem, solution: DualSolution) -> None:
        """Keep the coefficients of all points, intercept, certificate and family."""
        keep_certificate(self, solution)
        self.margin_ = solution.margin
        self.alpha_ = problem.merged.split(solution.alpha)[None]
        # A trivial solution is rounding only, and is kept as the zero that it stands for.
        normal = np.zeros(len(problem.y)) if solution.is_trivial else problem.y * solution.alpha
        self._keep_shifted_sets(problem, normal, solution.offset)

    def _keep_shifted_sets(self, problem: Problem, normal: FloatArray, intercept: float) -> None:
        """Keep the sets for every intercept of one normal vector, given by its coefficients."""
        self.intercept_ = self.level_ = intercept
        self.family_ = SetFamily(
            levels=np.zeros(1),
            coefficients=normal[None],
            offsets=np.zeros(1),
            centres=problem.centres,
            kernel=problem.kernel,
            orientation=1,
            domain=(-np.inf, np.inf),
            tail=-1.0,
            is_nested=True,
            level_name="offset b",
        )


def _share(errors: NDArray[np.bool_]) -> float:
    return float(errors.mean()) if len(errors) else float("nan")
