"""The chapter on ν: its guarantees about fractions, and the influence of outliers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nestviz.analysis.level_sweep import Rings, outline
from nestviz.analysis.nu.fractions import (
    MovedOutlier,
    NuCurve,
    move_outlier,
    moved_outlier_values,
    nu_curve,
)
from nestviz.arrays import FloatArray
from nestviz.data import make_sample
from nestviz.grids import Grid
from nestviz.kernels import GaussianKernel, median_distance
from nestviz.ui.pages.theory import examples as mini
from nestviz.ui.results.cache import kept
from nestviz.ui.widgets.charts import chart

SIZES = (40, 160, 640)
RESISTED_NU = 0.3
"""A ν at which the forty points have outliers with some slack."""
SHARES = np.linspace(-1.0, 2.0, 61)
"""Moves of an outlier, in units of its slack."""


@dataclass(frozen=True, eq=False)
class Fractions:
    """The exact path of some points, and the fractions along it."""

    X: FloatArray
    grid: Grid
    path: Any
    curve: NuCurve

    def set_at(self, nu: float) -> tuple[Rings, NDArray[np.int8]]:
        """Return the outline of the set, and the group of each point."""
        level = self.path.level_of_nu(nu)
        field = self.path.family_.values(self.grid, level).reshape(self.grid.shape)
        return outline(field, self.grid), self.path.sets(level)


@dataclass(frozen=True, eq=False)
class Resistance:
    """An outlier that moves parallel to w, and the effect on the hyperplane."""

    K: FloatArray
    places: FloatArray
    outlier: int
    limit: float
    moves: tuple[MovedOutlier, ...]

    def values(self, share: float) -> FloatArray:
        """Return the decision function on the pixels after a move by a share of the slack."""
        delta = share * self.limit
        return moved_outlier_values(self.K, self.places, RESISTED_NU, self.outlier, delta)


@kept("Following the path …")
def fractions(n: int) -> Fractions:
    """Return the content of the first example for n points."""
    from nestviz.estimators import OneClassPath

    if n == SIZES[0]:
        small = mini.tiny()
        return Fractions(small.X, small.grid, small.path, nu_curve(small.path))
    X = make_sample("banana", 2, n=n).X
    path = OneClassPath(mini.WIDTH * median_distance(X)).fit(X)
    return Fractions(X, Grid.around(X, resolution=mini.PIXELS), path, nu_curve(path))


@kept()
def resistance() -> Resistance:
    """Return the content of the second example."""
    small = mini.tiny()
    kernel = GaussianKernel(small.sigma)
    K, places = kernel.gram(small.X, small.X), kernel.gram(small.X, small.grid.points())
    level = small.path.level_of_nu(RESISTED_NU)
    # The outlier with the lowest value.
    outlier = int(small.path.family_.values(small.X, level).argmin())
    limit = move_outlier(K, RESISTED_NU, outlier, 0.0).limit
    moves = tuple(move_outlier(K, RESISTED_NU, outlier, share * limit) for share in SHARES)
    return Resistance(K, places, outlier, limit, moves)


VIEWS = ("Fractions", "Move an outlier")


def show() -> None:
    """Show one of the two examples."""
    view = st.segmented_control(
        "Show", VIEWS, default=VIEWS[0], required=True, key="theory_nu_view",
        help="What ν says about fractions, or what an outlier can do to the set.",
    )  # fmt: skip
    if view == VIEWS[0]:
        _fractions()
    else:
        _resistance()


def _fractions() -> None:
    from nestviz.figures.nu import nu_property_figure, nu_set_figure

    first, second = st.columns([3, 1], gap="medium")
    nu = first.slider(
        "ν", 0.02, 1.0, 0.3, 0.01, key="theory_nu",
        help="The share of the points that the set may leave outside.",
    )  # fmt: skip
    n = second.select_slider(
        "Points", SIZES, key="theory_n", help="With more points both fractions come closer to ν."
    )
    found = fractions(n)
    rings, codes = found.set_at(nu)
    outliers, support = int((codes == 0).sum()), int((codes <= 1).sum())
    left, right = st.columns(2)
    with left:
        alt = f"The set of the one-class SVM at ν = {nu:.2f}: {outliers} of {n} points lie outside"
        chart(nu_set_figure(found.X, codes, rings), "theory_nu_set", 360, alt)
    with right:
        alt = (
            f"Fractions of support vectors and of outliers over ν, with ν between the two: "
            f"{support / n:.1%} and {outliers / n:.1%} at ν = {nu:.2f}"
        )
        chart(nu_property_figure(found.curve, nu), "theory_nu_curve", 360, alt)
    st.caption(
        f"At ν = {nu:.2f}: {outliers} of {n} points are outliers, {outliers / n:.1%} ≤ ν; "
        f"{support} have a coefficient, {support / n:.1%} ≥ ν. {support - outliers} are on the "
        "boundary."
    )


def _resistance() -> None:
    from nestviz.figures.nu import nu_set_figure, resistance_figure

    found, small = resistance(), mini.tiny()
    percent = st.slider(
        "Move an outlier towards the set by", -100, 200, 50, 5, format="%d%% of its slack",
        key="theory_move",
        help="The slack is how far the point is from the hyperplane. Less than zero moves it away.",
    )  # fmt: skip
    share = percent / 100
    move = move_outlier(found.K, RESISTED_NU, found.outlier, share * found.limit)
    before, after = (
        outline(found.values(s).reshape(small.grid.shape), small.grid) for s in (0.0, share)
    )
    codes = small.path.sets(small.path.level_of_nu(RESISTED_NU))
    left, right = st.columns(2)
    with left:
        figure = nu_set_figure(small.X, codes, after, before=before, ringed=found.outlier)
        alt = f"The set before and after an outlier has moved by {percent}% of its slack"
        chart(figure, "theory_moved_set", 360, alt)
    with right:
        angles = np.array([entry.angle for entry in found.moves])
        alt = (
            "The hyperplane does not turn before the moved outlier reaches it; at "
            f"{percent}% it has turned by {np.degrees(move.angle):.1f}°"
        )
        chart(resistance_figure(SHARES, angles, share), "theory_turn", 360, alt)
    still = move.change < 1e-6
    st.caption(
        f"ν = {RESISTED_NU}; point {found.outlier} has moved by {percent}% of its slack along w, "
        "in feature space. "
        + (
            "No coefficient has changed, and neither has the set."
            if still
            else "It is no outlier any more, and the hyperplane has turned by "
            f"{np.degrees(move.angle):.1f}°."
        )
    )
