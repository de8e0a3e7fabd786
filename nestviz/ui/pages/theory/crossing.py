"""Chapter 5: the sum of kernels on a line against the falling level, and g at one location."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from nestviz.analysis.profiles import Profile, profile
from nestviz.arrays import FloatArray
from nestviz.families import SetFamily
from nestviz.ui.results.cache import kept
from nestviz.ui.widgets.charts import chart, clicked

POINTS = (-1.37, -0.68, -0.51, -0.47, -0.37, 0.05, 0.39, 0.45, 0.65, 0.89)
"""Ten points; a location in their middle drops out of the sets and returns."""
SIGMA = 0.45
LOW, HIGH, STEP = -2.4, 2.0, 0.05
SHARES = np.linspace(1.0, 0.04, 49)
"""Levels as shares of λ₀, from the smallest set to the largest."""
METHODS = ("one-class SVM", "nested SVM")
AT, KEY = "theory_location", "theory_profile"


@dataclass(frozen=True, eq=False)
class Line:
    """The points, and their families of sets."""

    X: FloatArray
    path: Any
    families: dict[str, SetFamily]
    profiles: dict[str, Profile]

    @property
    def top(self) -> float:
        """The level above which all coefficients are at their bound."""
        return float(self.path.breakpoints_[0])

    def stretches(self, name: str, x: float) -> FloatArray:
        """Return the shares of λ₀ between which a location is inside, the highest first."""
        return self.families[name].intervals(np.array([[x]]))[0][::-1] / self.top

    def course(self, x: float, shares: FloatArray) -> dict[str, FloatArray]:
        """Return g/λ at a location over the level, by method."""
        levels, at = shares * self.top, np.array([[x]])
        return {
            name: family.values(at, levels)[:, 0] / levels for name, family in self.families.items()
        }


@kept()
def line() -> Line:
    """Return the example of the chapter."""
    from nestviz.estimators import NestedOneClassSVM, OneClassPath

    X = np.array(POINTS)[:, None]
    path = OneClassPath(SIGMA).fit(X)
    models = dict(zip(METHODS, (path, NestedOneClassSVM(SIGMA, 21).fit(X)), strict=True))
    families = {name: model.family_ for name, model in models.items()}
    levels, count = SHARES * path.breakpoints_[0], round((HIGH - LOW) / STEP) + 1
    profiles = {
        name: profile(family, [LOW], [HIGH], levels, count) for name, family in families.items()
    }
    return Line(X, path, families, profiles)


def show() -> None:
    """Show the profile at a level, and g at a location over all levels."""
    found = line()
    first, second, third = st.columns([2, 2, 2], gap="medium")
    name = first.segmented_control(
        "Method", METHODS, default=METHODS[0], required=True, key="theory_line_method",
        help="Levels solved one by one, or together.",
    )  # fmt: skip
    share = second.select_slider(
        "Level, as a share of λ₀", [round(float(s), 2) for s in SHARES], 0.5, key="theory_level",
        help="The dashed line. Play in the picture moves it through all levels.",
    )  # fmt: skip
    x = third.slider(
        "Location x", LOW, HIGH, 0.0, STEP, key=AT, help="Or click a circle below the curve."
    )
    at = int(np.abs(SHARES - share).argmin())
    left, right = st.columns([3, 2])
    with left:
        _profile(found, name, at, x)
    with right:
        _course(found, share, x)
    inside = {m: _words(found.stretches(m, x)) for m in METHODS}
    st.caption(
        f"Ten points on a line. As λ falls from λ₀, x = {x:.2f} is inside {inside[METHODS[0]]} "
        f"for the one-class SVM, and {inside[METHODS[1]]} for the nested one."
    )


def _profile(found: Line, name: str, at: int, x: float) -> None:
    from nestviz.figures.profile import profile_figure

    shown = found.profiles[name]
    family = found.families[name]
    alpha, _ = family.coefficients_at(SHARES * found.top)
    here = int(np.abs(shown.points[:, 0] - x).argmin())
    spots = range(0, len(shown.at), 4)
    figure = profile_figure(shown, found.X[:, 0], alpha, at, here, spots)
    lost = float(shown.left[at].sum() * STEP)
    alt = (
        f"The sum of kernels of the {name} on a line and the level λ = {shown.thresholds[at]:.3f}; "
        f"{shown.inside[at].sum() * STEP:.1f} units of length are inside, {lost:.1f} were inside "
        "before and are not now; below, α/λ of each point"
    )
    chart(figure, KEY, 600, alt, on_select=_choose)


def _choose() -> None:
    """Take the location that was clicked."""
    count = round((HIGH - LOW) / STEP) + 1
    for (index,) in clicked(KEY, count):
        st.session_state[AT] = round(LOW + index * STEP, 2)


def _course(found: Line, share: float, x: float) -> None:
    from nestviz.figures.profile import course_figure

    shares = np.linspace(1.05, 0.01, 400)
    changes = found.stretches(METHODS[0], x).ravel()
    seen = changes[(changes > 0.005) & (changes <= 1.05)]
    figure = course_figure(shares, found.course(x, shares), share, seen)
    alt = (
        f"g/λ at x = {x:.2f} over the falling level: the one-class SVM changes its sign "
        f"{len(seen)} times, the nested one once at most"
    )
    chart(figure, "theory_course", 600, alt)


def _words(stretches: FloatArray) -> str:
    """Return the levels at which a location is inside, the highest first."""
    shown = [(a, b) for a, b in stretches if b > 0.005]
    if not shown:
        return "at no level"
    spans = [f"from {b:.2f} to {a:.2f}" if a > 0.005 else f"from {b:.2f} down" for a, b in shown]
    return " and ".join(spans)
