"""What all estimators share: checking parameters, resolving σ, answering at one level."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from nestviz.families import SetFamily
from nestviz.kernels import median_distance

FloatArray = NDArray[np.float64]


class FamilyEstimator(BaseEstimator):
    """An estimator whose result is a `SetFamily`, and that answers yes or no at one of its levels.

    After ``fit``: ``family_``, and ``level_``, the level at which `decision_function` and
    `predict` answer.
    """

    family_: SetFamily
    level_: float

    def decision_function(self, X: ArrayLike) -> FloatArray:
        """g at ``level_``: positive inside the set, negative outside."""
        check_is_fitted(self)
        return self.family_.values(self._checked_points(X, reset=False), self.level_)

    def predict(self, X: ArrayLike) -> NDArray[np.int64]:
        """+1 inside the set at ``level_``, −1 outside."""
        return np.where(self.decision_function(X) > 0, 1, -1)

    def _checked_points(self, X: ArrayLike, *, reset: bool) -> FloatArray:
        points: FloatArray = validate_data(self, X, reset=reset, dtype=np.float64)
        return points


def resolve_sigma(sigma: Any, X: FloatArray) -> float:
    """The Gaussian width as a number: given, or found from the data."""
    if isinstance(sigma, str):
        if sigma == "median":
            return median_distance(X)
        raise ValueError(f"sigma must be a positive number or 'median', not {sigma!r}.")
    return checked_number("sigma", sigma, above=0.0)


def checked_number(
    name: str, value: Any, *, above: float = -np.inf, at_most: float = np.inf
) -> float:
    """A finite number in (above, at_most], or a sentence that says what is wrong."""
    if isinstance(value, Real) and not isinstance(value, bool):
        number = float(value)
        if np.isfinite(number) and above < number <= at_most:
            return number
    room = f" above {above:g}" if np.isfinite(above) else ""
    room += f" and at most {at_most:g}" if np.isfinite(at_most) else ""
    raise ValueError(f"{name} must be a finite number{room}, not {value!r}.")
