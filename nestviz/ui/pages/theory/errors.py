"""Chapter 15: two error rates, reduced hulls, and the region of (ν₊, ν₋)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from nestviz.analysis.reduced_hulls import HullPair, hull_distances, hull_pair
from nestviz.arrays import FloatArray
from nestviz.ui.results.cache import kept
from nestviz.ui.widgets.charts import chart

NUS = np.linspace(0.02, 1.0, 50)


@dataclass(frozen=True, eq=False)
class Classes:
    """Two overlapping classes of different size, and the distances of their reduced hulls."""

    plus: FloatArray
    minus: FloatArray
    distances: FloatArray


@kept()
def classes() -> Classes:
    """Return the example of the chapter."""
    rng = np.random.default_rng(4)
    plus = rng.normal((1.0, 0.5), (0.8, 0.9), (20, 2))
    minus = rng.normal((-0.7, -0.2), (0.9, 0.8), (30, 2))
    return Classes(plus, minus, hull_distances(plus, minus, NUS))


def error_rates(found: HullPair, both: Classes) -> tuple[float, float]:
    """Return the false alarm rate and the miss rate on the training points."""
    alarms = (both.minus @ found.normal >= found.offset).mean()
    misses = (both.plus @ found.normal < found.offset).mean()
    return float(alarms), float(misses)


def show() -> None:
    """Show the hulls and the line between them, and the region."""
    from nestviz.figures.reduced_hulls import hulls_figure, region_figure

    left, right = st.columns(2, gap="medium")
    plus = left.slider(
        "ν₊", 0.05, 1.0, 0.6, 0.05, key="theory_nu_plus",
        help="The share of class +1 that may be margin errors.",
    )  # fmt: skip
    minus = right.slider(
        "ν₋", 0.05, 1.0, 0.4, 0.05, key="theory_nu_minus",
        help="The share of class −1 that may be margin errors.",
    )  # fmt: skip
    both = classes()
    found = hull_pair(both.plus, both.minus, plus, minus)
    words = _words(found, both)
    left, right = st.columns([3, 2])
    with left:
        alt = f"Two classes and their reduced hulls at ν₊ = {plus:g}, ν₋ = {minus:g}. {words}"
        chart(hulls_figure(found, both.plus, both.minus), "theory_hulls", 400, alt)
    with right:
        alt = (
            "The region of (ν₊, ν₋): above 1 there is no solution, near 0 the hulls meet and the "
            f"solution is trivial, between them a line separates them; {plus:g}, {minus:g} shown"
        )
        chart(region_figure(NUS, both.distances, (plus, minus)), "theory_region", 400, alt)
    st.caption(words)


def _words(found: HullPair, both: Classes) -> str:
    """Return what is seen."""
    if found.meet:
        return "The hulls meet: no line separates them, and the solution is trivial, w = 0."
    alarms, misses = error_rates(found, both)
    return (
        f"The hulls are {found.distance:.2f} apart. Of class −1, {alarms:.0%} are false alarms; of "
        f"class +1, {misses:.0%} are misses."
    )
