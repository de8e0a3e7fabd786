"""The One class page: two one-class methods side by side."""

from __future__ import annotations

from typing import Any

import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.compute.methods import ONE_CLASS, Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.page_frame import page
from nestviz.ui.panels import (
    bands,
    certificate,
    exports,
    fit_controls,
    nesting_metrics,
    point_card,
    sweep,
)


@page("One class")
def render(current: Current) -> None:
    """Render the page."""
    left, right, more = st.columns(3, gap="medium", vertical_alignment="bottom")
    with left:
        first = fit_controls.method("left", ONE_CLASS, "one-class SVM")
    with right:
        second = fit_controls.method("right", ONE_CLASS, "nested one-class SVM")
    width, others = fit_controls.width_knob(current), fit_controls.knobs_of_methods(first, second)
    sigma = fit_controls.shown_value(width)
    given: dict[str, Any] = {knob.key: knob.value for knob in others}
    with more, st.popover("Levels and slider", icon=":material/tune:"):
        over = fit_controls.sweep_over()
        levels = fit_controls.levels(unless="shares")
        spacing = fit_controls.spacing(unless="shares")
        usual = Spec("nested one-class SVM", sigma, levels, spacing=spacing)
        own = fit_controls.own_levels(current, usual)
        bands.method_control()
    specs = [
        Spec(name, sigma, levels, spacing=spacing, own=own, **given) for name in (first, second)
    ]
    shown = sweep.show(
        current, specs, key="one-class", knobs=[width, *others], over=over, parts=sweep.BANDED
    )
    certificate.show(current, shown.fits)
    fit_controls.data_note(current)
    data_warnings.show(current, sigma, inside=shown.inside)
    nesting_metrics.show(current, shown)
    point_card.show(current, shown.fits, shown.level, shown.top)
    exports.show(current, shown)
    shown.complete_band()
