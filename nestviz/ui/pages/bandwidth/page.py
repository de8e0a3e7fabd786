"""The Bandwidth page: integrated volume over the width, and the sets of the width pointed at."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nestviz.figures.bandwidth import margin_effect_figure
from nestviz.ui import data_warnings
from nestviz.ui.compute import width_search
from nestviz.ui.compute.methods import ONE_CLASS, Spec
from nestviz.ui.compute.width_search import WidthSearch
from nestviz.ui.data_choice import Current
from nestviz.ui.export import panel, scripts
from nestviz.ui.page_frame import page
from nestviz.ui.pages.bandwidth import auc, certainty, curve, results, sets
from nestviz.ui.pages.bandwidth.results import BandwidthSettings
from nestviz.ui.panels import fit_controls, least_volume, other_data, sweep
from nestviz.ui.results import fits, jobs
from nestviz.ui.scene.scene import Layer
from nestviz.ui.session.view import change
from nestviz.ui.widgets import inputs
from nestviz.ui.widgets.charts import chart
from nestviz.ui.widgets.metrics import metrics
from nestviz.volume import extrapolation
from nestviz.volume.bandwidth import WIDTHS
from nestviz.volume.reference import MARGIN
from nestviz.volume.selection import at_end_in_words

BOXES = (0.0, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5)
"""Margins of the box to choose from."""
DETAILS = ("mass and volume", "certainty", "box", "set of a mass", "density")
"""What is shown below the sets."""
LAYERS: tuple[Layer, ...] = ("levels", "outline", "fill", "overlay")
"""All levels at once: the volume is integrated over them."""
FEWEST = 4
HEIGHT = 350
"""Height of the pictures in pixels."""
_LAST = "bandwidth_search"


@page("Bandwidth")
def render(current: Current) -> None:
    """Render the page."""
    settings = _controls(current)
    found = _search(current, settings)
    if found.selection.complete and settings.method == "nested one-class SVM":
        least_volume.keep(current.fitted, found.selection.sigma)
    _look_at_the_best(current, settings, found)
    used = curve.width_in_use(current)
    knob = curve.knob(found, used, certainty.known(current, settings, found))
    sigma, selection = knob.value, found.selection
    # Above the pictures: on a small screen a button below them is not seen.
    curve.show_use(current, sigma, used, best=sigma == selection.sigma)
    shown = sweep.show(
        current,
        [Spec(settings.method, sigma)],
        key="bandwidth",
        knobs=[knob],
        height=HEIGHT,
        shown=LAYERS,
    )
    fit_controls.data_note(current)
    _numbers(current, found)
    data_warnings.show(current, sigma, inside=shown.inside)
    place = int(np.abs(np.log(selection.sigmas / sigma)).argmin())
    _details(current, settings, found, place, sigma)
    auc.show(current, settings)
    panel.show(
        current,
        name="bandwidth",
        code=scripts.script(current, *results.lines(settings)),
        figures={
            "Integrated volume": lambda: results.volume_figure(found),
            "Mass and volume": lambda: results.mass_volume(found, place),
            "Margins": lambda: margin_effect_figure(found.margins, settings.margin),
        },
        tables={
            "widths": lambda: results.table(found),
            "margins": lambda: results.margins_table(found),
            "density": lambda: sets.density_table(current, settings, sigma),
        },
        sweep=shown.still,
    )


def _controls(current: Current) -> BandwidthSettings:
    """Show the controls of the search."""
    left, middle, right, more = st.columns([4, 3, 3, 2], gap="medium", vertical_alignment="bottom")
    with left:
        searched = {name: ONE_CLASS[name] for name in width_search.METHODS}
        method = fit_controls.method("sets", searched, "nested one-class SVM")
    with middle:
        margin = inputs.value_slider("box", BOXES, MARGIN, lambda share: f"{share:g}")
    with right:
        widths = inputs.slider("widths", WIDTHS)
    with more, st.popover("More", icon=":material/tune:", help="Own widths, and folds."):
        usual = auc.widths_of(current.fitted, widths, "all points", current.fitted.X)
        own = fit_controls.own_widths(current, usual)
        folds = inputs.slider("folds", 5)
    unit = fits.median_distance(current.fitted)
    tried = tuple(width * unit for width in own) or widths
    return BandwidthSettings(method, tried, min(folds, current.fitted.n), margin)


def _search(current: Current, settings: BandwidthSettings) -> WidthSearch:
    """Search in a worker process; after Cancel, return the widths tried so far."""
    data = current.fitted
    distinct = len(np.unique(data.X, axis=0))
    if distinct < FEWEST:
        other_data.ask(
            f"{other_data.counted(distinct)}. A width is evaluated on held-out points, which "
            f"takes {FEWEST} or more."
        )
    found = jobs.run(
        (data, settings),
        width_search.search,
        settings.method,
        data.X,
        settings.widths,
        settings.folds,
        settings.margin,
        title="Searching for the width",
        partial=True,
        preview=curve.preview,
    )
    assert found is not None  # only a search that was stopped early has nothing to show
    return found


def _look_at_the_best(current: Current, settings: BandwidthSettings, found: WidthSearch) -> None:
    """Look at the best width of every new search, and at that of the link for the first."""
    search = (current.fitted.fingerprint, settings, found.selection.sigmas.size)
    if st.session_state.setdefault(_LAST, search) != search:
        st.session_state[_LAST] = search
        change(look=None)


def _numbers(current: Current, found: WidthSearch) -> None:
    selection, best = found.selection, found.selection.best
    if not selection.complete:
        st.warning(
            f"The search is incomplete: {selection.sigmas.size} of {found.wanted} widths were "
            "tried, spread over the whole range. The best of them need not be the best of all.",
            icon=":material/hourglass_bottom:",
        )
    low, high = selection.as_good
    values = {
        "sigma": f"{selection.sigma:.3g}",
        "volume": f"{selection.values[best]:.3g} ± {selection.standard_errors[best]:.1g}",
        "close": f"{low:.3g}" if low == high else f"{low:.3g} – {high:.3g}",
    }
    share = selection.sigma / fits.median_distance(current.fitted)
    metrics("pages/bandwidth", values, compact=True, share=share)
    if selection.at_end and selection.complete:
        st.info(at_end_in_words(selection.at_end, selection.sigma), icon=":material/info:")
    notes = [
        curve.as_good_in_words(selection),
        results.margins_in_words(found),
        extrapolation.in_words(selection.extrapolated),
    ]
    if found.counted_end:
        notes.append(
            f"The rule of support vectors stops at the {found.counted_end} end of the widths, so "
            "it says little."
        )
    st.caption(" ".join(note for note in notes if note))


def _details(
    current: Current, settings: BandwidthSettings, found: WidthSearch, place: int, sigma: float
) -> None:
    """Show one further view of the search or of the sets."""
    detail = inputs.segments("detail", DETAILS)
    if detail == "mass and volume":
        tried, best = found.selection, found.selection.best
        alt = (
            f"Volume over mass for {tried.sigmas.size} widths. The integrated volume is "
            f"{tried.values[place]:.3g} at σ = {tried.sigmas[place]:.3g}, shown here, and least, "
            f"{tried.values[best]:.3g}, at σ = {tried.sigma:.3g}."
        )
        chart(results.mass_volume(found, place), "masses", 400, alt)
        st.caption(
            "Each line follows the sets of one width from small to large: the share of the box "
            "that they fill over the share of held-out points that they contain. Lower is better."
        )
    elif detail == "certainty":
        certainty.show(current, settings, found)
    elif detail == "box":
        alt = (
            "Integrated volume over the width in boxes of several margins, their minima marked. "
            f"{results.margins_in_words(found)}"
        )
        chart(margin_effect_figure(found.margins, settings.margin), "margins", 380, alt)
        st.caption(results.margins_in_words(found))
    elif detail == "set of a mass":
        sets.show_mass(current, settings, sigma)
    else:
        sets.show_density(current, settings, sigma)
