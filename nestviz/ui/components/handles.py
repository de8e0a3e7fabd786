"""An axis with a movable handle for each of some numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from nestviz.ui.components.assets import bundle, read_assets
from nestviz.ui.components.reports import reported
from nestviz.ui.decoding import number, record, several

MOST = 100
"""Largest number of handles of an axis."""
RELEASED = record({"values": several(number(), MOST)})
"""Decoder of the report of an axis whose handles were changed."""

_mount = st.components.v2.component(
    "nestviz_handles",
    html=read_assets("components/handles.html"),
    css=read_assets("components/common.css", "components/handles.css"),
    js=bundle("components/js/handles.js"),
)


def handles(
    key: str,
    values: Sequence[float],
    *,
    label: str,
    low: float,
    high: float,
    least: int,
    most: int,
    on_change: Callable[[tuple[float, ...]], None],
    log: bool = False,
    unit: float = 1.0,
    form: str = "3g",
    marks: Sequence[tuple[float, str]] = (),
) -> None:
    """Show numbers as handles on an axis.

    A handle is dragged or moved by arrow keys, added by a click on the axis, and removed by Delete.

    Parameters
    ----------
    key : str
        Name of this axis, unique in the app.
    values : sequence of float
        The numbers to show, ascending.
    label : str
        What the numbers are.
    low, high : float
        Ends of the axis, in the unit of ``values``.
    least, most : int
        How many handles there may be.
    on_change : callable
        Called with the new numbers before the page runs.
    log : bool, default=False
        Whether the axis is logarithmic.
    unit : float, default=1.0
        Factor from a value to the number shown.
    form : {"3g", "2f", "3f", "1%"}
        How numbers are written.
    marks : sequence of (float, str)
        Named values, written below the axis.
    """

    def take() -> None:
        report = reported(key, "handles", RELEASED)
        if report is not None:
            on_change(report["values"])

    data = {
        "key": key,
        "label": label,
        "value": low,
        "values": list(values),
        "low": low,
        "high": high,
        "least": least,
        "most": most,
        "log": log,
        "power": False,
        "unit": unit,
        "form": form,
        "marks": [[float(at), name] for at, name in marks if low <= at <= high],
        "help": "",
    }
    _mount(key=key, data=data, on_handles_change=take)
