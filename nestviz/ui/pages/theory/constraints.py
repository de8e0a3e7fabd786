"""Chapter 8: the wedge that two levels allow, and the chain of all of them."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nestviz.arrays import FloatArray
from nestviz.ui.pages.theory import examples as mini
from nestviz.ui.results.cache import kept
from nestviz.ui.widgets.charts import chart

VIEWS = ("Two levels", "A chain of levels")


@kept()
def pair(high: int, low: int) -> tuple[tuple[float, float], FloatArray, FloatArray]:
    """Return two levels, given as percentages of λ₀, and their coefficients by both ways."""
    from nestviz.estimators import NestedOneClassSVM

    small = mini.tiny()
    levels = np.array([high, low]) / 100 * small.top
    together = NestedOneClassSVM(small.sigma, levels, tol=1e-10).fit(small.X)
    return (float(levels[0]), float(levels[1])), small.path.coefficients(levels), together.alpha_


def show() -> None:
    """Show the wedge or the chain."""
    view = st.segmented_control(
        "Show", VIEWS, default=VIEWS[0], required=True, key="theory_constraint_view",
        help="The constraint for M = 2 as a region, or α/λ along M levels.",
    )  # fmt: skip
    if view == VIEWS[0]:
        _wedge()
    else:
        _chain()


def _wedge() -> None:
    from nestviz.figures.theory import falling, wedge_figure

    low, high = st.slider(
        "Levels λ₂ and λ₁, as percentages of λ₀", 2, 100, (20, 40), key="theory_wedge",
        help="Two levels; the wedge opens as they move apart.",
    )  # fmt: skip
    low = min(low, high - 1)
    levels, plain, nested = pair(high, low)
    broken = int(falling(np.array(levels), plain)[0].sum())
    alt = (
        f"Coefficients of forty points at two levels, {low}% and {high}% of λ₀: {broken} lie "
        "outside the shaded wedge when solved one by one, none when solved together"
    )
    chart(wedge_figure(levels, 1 / len(mini.tiny().X), plain, nested), "theory_wedge_", 440, alt)
    st.caption(
        f"Each point twice: crosses and discs from two separate problems, diamonds from one. "
        f"Solved one by one, {broken} of 40 points break the constraint; solved together, none."
    )


def _chain() -> None:
    from nestviz.figures.theory import chain_figure, falling

    count = st.slider(
        "Levels M", 2, 21, 9, key="theory_levels", help="The number of levels of the chain."
    )
    panels = mini.chains(count)
    broken = [int(falling(levels, alpha).any(axis=0).sum()) for _, levels, alpha in panels]
    alt = (
        f"α divided by λ at {count} levels: solved one by one, {broken[0]} of 40 lines fall "
        "somewhere; solved together, all rise or rest"
    )
    chart(chain_figure(panels), "chain", 400, alt)
    st.caption(
        f"One line per point, from high levels to low ones. Solved one by one, {broken[0]} of 40 "
        f"points have a ratio that falls somewhere; solved together, {broken[1] or 'none'}."
    )
