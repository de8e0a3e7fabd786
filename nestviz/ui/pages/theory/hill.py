"""Chapter 1: true level sets under an estimate, and where the two differ."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from nestviz.analysis.set_differences import SetDifference, density_thresholds, set_difference
from nestviz.arrays import FloatArray
from nestviz.data import make_sample
from nestviz.data.densities import sample_density
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.kernels import median_distance
from nestviz.ui.results.cache import kept
from nestviz.ui.widgets.charts import chart

HILLS = {"three hills": "multi", "a ring": "ring"}
SIZES = (50, 200, 800)
SHARES = np.linspace(0.05, 0.95, 19)
WIDTHS = {50: 0.3, 200: 0.2, 800: 0.14}
"""Kernel width as a share of the median distance, by the number of points: more points need less
smoothing."""
PIXELS = 120


@dataclass(frozen=True, eq=False)
class Hill:
    """A known density, points drawn from it, and estimated sets that hold shares of the points.

    ``truth`` and ``estimate`` have a field for each of `SHARES`, not negative inside the set.
    """

    X: FloatArray
    grid: Grid
    truth: FloatArray
    estimate: FloatArray
    differences: FloatArray

    def at(self, place: int) -> SetDifference:
        """Return both sets at one of the shares, and where they differ."""
        return set_difference(self.truth[place], self.estimate[place], self.grid)


@kept("Estimating level sets …")
def hill(name: str, n: int, method: str) -> Hill:
    """Return a known density beside its estimate from n points."""
    from nestviz.estimators import NestedOneClassSVM, ParzenLevelSets

    density = sample_density(name)
    assert density is not None
    X = make_sample(name, 3, n=n).X
    grid = Grid.around(make_sample(name, 4, n=800).X, resolution=PIXELS, margin=0.15)
    sigma = WIDTHS[n] * median_distance(X)
    model = ParzenLevelSets(sigma) if method == METHODS[0] else NestedOneClassSVM(sigma, 21)
    estimate = _fields(model.fit(X).family_, X, grid)
    heights = density(grid.points())
    truth = heights - density_thresholds(density, grid, SHARES)[:, None]
    differences = ((truth >= 0) != (estimate >= 0)).mean(axis=1)
    return Hill(X, grid, truth, estimate, differences)


METHODS = ("Parzen windows", "nested SVM")


def _fields(family: SetFamily, X: FloatArray, grid: Grid) -> FloatArray:
    """Return the fields of the smallest sets that hold the shares of the points."""
    entry = np.sort(family.first_level(X))[::-1]
    levels = entry[np.ceil(SHARES * len(X) - 1e-9).astype(int) - 1]
    return family.values(grid, levels)


def show() -> None:
    """Show both sets, and their difference over the share."""
    from nestviz.figures.differences import difference_curve_figure, difference_figure

    first, second, third = st.columns(3, gap="medium")
    name = first.segmented_control(
        "Density", list(HILLS), default="three hills", required=True, key="theory_hill",
        help="The distribution that the points are drawn from.",
    )  # fmt: skip
    n = second.segmented_control(
        "Points", SIZES, default=200, required=True, key="theory_hill_n",
        help="How many points the estimate gets to see.",
    )  # fmt: skip
    method = third.segmented_control(
        "Estimate", METHODS, default=METHODS[0], required=True, key="theory_hill_method",
        help="Parzen windows put a bump on every point; the nested SVM follows in chapter 8.",
    )  # fmt: skip
    percent = st.select_slider(
        "Share inside", [round(100 * share) for share in SHARES], 50, format_func="{}%".format,
        key="theory_share", help="The share of the distribution that the set holds.",
    )  # fmt: skip
    found = hill(HILLS[name], n, method)
    place = int(np.abs(SHARES - percent / 100).argmin())
    sets = found.at(place)
    left, right = st.columns([3, 2])
    words = f"{sets.share:.1%} of the picture"
    with left:
        figure = difference_figure(
            sets, found.X, found.grid.inner_box, ("true level set", f"estimate, {method}")
        )
        alt = (
            f"The true set that holds {percent}% of the distribution, dashed, and the estimate "
            f"from {n} points; they differ in {words}, filled"
        )
        chart(figure, "theory_hill_sets", 460, alt)
    with right:
        curves = {method: found.differences}
        figure = difference_curve_figure(SHARES, curves, SHARES[place], "share inside")
        alt = f"Symmetric difference over the share inside; {words} at {percent}%"
        chart(figure.update_xaxes(tickformat=".0%"), "theory_hill_curve", 460, alt)
    st.caption(
        f"Dashed: the true set that holds {percent}% of the distribution. Blue: the estimate that "
        f"holds {percent}% of {n} points. They differ in {words}."
    )
