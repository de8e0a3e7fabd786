"""What all Plotly figures share."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from nestviz import escaping
from nestviz.palette import BLUE, CLASS_COLOURS, CLASS_SYMBOLS, LIGHT, NEUTRAL, VERMILION, rgba

__all__ = [
    "ALARM", "BLUE", "CLASS_COLOURS", "CLASS_SYMBOLS", "CLEAR", "GRID_LINES", "NEUTRAL", "SINGLE",
    "VERMILION", "large_type", "log_axis", "page_colours", "plane_axes", "quiet_axes", "to_scale",
]  # fmt: skip

ALARM, SINGLE = LIGHT.alarm, LIGHT.single
"""Of violated areas, and of points of one class alone."""
GRID_LINES = "rgba(128, 138, 148, 0.25)"
CLEAR = "rgba(0,0,0,0)"
MOST_DECADES = 4
"""Powers of ten of an axis that has ticks between them, too."""
_MARKS = {colour: f"#{k:06d}" for k, colour in enumerate(LIGHT.charts, start=1)}
"""Colours of the light theme, and those that Streamlit's pages replace by the theme's own."""
_FADED = {rgba(colour, 1)[:-3]: mark for colour, mark in _MARKS.items()}
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}|(rgba\(\d+, \d+, \d+,) ([\d.]+)\)")


def quiet_axes(figure: go.Figure, x: str, y: str) -> go.Figure:
    """Set names and a thin grid on both axes; background and text are those of the page."""
    axis = {"gridcolor": GRID_LINES, "zeroline": False, "showline": False}
    figure.update_xaxes(title_text=escaping.plotly(x), **axis)
    figure.update_yaxes(title_text=escaping.plotly(y), **axis)
    return figure.update_layout(
        margin={"l": 50, "r": 10, "t": 10, "b": 45},
        paper_bgcolor=CLEAR,
        plot_bgcolor=CLEAR,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        hoverlabel={"align": "left"},
        # Along the side: across the top it would cover the legend.
        modebar={"orientation": "v", "bgcolor": CLEAR, "color": NEUTRAL},
    )


def plane_axes(figure: go.Figure, x: str, y: str) -> go.Figure:
    """Set quiet axes of a plane: one unit is as long across as along."""
    return to_scale(quiet_axes(figure, x, y))


def to_scale(figure: go.Figure) -> go.Figure:
    """Make one unit as long across as along in every panel; panels shrink instead of widening."""
    figure.update_xaxes(constrain="domain", matches="x")
    # Towards the top, where titles and legend are. All panels follow the first one: Plotly ignores
    # the scale of a panel that has one of its own and also matches another.
    figure.update_yaxes(constrain="domain", constraintoward="top", matches="y")
    return figure.update_layout(yaxis={"scaleanchor": "x", "scaleratio": 1})


def log_axis(values: ArrayLike) -> dict[str, Any]:
    """Return the settings of a logarithmic axis over some values, with a number at every tick.

    Plotly itself writes 2 and 5 for 0.2 and 0.5, too.
    """
    values = np.asarray(values, dtype=float)
    low, high = values.min(), values.max()
    decades = 10.0 ** np.arange(np.floor(np.log10(low)), np.ceil(np.log10(high)) + 1)
    digits = [1, 2, 5] if len(decades) <= MOST_DECADES else [1]
    ticks = np.multiply.outer(decades, digits).ravel()
    shown = ticks[(ticks >= low / 1.1) & (ticks <= 1.1 * high)]
    words = [format(tick, ".6g") for tick in shown]
    return {"type": "log", "tickmode": "array", "tickvals": shown.tolist(), "ticktext": words}


def page_colours(figure: go.Figure) -> go.Figure:
    """Return a copy whose colours follow the theme of the page, also when the reader changes it.

    Streamlit replaces a few colours of a figure in the browser by ``chartCategoricalColors``.
    """
    return go.Figure(_replaced(figure.to_plotly_json()))


def large_type(figure: go.Figure, size: float) -> go.Figure:
    """Set the size of all type, in pixels."""
    font = {"size": size}
    axis = {"tickfont": font, "title_font": font}
    figure.update_xaxes(**axis).update_yaxes(**axis).update_annotations(font_size=size)
    return figure.update_layout(font=font, legend_font=font, hoverlabel_font=font)


def _replaced(part: Any) -> Any:
    if isinstance(part, str):
        return _COLOUR.sub(_mark, part) if part[:1] in ("#", "r") else part
    if isinstance(part, dict):
        return {name: _replaced(value) for name, value in part.items()}
    if isinstance(part, (list, tuple)):
        return [_replaced(value) for value in part]
    return part


def _mark(found: re.Match[str]) -> str:
    """Return a replaceable colour, with its opacity as two more digits."""
    if found[1] is None:
        return _MARKS.get(found[0], found[0])
    mark = _FADED.get(found[1])
    return found[0] if mark is None else f"{mark}{round(255 * float(found[2])):02X}"
