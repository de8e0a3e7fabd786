"""The record that is kept of a fit, and the methods of the registry."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nestviz.arrays import FloatArray
from nestviz.families import SetFamily
from nestviz.methods import (
    ADAPTIVE,
    ETA,
    METHODS,
    NU,
    ONE_CLASS,
    TWO_CLASS,
    WITH_ETA,
    WITH_NU,
    Kind,
    Method,
    Spec,
    largest_regularisation,
    level_grid,
    top_level,
)
from nestviz.number_words import in_words

__all__ = [
    "ADAPTIVE",
    "ETA",
    "METHODS",
    "NU",
    "ONE_CLASS",
    "TWO_CLASS",
    "WITH_ETA",
    "WITH_NU",
    "Fitted",
    "Kind",
    "Method",
    "Spec",
    "certificate_of",
    "largest_regularisation",
    "level_grid",
    "mean_one",
    "top_level",
]


@dataclass(frozen=True, eq=False)
class Fitted:
    """A solved problem, shared by all pages."""

    spec: Spec  # Its settings
    estimator: Any  # The fitted estimator; for a union, that of the sets it joins
    family: SetFamily  # The sets
    seconds: float  # How long solving took
    weights: FloatArray | None = None  # Of the training points, with mean 1

    def under(self, spec: Spec) -> Fitted:
        """Return the same solution read as another method, such as the union of its sets."""
        return (
            self
            if spec == self.spec
            else replace(self, spec=spec, family=spec.row.family(self.estimator))
        )

    @property
    def breakpoints(self) -> int:
        """Number of levels between which the sets are linear."""
        return self.family.levels.size

    @property
    def certificate(self) -> str:
        """Bound on the distance of the solution from the optimum, in words."""
        return certificate_of(self.estimator)

    def shares_of_bound(self, levels: ArrayLike) -> FloatArray:
        """Return α of every point at each level, (levels, n), from 0 to 1.

        One class: as a share of its upper bound, which is the same for all points and levels. Two
        classes: α itself, whose bound is γ for points of class +1 and 1 − γ for the others. Bounds
        are proportional to weights; α is divided by them.
        """
        alpha = self.estimator.coefficients(levels)
        if self.weights is not None:
            alpha = alpha / self.weights
        if not self.spec.two_classes:
            alpha = alpha * alpha.shape[1] * (self.spec.nu if self.spec.method == WITH_NU else 1.0)
        return np.clip(alpha, 0.0, 1.0)

    def support(self, level: float) -> int:
        """Return the number of support vectors at a level."""
        return int(np.count_nonzero(self.estimator.coefficients([level])))

    def breakpoints_of(self, row: int) -> FloatArray:
        """Return the breakpoints of one point's coefficient, ascending.

        On a path, these are the levels at which the point reaches the margin or leaves it; for a
        family solved at a few levels, those levels.
        """
        if hasattr(self.estimator, "breakpoints_of"):
            return np.asarray(self.estimator.breakpoints_of(row))
        return self.family.levels


def mean_one(weights: FloatArray) -> FloatArray:
    """Return weights divided by their mean."""
    return np.asarray(weights * (len(weights) / weights.sum()))


def certificate_of(estimator: Any) -> str:
    """Describe how far the solution of an estimator can be from the optimum."""
    if hasattr(estimator, "path_residual_"):
        return f"KKT residual ≤ {in_words(estimator.path_residual_.max(), 1)} at every breakpoint"
    if hasattr(estimator, "level_rounds_"):
        return (
            f"duality gap {in_words(estimator.duality_gap_, 1)} at the levels, at most "
            f"{in_words(estimator.certificate_.gap)} at every level between them"
        )
    if hasattr(estimator, "duality_gap_"):
        return f"duality gap {in_words(estimator.duality_gap_, 1)}"
    return "exact, nothing is solved"
