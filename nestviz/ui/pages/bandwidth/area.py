"""How much the width matters: AUC over the width, nested against un-nested sets."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nestviz.arrays import FloatArray
from nestviz.data import Dataset
from nestviz.ui.compute import width_search
from nestviz.ui.compute.methods import ONE_CLASS
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.bandwidth.results import Choice
from nestviz.ui.results import cache, jobs
from nestviz.ui.widgets import inputs

COMPARED = ("one-class SVM", "nested one-class SVM")
FEWEST = 10
"""Points of a class below which a curve would show chance only."""


def show(current: Current, choice: Choice) -> None:
    """A switch, and behind it the comparison, which takes a search of its own."""
    st.markdown("**How much does the width matter?**")
    wanted = inputs.toggle(
        "areas",
        "Compare nested and plain sets over all widths",
        help="Fits both one-class SVMs at every width and measures how well they separate held-out "
        "points from other points. Takes longer than the search above.",
    )
    if wanted:
        _compare(current, choice)


def _compare(current: Current, choice: Choice) -> None:
    nominal, others, words = _sides(current)
    if len(nominal) < FEWEST or (others is not None and len(others) < FEWEST):
        st.info(
            f"A class has fewer than {FEWEST} points: too few to compare methods. Choose the "
            "uniform alternative, or data with more points of both classes.",
            icon=":material/group_add:",
        )
        return
    found = jobs.run(
        (current.fitted, choice.widths, choice.folds, words),
        width_search.compare_areas,
        COMPARED,
        nominal,
        others,
        _widths(current.fitted, words, choice.widths, nominal),
        choice.folds,
        title="Comparing over all widths",
        partial=True,
    )
    assert found is not None  # only a search that was stopped early has nothing to show
    if found.sigmas.size < found.wanted:
        st.warning(
            f"A part only: {found.sigmas.size} of {found.wanted} widths were tried.",
            icon=":material/hourglass_bottom:",
        )
    _chart(found, words)


def _chart(found: width_search.AreaSearch, words: str) -> None:
    from nestviz.figures.bandwidth import area_by_width_figure

    titles = {ONE_CLASS[name].title: table for name, table in found.areas.items()}
    st.plotly_chart(
        area_by_width_figure(found.sigmas, titles),
        key="area_chart",
        height=360,
        alt="AUC over the width for the one-class SVM and the nested one-class SVM",
        config={"displaylogo": False},
    )
    plain, nested = (found.areas[name].mean(axis=1) for name in COMPARED)
    st.caption(
        f"Fitted to {words}. From the best width to the worst the AUC falls by "
        f"{np.ptp(plain):.3f} without nesting and by {np.ptp(nested):.3f} with it; the nested sets "
        f"are ahead at {np.count_nonzero(nested > plain)} of {found.sigmas.size} widths. Bands: "
        "one standard deviation over folds (after Lee & Scott 2010, fig. 8)." + _extrapolated(found)
    )


def _extrapolated(found: width_search.AreaSearch) -> str:
    """Up to what share of the points the methods rank below their smallest solved level."""
    most = {name: float(found.extrapolated[name].max()) for name in COMPARED}
    if not max(most.values()) > 0:
        return ""
    shares = " and ".join(f"{most[name]:.0%} ({ONE_CLASS[name].title})" for name in COMPARED)
    return (
        f" Ranked by extrapolation, below the smallest solved level: up to {shares} of the points."
    )


def _sides(current: Current) -> tuple[FloatArray, FloatArray | None, str]:
    """Return the training points, the alternative points, and a description of both."""
    data = current.fitted
    uniform = "points drawn evenly from the box around them"
    if data.y is None:
        return data.X, None, f"all points, separated from {uniform}"
    left, right = st.columns(2, gap="medium")
    learned = inputs.segments(
        "learn",
        "Fit to",
        ["class −1", "class +1"],
        "class −1",
        draw=left.segmented_control,
        help="The class whose points count as ordinary. The labels are used for nothing else.",
    )
    alternative = inputs.segments(
        "alternative",
        "Separate from",
        ["the other class", "uniform points"],
        "the other class",
        draw=right.segmented_control,
        help="The points with which held-out ordinary points are compared.",
    )
    sign = -1 if learned == "class −1" else 1
    nominal = data.X[data.y == sign]
    if alternative == "uniform points":
        return nominal, None, f"{learned}, separated from {uniform}"
    return nominal, data.X[data.y == -sign], f"{learned}, separated from the other class"


@cache.kept()
def _widths(data: Dataset, words: str, count: int, _points: FloatArray) -> tuple[float, ...]:
    from nestviz.volume import default_sigmas

    return tuple(default_sigmas(_points, count).tolist())
