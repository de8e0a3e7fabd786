"""Chapter 10: sets between two levels, and how many levels are enough."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from nestviz.analysis.level_insertion import Insertion, insertion_steps
from nestviz.analysis.set_differences import SetDifference, set_difference
from nestviz.arrays import FloatArray
from nestviz.data import make_sample
from nestviz.kernels import GaussianKernel, median_distance
from nestviz.number_words import in_words
from nestviz.ui.pages.theory import examples as mini
from nestviz.ui.pages.theory.play import play
from nestviz.ui.results.cache import kept
from nestviz.ui.widgets.charts import chart

VIEWS = ("How many levels", "Between two levels", "Levels where needed")
COUNTS, MANY = (3, 5, 11, 21), 81
SHARES = np.linspace(0.98, 0.02, 49)
INSERTED, ALLOWED = 9, 1e-3
"""Levels that are inserted into the first three, and the gap to reach."""
PLACES = np.geomspace(1e-2, 1.0, 601)


@dataclass(frozen=True, eq=False)
class Coarseness:
    """Sets of nested SVMs with few levels, against those of one with many.

    ``fields`` has the fields on the pixels by the number of levels, (n_levels, n_pixels) each;
    ``differences`` their symmetric difference from the largest number, by level.
    """

    fields: dict[int, FloatArray]
    differences: dict[int, FloatArray]

    def at(self, count: int, place: int) -> SetDifference:
        """Return the sets of many and of few levels at one level, and where they differ."""
        grid = mini.tiny().grid
        return set_difference(self.fields[MANY][place], self.fields[count][place], grid)


@kept("Solving at 81 levels …")
def coarseness() -> Coarseness:
    """Return the sets by the number of levels."""
    from nestviz.estimators import NestedOneClassSVM

    small = mini.tiny()
    levels = SHARES * small.top
    fields = {
        count: NestedOneClassSVM(small.sigma, count).fit(small.X).family_.values(small.grid, levels)
        for count in (*COUNTS, MANY)
    }
    many = fields[MANY] >= 0
    differences = {count: ((fields[count] >= 0) != many).mean(axis=1) for count in COUNTS}
    return Coarseness(fields, differences)


@kept()
def inserted() -> list[Insertion]:
    """Return levels that are inserted one by one, for points in clusters of unequal density."""
    X = make_sample("multi", 0, n=150).X
    kernel = GaussianKernel(0.3 * median_distance(X))
    return insertion_steps(kernel.gram(X, X), INSERTED, PLACES)


def show() -> None:
    """Show sets of few and many levels, the sets between two levels, or levels being inserted."""
    view = st.segmented_control(
        "Show", VIEWS, default=VIEWS[0], required=True, key="theory_interpolation_view",
        help="The effect of M, a walk from one level to the next, or levels inserted one by one.",
    )  # fmt: skip
    if view == VIEWS[0]:
        _counts()
        return
    if view == VIEWS[2]:
        _insertion()
        return
    play(mini.between(), "between")
    st.caption(
        "The thin outlines are the sets at two neighbouring levels of a nested one-class SVM. Move "
        "the level from one to the other: the set stays between them."
    )


def _counts() -> None:
    from nestviz.figures.differences import difference_curve_figure, difference_figure

    first, second = st.columns(2, gap="medium")
    count = first.segmented_control(
        "Levels M", COUNTS, default=COUNTS[0], required=True, key="theory_count",
        help="At how many levels the nested SVM is solved.",
    )  # fmt: skip
    options = [round(float(share), 2) for share in SHARES]
    share = second.select_slider(
        "Level, as a share of λ₀", options, 0.24, key="theory_count_at",
        help="The level of the two sets.",
    )  # fmt: skip
    found, place = coarseness(), options.index(share)
    sets, small = found.at(count, place), mini.tiny()
    left, right = st.columns([3, 2])
    with left:
        names = (f"solved at {MANY} levels", f"solved at {count}, interpolated")
        figure = difference_figure(sets, small.X, small.grid.inner_box, names)
        alt = (
            f"Sets of nested SVMs with {count} and with {MANY} levels at {share:.2f} λ₀; they "
            f"differ in {sets.share:.2%} of the picture"
        )
        chart(figure, "theory_count_sets", 380, alt)
    with right:
        curves = {f"M = {m}": found.differences[m] for m in COUNTS}
        figure = difference_curve_figure(
            SHARES, curves, share, "level, as a share of λ₀ (falling)", chosen=f"M = {count}"
        )
        here = ", ".join(f"{found.differences[m][place]:.2%} for M = {m}" for m in COUNTS)
        alt = f"Difference from {MANY} levels over the level; at {share:.2f} λ₀ {here}"
        chart(figure.update_xaxes(autorange="reversed"), "theory_count_curve", 380, alt)
    means = ", ".join(f"{found.differences[m].mean():.2%}" for m in COUNTS)
    st.caption(
        f"At this level the sets of {count} and {MANY} levels differ in {sets.share:.2%} of the "
        f"picture. Mean over all levels for M = 3, 5, 11, 21: {means}."
    )


def _insertion() -> None:
    from nestviz.figures.level_gaps import level_gap_figure

    number = st.slider(
        "Levels inserted", 0, INSERTED, 4, key="theory_inserted",
        help="Each one where the gap of the interpolated solution is largest.",
    )  # fmt: skip
    step = inserted()[number]
    count, ours, even = len(step.inserted.levels), step.inserted.gap, step.even.gap
    alt = (
        f"Duality gap over the level with {count} levels: at most {in_words(ours)} where they are "
        f"inserted one by one, {in_words(even)} where they are evenly spaced; marks show the levels"
    )
    chart(level_gap_figure(step, PLACES, ALLOWED), "theory_inserted_gaps", 400, alt)
    st.caption(
        f"150 points in three clusters. With {count} levels, inserted where the gap was largest, "
        f"it is at most {in_words(ours)} at every level; with {count} evenly spaced ones, "
        f"{in_words(even)}. "
        f"Dotted: {ALLOWED:g}."
    )
