"""How much the width matters: AUC over the width, for nested and un-nested sets."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nestviz.arrays import FloatArray
from nestviz.data import Dataset
from nestviz.figures.bandwidth import area_by_width_figure
from nestviz.ui.compute import width_search
from nestviz.ui.compute.methods import ONE_CLASS
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.bandwidth.results import BandwidthSettings
from nestviz.ui.results import cache, jobs
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart
from nestviz.volume import default_sigmas

COMPARED = ("one-class SVM", "nested one-class SVM")
FEWEST = 10
"""Smallest class for which the curves mean anything."""


def show(current: Current, settings: BandwidthSettings) -> None:
    """Show a switch and, if it is on, the comparison, which needs a search of its own."""
    st.markdown("**How much does the width matter?**")
    if not inputs.toggle("areas"):
        return
    nominal, others, words = _sides(current)
    if len(nominal) < FEWEST or (others is not None and len(others) < FEWEST):
        st.info(
            f"A class has fewer than {FEWEST} points: too few to compare methods. Choose the "
            "uniform alternative, or data with more points of both classes.",
            icon=":material/group_add:",
        )
        return
    found = jobs.run(
        (current.fitted, settings.widths, settings.folds, words),
        width_search.compare_areas,
        COMPARED,
        nominal,
        others,
        widths_of(current.fitted, settings.widths, words, nominal),
        settings.folds,
        title="Comparing over all widths",
        partial=True,
    )
    assert found is not None  # only a search that was stopped early has nothing to show
    if found.sigmas.size < found.wanted:
        st.warning(
            f"Incomplete: {found.sigmas.size} of {found.wanted} widths were tried.",
            icon=":material/hourglass_bottom:",
        )
    _chart(found, words)


def _chart(found: width_search.AreaSearch, words: str) -> None:
    titles = {ONE_CLASS[name].title: table for name, table in found.areas.items()}
    best = (
        f"{title}, highest {table.mean(axis=1).max():.3f} at σ = "
        f"{found.sigmas[table.mean(axis=1).argmax()]:.3g}"
        for title, table in titles.items()
    )
    alt = f"AUC over the width: {'; '.join(best)}"
    chart(area_by_width_figure(found.sigmas, titles), "area_chart", 360, alt)
    plain, nested = (found.areas[name].mean(axis=1) for name in COMPARED)
    st.caption(
        f"Fitted to {words}. From the best width to the worst the AUC falls by "
        f"{np.ptp(plain):.3f} without nesting and by {np.ptp(nested):.3f} with it; the nested sets "
        f"are better at {np.count_nonzero(nested > plain)} of {found.sigmas.size} widths. Bands: "
        "one standard deviation over folds (after Lee & Scott 2010, fig. 8)." + _extrapolated(found)
    )


def _extrapolated(found: width_search.AreaSearch) -> str:
    """Describe the largest share of points that each method ranks by extrapolation."""
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
    uniform = "points drawn uniformly from the box around them"
    if data.y is None:
        return data.X, None, f"all points, separated from {uniform}"
    left, right = st.columns(2, gap="medium")
    with left:
        learned = inputs.segments("learn", ["class −1", "class +1"])
    with right:
        alternative = inputs.segments("alternative", ["the other class", "uniform points"])
    sign = -1 if learned == "class −1" else 1
    nominal = data.X[data.y == sign]
    if alternative == "uniform points":
        return nominal, None, f"{learned}, separated from {uniform}"
    return nominal, data.X[data.y == -sign], f"{learned}, separated from the other class"


@cache.kept()
def widths_of(
    data: Dataset, count: int | tuple[float, ...], part: str, _points: FloatArray
) -> tuple[float, ...]:
    """Return the widths of a search for some points, of which ``part`` is the name.

    ``count`` is their number, or the widths themselves.
    """
    if not isinstance(count, int):
        return count
    return tuple(default_sigmas(_points, count).tolist())
