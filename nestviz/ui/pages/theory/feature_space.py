"""Chapter 2: the one-class SVM as a half-space in feature space, and its sets in the plane."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nestviz.analysis.nu.arcs import ArcSolution, solve_arc
from nestviz.arrays import FloatArray
from nestviz.ui.pages.theory import examples as mini
from nestviz.ui.pages.theory.play import play
from nestviz.ui.results.cache import kept
from nestviz.ui.widgets.charts import chart

VIEWS = ("Half-space", "Ball", "One class", "Two classes")


def directions() -> FloatArray:
    """Return the data: twenty-four directions in the quarter plane, in radians."""
    rng = np.random.default_rng(8)
    degrees = np.append(rng.normal(46.0, 16.0, 22), [8.0, 84.0])
    return np.radians(np.sort(np.clip(degrees, 4.0, 86.0)))


@kept()
def arc(nu: float) -> ArcSolution:
    """Return the one-class SVM of these directions."""
    return solve_arc(directions(), nu)


def show() -> None:
    """Show the half-space or the ball, or coefficients and sets along the level."""
    view = st.segmented_control(
        "Show", VIEWS, default=VIEWS[0], required=True, key="problem_mini",
        help="In feature space, or the sets in the plane over their level.",
    )  # fmt: skip
    if view in VIEWS[:2]:
        _feature_space(ball=view == VIEWS[1])
        return
    two_classes = view == VIEWS[3]
    play(mini.problem(two_classes), "problem-2" if two_classes else "problem")
    st.caption("Forty points, each as large as its coefficient α. Move the level.")


def _feature_space(ball: bool) -> None:
    from nestviz.figures.feature_space import arc_profile_figure, feature_space_figure

    nu = st.slider(
        "ν", 0.05, 0.9, 0.25, 0.05, key="theory_arc_nu", help="The softness of the margin."
    )
    found = arc(nu)
    outside, on = (int((found.codes == code).sum()) for code in (0, 1))
    inside = len(found.codes) - outside
    left, right = st.columns([3, 2])
    shape = f"a ball of radius {found.radius:.2f} around w" if ball else "a hyperplane"
    with left:
        alt = (
            f"Twenty-four points on a quarter of the unit circle and {shape}, "
            f"{found.distance:.2f} from the origin; {outside} points lie beyond"
        )
        chart(feature_space_figure(found, ball=ball), "theory_arc", 480, alt)
    with right:
        alt = f"The sum of kernels over the input and the offset ρ = {found.rho:.2f}"
        chart(arc_profile_figure(found), "theory_arc_profile", 480, alt)
    st.caption(
        f"ν = {nu:g}: {inside} of 24 points are inside, {on} of them on the boundary, and "
        f"{outside} outside; distance to the origin {found.distance:.3f}."
    )
