"""Chapter 14: sets that should hold given shares, one by one and in one problem."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nestviz.analysis.coverage import coverage_ratio
from nestviz.data import make_sample
from nestviz.grids import Grid
from nestviz.kernels import median_distance
from nestviz.ui.pages.theory.play import play
from nestviz.ui.results.cache import kept
from nestviz.ui.scene.scene import Panel, Scale, Scene

QUANTILES = np.round(np.linspace(0.1, 0.9, 9), 2)
WIDTH, HELD_OUT = 0.3, 400


@kept("Solving nine quantiles twice …")
def quantile_sets() -> Scene:
    """Return the sets of nine quantiles by both ways, and their mass on held-out points."""
    from nestviz.estimators import IndependentOneClassSVM, QuantileOneClassSVM

    X, fresh = make_sample("banana", 2, n=80).X, make_sample("banana", 7, n=HELD_OUT).X
    sigma = WIDTH * median_distance(X)
    families = {
        "one by one": IndependentOneClassSVM(sigma, QUANTILES).fit(X).family_,
        "q-OCSVM, in one problem": QuantileOneClassSVM(sigma, QUANTILES).fit(X).family_,
    }
    apart, shared = (coverage_ratio(f, fresh, QUANTILES).masses for f in families.values())
    captions = [
        f"for {q:.0%}: {a:.0%} of {HELD_OUT} new points inside one by one, {b:.0%} in one problem"
        for q, a, b in zip(QUANTILES, apart, shared, strict=True)
    ]
    classes = np.zeros(len(X), np.uint8)
    return Scene(
        panels=[Panel(title, X, classes, family) for title, family in families.items()],
        scale=Scale("quantile", QUANTILES, QUANTILES, "1%"),
        view=Grid.around(X).inner_box,
        alt="Sets of nine quantiles, solved one by one and in one problem",
        axis_names=("x1", "x2"),
        captions=captions,
        overlay_name="was inside, now outside",
        stepwise=True,
        stops_per_second=2.0,
        start=6,
    )


def show() -> None:
    """Show the sets of both ways over the quantile."""
    play(quantile_sets(), "quantiles")
    st.caption(
        "Eighty training points, nine quantiles. Striped: in the set of a smaller quantile, but "
        "not in this one."
    )
