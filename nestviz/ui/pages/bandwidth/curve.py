"""The curve of integrated volume above the slider of the width, and the width in use."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from nestviz.arrays import FloatArray
from nestviz.kernels import AUTO_SHARE
from nestviz.ui.components.knob import knob as slider
from nestviz.ui.compute.width_search import WidthSearch
from nestviz.ui.data_choice import Current
from nestviz.ui.results import fits
from nestviz.ui.scene.knob_curve import KnobCurve
from nestviz.ui.scene.scene import Knob
from nestviz.ui.session.view import change
from nestviz.ui.session.view_rules import Number
from nestviz.ui.session.view_state import RULES
from nestviz.ui.widgets import inputs
from nestviz.volume import BandwidthBootstrap, BandwidthSelection

NAME = "Integrated volume, share of the box"
IN_USE = "in use on all pages"


def width_in_use(current: Current) -> float:
    """Return the width that other pages use, in units of the data."""
    share = inputs.setting("width", AUTO_SHARE)
    return float(share * fits.median_distance(current.fitted))


def knob(found: WidthSearch, used: float, resampled: BandwidthBootstrap | None = None) -> Knob:
    """Return the knob of the width that is looked at, with the curve above it."""
    selection = found.selection
    value = _tried(inputs.setting("look", selection.sigma), selection.sigmas)
    marks = (*rule_marks(found.rules), (used, f"{IN_USE} {used:.3g}"))
    low, high = _ends(selection.sigmas, [value, *(at for at, _ in marks)])
    drawn = curve(selection, resampled)
    label = inputs.CONTROLS["look"]["label"]
    return Knob("look", label, value, low, high, log=True, marks=marks, curve=drawn)


def curve(
    selection: BandwidthSelection,
    resampled: BandwidthBootstrap | None = None,
    *,
    still: bool = False,
) -> KnobCurve:
    """Return the curve of a search, with the band of its resamples if there are any."""
    low, high = selection.as_good
    return KnobCurve(
        NAME,
        f"Integrated volume over the width σ, from {selection.sigmas[0]:.3g} to "
        f"{selection.sigmas[-1]:.3g}: least at {selection.sigma:.3g}, about as small from "
        f"{low:.3g} to {high:.3g}.",
        tuple(selection.sigmas.tolist()),
        tuple(selection.values.tolist()),
        tuple(selection.standard_errors.tolist()),
        selection.best,
        (low, high),
        () if resampled is None else _band(selection.sigmas, resampled),
        still,
    )


def preview(found: WidthSearch) -> None:
    """Draw the widths tried so far, while a search runs."""
    selection = found.selection
    low, high = _ends(selection.sigmas, list(found.rules.values()))
    slider(
        "bandwidth_so_far",
        selection.sigma,
        label=inputs.CONTROLS["look"]["label"],
        low=low,
        high=high,
        on_release=_ignore,
        log=True,
        marks=rule_marks(found.rules),
        curve=curve(selection, still=True),
    )


def show_use(current: Current, sigma: float, used: float, *, best: bool) -> None:
    """Show the width looked at, and a button that uses it on all pages, or that it is in use."""
    share = sigma / fits.median_distance(current.fitted)
    row = st.container(horizontal=True, vertical_alignment="center")
    row.markdown(
        f"**Sets at σ = {sigma:.3g}** ({share:.2f} median distances)"
        + (", the width of least volume" if best else ""),
        width="content",
    )
    if np.isclose(sigma, used, rtol=1e-3):
        row.badge(IN_USE, icon=":material/check:", color="green")
        return
    rule = RULES["width"]
    assert isinstance(rule, Number)
    row.button(
        f"Use σ = {sigma:.3g} on all pages",
        key="use",
        icon=":material/check:",
        type="primary",
        on_click=_use,
        args=(sigma, float(np.clip(round(share, 6), rule.low, rule.high))),
        help="Sets the width on all other pages, and marks it on the axis.",
    )


def as_good_in_words(selection: BandwidthSelection) -> str:
    """Return the widths that are as good as the best, in words."""
    low, high = selection.as_good
    if low == high:
        return (
            "At every other width that was tried, the volume is larger by a standard error or more."
        )
    times = high / low
    words = (
        f"From σ = {low:.3g} to {high:.3g} the volume is within one standard error of the least "
        f"one (the bar on the axis): the data hardly distinguish these widths."
    )
    return words if times < 4 else f"{words} That is a factor of {times:.2g}: the curve is flat."


def rule_marks(rules: Mapping[str, float]) -> tuple[tuple[float, str], ...]:
    """Return the widths of other rules as marks of the axis."""
    return tuple((sigma, f"{name} {sigma:.3g}") for name, sigma in rules.items())


def _tried(look: float, sigmas: FloatArray) -> float:
    """Return the width tried that a link names by three digits, or the width of the link itself."""
    near = [sigma for sigma in sigmas.tolist() if f"{sigma:.3g}" == f"{look:.3g}"]
    return float(near[0]) if near else float(look)


def _ends(sigmas: FloatArray, others: list[float]) -> tuple[float, float]:
    """Return the ends of the axis: those of the curve, or of what is marked beyond it."""
    inside = [at for at in others if sigmas[0] / 4 <= at <= 4 * sigmas[-1]]
    low, high = min(sigmas[0], *inside, sigmas[0]), max(sigmas[-1], *inside, sigmas[-1])
    return (float(low), float(high)) if low < high else (float(low) / 2, 2 * float(high))


def _band(sigmas: FloatArray, resampled: BandwidthBootstrap) -> tuple[tuple[float, float], ...]:
    """Return the band of resamples at the widths of the curve."""
    at, known = np.log(sigmas), np.log(resampled.sigmas)
    low, high = (np.interp(at, known, edge) for edge in resampled.band())
    return tuple(zip(low.tolist(), high.tolist(), strict=True))


def _use(sigma: float, share: float) -> None:
    """Use a width on all pages."""
    change(width=share)
    st.toast(f"All pages now use σ = {sigma:.3g}.", icon=":material/check:")


def _ignore(value: float) -> None:
    """Take no value: the curve is not complete."""
