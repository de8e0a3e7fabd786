"""The Two classes page: two cost-sensitive methods side by side, and their ROC curves."""

from __future__ import annotations

import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.compute.methods import TWO_CLASS, Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.page_frame import page
from nestviz.ui.pages.two_classes import choice, label_sets
from nestviz.ui.panels import (
    bands,
    certificate,
    exports,
    fit_controls,
    labels,
    nesting_metrics,
    point_card,
    roc,
    sweep,
)


@page("Two classes")
def render(current: Current) -> None:
    """Render the page."""
    current = labels.labelled(current)
    left, right, more = st.columns(3, gap="medium", vertical_alignment="bottom")
    with left:
        first = fit_controls.method("left2", TWO_CLASS, "cost-sensitive SVM")
    with right:
        second = fit_controls.method("right2", TWO_CLASS, "nested cost-sensitive SVM")
    width = fit_controls.width_knob(current)
    sigma = fit_controls.shown_value(width)
    regularisation = fit_controls.regularisation_knob(current, sigma)
    lam = fit_controls.shown_value(regularisation)
    with more, st.popover("Asymmetries", icon=":material/tune:"):
        levels = fit_controls.levels("two classes", unless="gammas")
        spacing = fit_controls.spacing("two classes", unless="gammas")
        usual = Spec("nested cost-sensitive SVM", sigma, levels, lam, spacing)
        own = fit_controls.own_asymmetries(current, usual)
        bands.method_control()
    specs = [
        Spec(name, sigma, levels, lam, spacing, own=own, kind="two classes")
        for name in (first, second)
    ]
    shown = sweep.show(
        current, specs, key="two-class", knobs=[width, regularisation], parts=sweep.BANDED
    )
    certificate.show(current, shown.fits)
    fit_controls.data_note(current)
    data_warnings.show(current, sigma, two_classes=True, inside=shown.inside)
    nesting_metrics.show(current, shown)
    point_card.show(current, shown.fits, shown.level, shown.top)
    figures = roc.show(current, shown)
    figures |= choice.show(current, (sigma, lam), usual, own)
    found = label_sets.show(current, sigma)
    exports.show(current, shown, {**figures, **found.figures}, found.lines)
    shown.complete_band()
