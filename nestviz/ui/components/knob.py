"""A slider for one number, as in the player, for pages without one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict

import streamlit as st

from nestviz.ui.components.assets import bundle, read_assets
from nestviz.ui.components.reports import reported
from nestviz.ui.decoding import number, record
from nestviz.ui.scene.knob_curve import KnobCurve

RELEASED = record({"value": number()})
"""Decoder of the report of a slider that was released."""

# Registered once, when the module is first imported, not at every run of a page.
_mount = st.components.v2.component(
    "nestviz_knob",
    html=read_assets("components/knob.html"),
    css=read_assets("components/common.css", "player/knobs.css", "components/knob.css"),
    js=bundle("components/js/knob.js"),
)


def knob(
    key: str,
    value: float,
    *,
    label: str,
    low: float,
    high: float,
    on_release: Callable[[float], None],
    log: bool = False,
    power: bool = False,
    unit: float = 1.0,
    form: str = "3g",
    marks: Sequence[tuple[float, str]] = (),
    help: str = "",
    curve: KnobCurve | None = None,
) -> float:
    """Show a slider, and return its value.

    The number beside the slider follows while it moves; the page runs when it is released. The
    page has the last word: the slider shows whatever ``value`` is passed.

    Parameters
    ----------
    key : str
        Name of this slider, unique in the app.
    value : float
        The value to show.
    label : str
        Name beside the slider, such as ``"width σ"``.
    low, high : float
        Ends of the slider, in the unit of ``value``.
    on_release : callable
        Called with the new value before the page runs; it must let the page pass that value.
    log : bool, default=False
        Whether the slider is logarithmic.
    power : bool, default=False
        Whether ``value`` is the decimal logarithm of the number shown.
    unit : float, default=1.0
        Factor from ``value`` to the number shown.
    form : {"3g", "2f", "3f", "1%"}
        How the number is written.
    marks : sequence of (float, str)
        Named values, marked on the slider where they are between its ends.
    help : str, optional
        Shown while the pointer is on the label.
    curve : KnobCurve, optional
        Drawn above the slider, or instead of it.

    Returns
    -------
    float
        The value.

    Raises
    ------
    ValueError
        If the ends are not ascending, or not positive where the slider is logarithmic.
    """
    if not (math.isfinite(low) and math.isfinite(high) and low < high and (low > 0 or not log)):
        rule = "positive and ascending" if log else "ascending"
        raise ValueError(f"The ends of a slider must be {rule}; got {low} and {high}.")

    def take() -> None:
        report = reported(key, "knob", RELEASED)
        if report is not None:
            # It may be of a page that had other ends.
            on_release(min(max(report["value"], low), high))

    data = {
        "key": key,
        "label": label,
        "value": value,
        "low": low,
        "high": high,
        "log": log,
        "power": power,
        "unit": unit,
        "form": form,
        "marks": [[float(at), name] for at, name in marks],
        "help": help,
        "curve": None if curve is None else asdict(curve),
    }
    _mount(key=key, data=data, on_knob_change=take)
    return value
