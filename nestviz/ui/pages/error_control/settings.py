"""The settings of the Error control page, and the split of the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nestviz.analysis.rate_scores import Score, minimax_score, neyman_pearson_score
from nestviz.arrays import FloatArray
from nestviz.data import Dataset
from nestviz.data.splits import Rows, hold_out, thin_class
from nestviz.estimators import MinimaxClassifier, NeymanPearsonClassifier
from nestviz.estimators.error_control.axes import nu_axis
from nestviz.estimators.error_control.classifiers import ErrorControl
from nestviz.kernels import median_distance
from nestviz.ui.compute.rates import RateGrid

Cell = tuple[int, int, int]
"""Indices of σ, ν₊ and ν₋."""
NEYMAN_PEARSON, MINIMAX = "Neyman–Pearson", "minimax"
AIMS = {NEYMAN_PEARSON: "limit false alarms", MINIMAX: "balance both"}
"""Goals, and their names on the page."""
LIMITS = (0.01, 0.05, 0.1)
"""Common limits on false alarms."""
STRATEGIES = {
    "whole grid": "grid",
    "descent at each σ": "coordinate-2d",
    "descent over all three": "coordinate-3d",
    "ν-SVM": "nu-svm",
    "balanced ν-SVM": "balanced-nu-svm",
}
SMOOTHINGS = {"none": "none", "2-D": "2d", "3-D": "3d"}
SIZES = {"quick": (8, 4), "fine": (10, 10), "finest": (20, 12)}
"""Number of values of each ν, and number of widths."""
RARE = 0.1
"""Share of the negatives that is kept where they are made rare, as in the thesis."""
SEED = 0
NARROWEST, WIDEST = 0.1, 1.6
"""Range of the few widths of the grids, in median distances."""
WIDTH_LINES = ("import numpy as np", "from nestviz.kernels import median_distance")


@dataclass(frozen=True)
class GridSettings:
    """The settings of the rate table: grid, folds, held-out share, and a rare negative class."""

    size: str
    folds: int
    aside: float
    rare: bool

    def rate_grid(self, X: FloatArray) -> RateGrid:
        """Return the grid for some points."""
        values, widths = SIZES[self.size]
        return RateGrid(nu_axis(values), widths_of(X, widths), self.folds, SEED)


@dataclass(frozen=True)
class ErrorControlSettings:
    """The settings of the choice from a rate table."""

    # The largest false alarm rate of a Neyman–Pearson classifier; None for minimax
    alpha: float | None
    # As in the estimators
    strategy: str
    smoothing: str
    shift: bool  # Whether the offset is moved to the best value on the training points

    def classifier(self) -> ErrorControl:
        """Return the estimator, to choose from a table and to be fitted."""
        options: dict[str, Any] = {
            "strategy": self.strategy, "smoothing": self.smoothing, "shift": self.shift
        }  # fmt: skip
        if self.alpha is None:
            return MinimaxClassifier(**options)
        return NeymanPearsonClassifier(self.alpha, **options)

    def score(self, y: NDArray[np.int8], predicted: NDArray[Any]) -> Score:
        """Return the score of the classifier on held-out points."""
        if self.alpha is None:
            return minimax_score(y, predicted)
        return neyman_pearson_score(y, predicted, self.alpha)


@dataclass(frozen=True, eq=False)
class Parts:
    """The rows of the training set, and the held-out rows."""

    learn: Rows
    aside: Rows


def parts_of(data: Dataset, settings: GridSettings) -> Parts:
    """Split the points; negatives are made rare in the training set only.

    Rates on held-out points are shares of each class, and more points make them more precise.
    """
    learn, aside = hold_out(data, settings.aside, SEED)
    if settings.rare:
        learned = data.take(learn, "Training points.")
        learn = learn[thin_class(learned, -1, RARE, SEED)]
    return Parts(learn, aside)


def threshold_rows(y: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return which of the held-out points set a threshold: half of the negative ones."""
    order = np.random.default_rng(SEED).permutation(np.flatnonzero(y < 0))
    return np.sort(order[: len(order) // 2])


def widths_of(X: FloatArray, count: int) -> FloatArray:
    """Return the widths of a grid, evenly spaced by ratio."""
    return median_distance(X) * np.geomspace(NARROWEST, WIDEST, count)
