"""The Bandwidth page: integrated volume by width, and what the sets of a width look like."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nestviz.ui.compute import width_search
from nestviz.ui.compute.methods import ONE_CLASS, Spec
from nestviz.ui.compute.width_search import WidthSearch
from nestviz.ui.data_choice import Current
from nestviz.ui.pages.bandwidth.results import Choice, margins_in_words, mass_volume, volume_figure
from nestviz.ui.results import cache, fits, jobs
from nestviz.ui.session.view import change, stop_page
from nestviz.ui.widgets import fit_controls, inputs
from nestviz.volume import extrapolation
from nestviz.volume.bandwidth import WIDTHS
from nestviz.volume.reference import MARGIN
from nestviz.volume.selection import at_end_in_words

NARROWEST, WIDEST = 0.05, 2.0
"""Widths that the slider of all pages can take, in median distances."""
BOXES = (0.0, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5)
"""Margins of the box to choose from."""
FEWEST = 4
_LAST = "bandwidth_search"


def controls(current: Current) -> Choice:
    """What to search, and the width in use on all pages."""
    left, middle, right = st.columns(3, gap="medium")
    with left:
        searched = {name: ONE_CLASS[name] for name in width_search.METHODS}
        method = fit_controls.method("Sets of", searched, "nested one-class SVM", key="sets")
    with middle:
        widths = inputs.slider(
            "widths",
            "Widths to try",
            WIDTHS,
            step=2,
            help="Spaced evenly by ratio, from a fifteenth of the average distance between points "
            "to ten times that distance. Where the narrowest is best, narrower ones are added.",
        )
        folds = inputs.slider(
            "folds",
            "Folds",
            5,
            help="The points are split into this many parts; each is held out once. More folds "
            "take longer and leave more points to learn from.",
        )
    with right:
        fit_controls.width(current)
    with left:
        margin = _margin()
    return Choice(method, widths, min(folds, current.fitted.n), margin)


def _margin() -> float:
    return inputs.place(
        "box",
        "Margin of the box",
        BOXES,
        MARGIN,
        lambda share: f"{share:g}",
        help="Volumes are measured in a box around the points. The margin is how far it reaches "
        "beyond them on each side, as a share of their spread.",
    )


def find(current: Current, choice: Choice) -> WidthSearch:
    """The search, done by a worker process; after Cancel, what it had by then."""
    data = current.fitted
    distinct = len(np.unique(data.X, axis=0))
    if distinct < FEWEST:
        st.info(
            f"There are {distinct} different points. A width is judged by points held out, and "
            f"that takes {FEWEST} or more: choose other data in the sidebar.",
            icon=":material/group_add:",
        )
        stop_page()
    found = jobs.run(
        (data, choice),
        width_search.search,
        choice.method,
        data.X,
        choice.widths,
        choice.folds,
        choice.margin,
        title="Searching the width",
        partial=True,
    )
    assert found is not None  # only a search that was stopped early has nothing to show
    return found


def show(current: Current, choice: Choice, found: WidthSearch) -> int:
    """The two curves; returns the place of the width that is looked at."""
    selection = found.selection
    _fresh_look(current, choice, selection.sigmas.size)
    _numbers(current, found)
    left, right = st.columns([6, 5], gap="large")
    with left:
        st.markdown("**Integrated volume by width**")
        st.plotly_chart(
            _volume_figure(current, choice, found),
            key="volumes",
            height=400,
            on_select=partial(_take_click, "volumes", selection.sigmas),
            selection_mode="points",
            alt="Integrated volume over the width, its minimum, and the widths of other rules",
            config={"displaylogo": False},
        )
        place = inputs.place(
            "look",
            "Width to look at",
            range(selection.sigmas.size),
            selection.best,
            lambda k: _words(selection.sigmas[k]),
            help="Or click a point of the curve. At first the width of least integrated volume.",
        )
    with right:
        st.markdown("**Mass and volume of the sets**")
        st.plotly_chart(
            mass_volume(found, place),
            key="masses",
            height=400,
            alt="Volume over mass for every width, with the chosen one and the best one marked",
            config={"displaylogo": False},
        )
        st.caption(
            "Each line follows the sets of one width from small to large: how much of the box they "
            "fill to hold a share of points they have not seen. Lower is better."
        )
    return place


def show_width(current: Current, found: WidthSearch, place: int) -> list[Spec]:
    """The width looked at, and a button to take it; returns its sets, un-nested and nested."""
    sigma = float(found.selection.sigmas[place])
    share = sigma / fits.median_distance(current.fitted)
    words, button = st.columns([3, 2], gap="medium", vertical_alignment="center")
    words.markdown(
        f"**Sets at σ = {sigma:.3g}** ({share:.2f} median distances)"
        + (", the width of least volume" if place == found.selection.best else "")
    )
    with button:
        st.button(
            f"Use σ = {sigma:.3g} on all pages",
            key="use",
            icon=":material/check:",
            type="primary",
            on_click=_use,
            args=(share,),
            help="Sets the width on this page and on all others.",
        )
    if not NARROWEST <= share <= WIDEST:
        nearest = np.clip(share, NARROWEST, WIDEST)
        st.caption(
            f"Other pages take widths from {NARROWEST} to {WIDEST:g} median distances: they would "
            f"use {nearest:g}."
        )
    return [Spec("one-class SVM", sigma), Spec("nested one-class SVM", sigma)]


def _volume_figure(current: Current, choice: Choice, found: WidthSearch) -> Any:
    """Kept, so that the chart that is clicked stays the same to the byte."""
    if not found.selection.complete:
        return volume_figure(found)
    key = ("integrated volume figure", current.fitted, choice)
    return cache.keep(key, lambda: volume_figure(found))


def _numbers(current: Current, found: WidthSearch) -> None:
    selection, best = found.selection, found.selection.best
    if not selection.complete:
        st.warning(
            f"A part of the search only: {selection.sigmas.size} of {found.wanted} widths were "
            "tried, spread over the whole range. The least of them need not be the least of all.",
            icon=":material/hourglass_bottom:",
        )
    value, spread = selection.values[best], selection.spreads[best]
    error = spread / np.sqrt(selection.fold_values.shape[1])
    close = selection.sigmas[selection.values <= value + error]
    unit = fits.median_distance(current.fitted)
    cells = st.columns(3)
    cells[0].metric(
        "Width of least volume",
        f"{selection.sigma:.3g}",
        help=f"σ*, in the units of the data; {selection.sigma / unit:.2f} times the median "
        "distance between points.",
    )
    cells[1].metric(
        "Integrated volume",
        f"{value:.3g} ± {error:.1g}",
        help="The area under the mass-volume curve at σ*, as a share of the box around the points, "
        "with the standard error over folds. It is also the probability that a point drawn evenly "
        "from the box enters before a held-out one; sets without information reach 0.5.",
    )
    cells[2].metric(
        "As good as the least",
        f"{close[0]:.3g}" if close.size == 1 else f"{close[0]:.3g} – {close[-1]:.3g}",
        help="From the narrowest to the widest σ whose volume is within one standard error of the "
        "least: between them the data hardly decide.",
    )
    _notes(found)


def _notes(found: WidthSearch) -> None:
    """What the least volume may depend on: the end of the grid, the box, the small levels."""
    selection = found.selection
    if selection.at_end and selection.complete:
        st.info(at_end_in_words(selection.at_end, selection.sigma), icon=":material/info:")
    words = [
        margins_in_words(found),
        extrapolation.in_words(selection.extrapolated),
        f"The rule of support vectors stops at the {found.counted_end} end of the widths, so it "
        "says little."
        if found.counted_end
        else "",
    ]
    st.caption(" ".join(sentence for sentence in words if sentence))


def _fresh_look(current: Current, choice: Choice, count: int) -> None:
    """Look at the best width of every new search, and at the one in the link of the first."""
    search = (current.fitted.fingerprint, choice, count)
    if st.session_state.setdefault(_LAST, search) != search:
        st.session_state[_LAST] = search
        change(look=None)


def _words(sigma: float) -> str:
    """Write a width as the slider and the address do."""
    return f"{sigma:.3g}"


def _take_click(key: str, sigmas: NDArray[np.float64]) -> None:
    points = st.session_state[key]["selection"]["points"]
    places = [point["customdata"] for point in points if "customdata" in point]
    if places:
        first = places[0]
        change(look=_words(sigmas[int(first[0] if isinstance(first, list) else first)]))


def _use(share: float) -> None:
    change(width=float(np.clip(round(share, 4), NARROWEST, WIDEST)))
