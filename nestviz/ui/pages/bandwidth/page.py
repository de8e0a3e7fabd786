"""The Bandwidth page: integrated volume over the width, and the sets at one width."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from nestviz.arrays import FloatArray
from nestviz.ui import data_warnings
from nestviz.ui.compute import width_search
from nestviz.ui.compute.methods import ONE_CLASS, Spec
from nestviz.ui.compute.width_search import WidthSearch
from nestviz.ui.data_choice import Current
from nestviz.ui.export import panel, scripts
from nestviz.ui.page_frame import page
from nestviz.ui.pages.bandwidth import auc, results
from nestviz.ui.pages.bandwidth.results import BandwidthSettings
from nestviz.ui.panels import fit_controls, least_volume, sweep
from nestviz.ui.results import cache, fits, jobs
from nestviz.ui.session.view import change, stop_page
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart, clicked
from nestviz.ui.widgets.metrics import metrics
from nestviz.volume import extrapolation
from nestviz.volume.bandwidth import WIDTHS
from nestviz.volume.reference import MARGIN
from nestviz.volume.selection import at_end_in_words

NARROWEST, WIDEST = 0.05, 2.0
"""Range of the width slider of all pages, in median distances."""
BOXES = (0.0, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5)
"""Margins of the box to choose from."""
FEWEST = 4
_LAST = "bandwidth_search"


@page("Bandwidth")
def render(current: Current) -> None:
    """Render the page."""
    settings, used = _controls(current)
    found = _search(current, settings)
    if found.selection.complete and settings.method == "nested one-class SVM":
        least_volume.keep(current.fitted, found.selection.sigma)
    place = _curves(current, settings, found)
    sigma = float(found.selection.sigmas[place])
    _width_in_use(current, sigma, used, best=place == found.selection.best)
    specs = [Spec("one-class SVM", sigma), Spec("nested one-class SVM", sigma)]
    shown = sweep.show(current, specs, key="bandwidth", height=340)
    data_warnings.show(current, sigma, inside=shown.inside)
    auc.show(current, settings)
    panel.show(
        current,
        name="bandwidth",
        code=scripts.script(current, *results.lines(settings)),
        figures={
            "Integrated volume": lambda: results.volume_figure(found),
            "Mass and volume": lambda: results.mass_volume(found, place),
        },
        tables={
            "widths": lambda: results.table(found),
            "margins": lambda: results.margins_table(found),
        },
        sweep=shown.still,
    )


def _controls(current: Current) -> tuple[BandwidthSettings, float]:
    """Show the controls; return the settings of the search, and the width in use on all pages."""
    left, middle, right = st.columns(3, gap="medium")
    with left:
        searched = {name: ONE_CLASS[name] for name in width_search.METHODS}
        method = fit_controls.method("sets", searched, "nested one-class SVM")
    with middle:
        widths = inputs.slider("widths", WIDTHS)
        with st.popover("Widths, folds and box", icon=":material/tune:"):
            usual = auc.widths_of(current.fitted, widths, "all points", current.fitted.X)
            own = fit_controls.own_widths(current, usual)
            folds = inputs.slider("folds", 5)
            margin = inputs.value_slider("box", BOXES, MARGIN, lambda share: f"{share:g}")
    with right:
        used = fit_controls.width(current)
    unit = fits.median_distance(current.fitted)
    tried = tuple(width * unit for width in own) or widths
    return BandwidthSettings(method, tried, min(folds, current.fitted.n), margin), used


def _search(current: Current, settings: BandwidthSettings) -> WidthSearch:
    """Search in a worker process; after Cancel, return the widths tried so far."""
    data = current.fitted
    distinct = len(np.unique(data.X, axis=0))
    if distinct < FEWEST:
        stop_page(
            f"There are {distinct} different points. A width is evaluated on held-out points, "
            f"which takes {FEWEST} or more: choose other data in the sidebar."
        )
    found = jobs.run(
        (data, settings),
        width_search.search,
        settings.method,
        data.X,
        settings.widths,
        settings.folds,
        settings.margin,
        title="Searching the width",
        partial=True,
    )
    assert found is not None  # only a search that was stopped early has nothing to show
    return found


def _curves(current: Current, settings: BandwidthSettings, found: WidthSearch) -> int:
    """Show both curves; return the index of the width shown."""
    selection = found.selection
    # Look at the best width of every new search, and at that of the link for the first.
    search = (current.fitted.fingerprint, settings, selection.sigmas.size)
    if st.session_state.setdefault(_LAST, search) != search:
        st.session_state[_LAST] = search
        change(look=None)
    left, right = st.columns([6, 5], gap="large")
    with left:
        st.markdown("**Integrated volume by width**")
        chart(
            _volume_figure(current, settings, found),
            "volumes",
            400,
            "Integrated volume over the width, its minimum, and the widths of other rules",
            partial(_take_click, selection.sigmas),
        )
        place = inputs.value_slider(
            "look",
            range(selection.sigmas.size),
            selection.best,
            lambda k: _words(selection.sigmas[k]),
        )
    with right:
        st.markdown("**Mass and volume of the sets**")
        alt = "Volume over mass for every width, with the chosen one and the best one marked"
        chart(results.mass_volume(found, place), "masses", 400, alt)
        st.caption(
            "Each line follows the sets of one width from small to large: the share of the box "
            "that they fill over the share of held-out points that they contain. Lower is better."
        )
    _numbers(current, found)
    return place


def _volume_figure(current: Current, settings: BandwidthSettings, found: WidthSearch) -> Any:
    """Return the figure, cached: a chart that is clicked must stay the same to the byte."""
    if not found.selection.complete:
        return results.volume_figure(found)
    key = ("integrated volume figure", current.fitted, settings)
    return cache.keep(key, lambda: results.volume_figure(found))


def _width_in_use(current: Current, sigma: float, used: float, *, best: bool) -> None:
    """Show the width chosen, and a button that uses it on all pages instead of ``used``."""
    share = sigma / fits.median_distance(current.fitted)
    words, button = st.columns([3, 2], gap="medium", vertical_alignment="center")
    words.markdown(
        f"**Sets at σ = {sigma:.3g}** ({share:.2f} median distances)"
        + (", the width of least volume" if best else "")
        + (", in use on all pages" if np.isclose(sigma, used, rtol=1e-3) else "")
    )
    button.button(
        f"Use σ = {sigma:.3g} on all pages",
        key="use",
        icon=":material/check:",
        type="primary",
        on_click=_use,
        args=(sigma, float(np.clip(round(share, 4), NARROWEST, WIDEST))),
        help="Sets the width on this page and on all others.",
    )
    if not NARROWEST <= share <= WIDEST:
        nearest = np.clip(share, NARROWEST, WIDEST)
        st.caption(
            f"Other pages take widths from {NARROWEST} to {WIDEST:g} median distances: they would "
            f"use {nearest:g}."
        )


def _use(sigma: float, share: float) -> None:
    """Use a width on all pages."""
    change(width=share)
    st.toast(f"All pages now use σ = {sigma:.3g}.", icon=":material/check:")


def _numbers(current: Current, found: WidthSearch) -> None:
    selection, best = found.selection, found.selection.best
    if not selection.complete:
        st.warning(
            f"The search is incomplete: {selection.sigmas.size} of {found.wanted} widths were "
            "tried, spread over the whole range. The best of them need not be the best of all.",
            icon=":material/hourglass_bottom:",
        )
    value, spread = selection.values[best], selection.spreads[best]
    error = spread / np.sqrt(selection.fold_values.shape[1])
    close = selection.sigmas[selection.values <= value + error]
    values = {
        "sigma": f"{selection.sigma:.3g}",
        "volume": f"{value:.3g} ± {error:.1g}",
        "close": f"{close[0]:.3g}" if close.size == 1 else f"{close[0]:.3g} – {close[-1]:.3g}",
    }
    metrics("pages/bandwidth", values, share=selection.sigma / fits.median_distance(current.fitted))
    if selection.at_end and selection.complete:
        st.info(at_end_in_words(selection.at_end, selection.sigma), icon=":material/info:")
    notes = [results.margins_in_words(found), extrapolation.in_words(selection.extrapolated)]
    if found.counted_end:
        notes.append(
            f"The rule of support vectors stops at the {found.counted_end} end of the widths, so "
            "it says little."
        )
    st.caption(" ".join(note for note in notes if note))


def _words(sigma: float) -> str:
    """Write a width as the slider and the address do."""
    return f"{sigma:.3g}"


def _take_click(sigmas: FloatArray) -> None:
    if found := clicked("volumes", len(sigmas)):
        change(look=_words(sigmas[found[0][0]]))
