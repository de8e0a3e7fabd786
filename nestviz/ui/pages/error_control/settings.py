"""What the Error control page is asked for, and the choice that follows from a table of errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nestviz.arrays import FloatArray
from nestviz.data import Dataset
from nestviz.data.splits import Rows, hold_out, thin_class
from nestviz.kernels import median_distance
from nestviz.ui.compute.rates import Ask

if TYPE_CHECKING:
    from nestviz.analysis.rate_scores import Score
    from nestviz.estimators.error_control.classifiers import ErrorControl

Cell = tuple[int, int, int]

NEYMAN_PEARSON, MINIMAX = "Neyman–Pearson", "minimax"
STRATEGIES = {
    "whole grid": "grid",
    "descent at each σ": "coordinate-2d",
    "descent over all three": "coordinate-3d",
    "ν-SVM": "nu-svm",
    "balanced ν-SVM": "balanced-nu-svm",
}
SMOOTHINGS = {"none": "none", "2-D": "2d", "3-D": "3d"}
SIZES = {"quick": (8, 4), "fine": (10, 10), "finest": (20, 12)}
"""How many values of each ν, and how many widths."""
RARE = 0.1
"""Share of the negatives that stays where they are made rare, as in the thesis."""
SEED = 0
NARROWEST, WIDEST = 0.1, 1.6
"""Widths of the grids, in median distances between points: few of them must do."""
WIDTH_LINES = ("import numpy as np", "from nestviz.kernels import median_distance")


@dataclass(frozen=True)
class Grid:
    """What the table of errors depends on, beside the data."""

    size: str
    folds: int
    aside: float
    rare: bool

    @property
    def values(self) -> int:
        """How many values of ν₊ and of ν₋."""
        return SIZES[self.size][0]

    @property
    def widths(self) -> int:
        """How many widths."""
        return SIZES[self.size][1]


@dataclass(frozen=True)
class Choice:
    """How a classifier is chosen from the table.

    Attributes
    ----------
    alpha : float or None
        The largest false alarm rate of a Neyman–Pearson classifier; None is minimax.
    strategy, smoothing : str
        As the estimators call them.
    shift : bool
        Whether the offset is moved to where it is best on the points learned from.
    """

    alpha: float | None
    strategy: str
    smoothing: str
    shift: bool

    def classifier(self) -> ErrorControl:
        """The library's classifier of this choice, to choose from a table and to be fitted."""
        from nestviz.estimators import MinimaxClassifier, NeymanPearsonClassifier

        options: dict[str, Any] = {
            "strategy": self.strategy, "smoothing": self.smoothing, "shift": self.shift
        }  # fmt: skip
        if self.alpha is None:
            return MinimaxClassifier(**options)
        return NeymanPearsonClassifier(self.alpha, **options)

    def score(self, y: NDArray[np.int8], predicted: NDArray[Any]) -> Score:
        """What the classifier is worth on points it has not seen."""
        from nestviz.analysis.rate_scores import minimax_score, neyman_pearson_score

        if self.alpha is None:
            return minimax_score(y, predicted)
        return neyman_pearson_score(y, predicted, self.alpha)


@dataclass(frozen=True, eq=False)
class Parts:
    """Rows of the data: to learn from, and held out."""

    learn: Rows
    aside: Rows


def parts_of(data: Dataset, grid: Grid) -> Parts:
    """Split the points; negatives are made rare among those to learn from only.

    The rates on points held out are shares of each class, and more points make them sharper.
    """
    learn, aside = hold_out(data, grid.aside, SEED)
    if grid.rare:
        learned = data.take(learn, "Points to learn from.")
        learn = learn[thin_class(learned, -1, RARE, SEED)]
    return Parts(learn, aside)


def ask_of(X: FloatArray, grid: Grid) -> Ask:
    """The grid in numbers."""
    from nestviz.estimators.error_control.axes import nu_axis

    return Ask(nu_axis(grid.values), widths_of(X, grid.widths), grid.folds, SEED)


def widths_of(X: FloatArray, count: int) -> FloatArray:
    """Widths of a grid, evenly by ratio."""
    return median_distance(X) * np.geomspace(NARROWEST, WIDEST, count)
