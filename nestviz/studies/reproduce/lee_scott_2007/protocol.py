"""How the figures of 2007 are computed anew: samples, draws, widths."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

SOURCE = "Lee & Scott, The one class support vector machine solution path, ICASSP 2007"
SAMPLES = ("mixture", "multi", "ring")
FOUR = (0.3, 2**-0.5, 1.0, 3.0)
"""The widths of figure 1."""
WIDTHS = tuple(float(width) for width in np.geomspace(0.3, 3.0, 30))
"""The widths of figure 2."""
FAMILIES = {
    "path": "path of the one-class SVM",
    "held path": "path, coefficients held below 1e-6 of its largest level",
    "nested": "nested one-class SVM",
}
"""Sets whose volumes are integrated; the paper has the first."""


@dataclass(frozen=True)
class Protocol:
    """Draws and widths.

    Attributes
    ----------
    draws : int
        Samples drawn of each kind, with seeds 0, 1, …; the pictures show the first.
    points : int
        Points of each sample.
    widths : tuple of float
        Widths that are searched.
    folds : int
        Folds of the cross-validation.
    margin : float
        How far the box reaches beyond the points, as a share of their spread.
    pixels : int
        Pixels on the longer side of figure 3.
    """

    draws: int = 5
    points: int = 200
    widths: tuple[float, ...] = WIDTHS
    folds: int = 5
    margin: float = 0.1
    pixels: int = 150

    def describe(self) -> list[str]:
        """Return what is done, in sentences."""
        return [
            f"Samples of {self.points} points, {self.draws} of each kind, drawn with seeds from 0 "
            f"up; the paper has one of each.",
            f"{len(self.widths)} widths from {min(self.widths):.3g} to {max(self.widths):.3g}, "
            f"evenly by ratio.",
            f"Mass by {self.folds}-fold cross-validation, volume by 2,048 uniform points of the "
            f"box around the data, {self.margin:.0%} wider on each side.",
            f"Holes and parts of sets are counted on {self.pixels} pixels along the longer side.",
        ]
