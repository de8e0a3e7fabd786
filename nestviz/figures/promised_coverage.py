"""Promised coverage against the coverage of held-out points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from nestviz import escaping
from nestviz.analysis.coverage import CoverageRatio
from nestviz.arrays import FloatArray
from nestviz.figures.theme import NEUTRAL, quiet_axes
from nestviz.figures.traces import band as pale_area
from nestviz.figures.traces import line
from nestviz.palette import LINE_STYLES


def promised_coverage_figure(
    plain: Mapping[str, CoverageRatio],
    calibrated: Mapping[str, CoverageRatio],
    band: FloatArray,
    *,
    intervals: bool = False,
) -> go.Figure:
    """Draw the share of held-out points in sets over the share that the sets should hold.

    Parameters
    ----------
    plain : mapping of str to CoverageRatio
        Sets that are not calibrated, by the name of their method: dotted, with open marks.
    calibrated : mapping of str to CoverageRatio
        Calibrated sets: solid, with filled marks. The same name has the same colour and mark.
    band : ndarray of shape (q, 2)
        Where shares lie if what is promised holds (`nestviz.analysis.promised_band`).
    intervals : bool
        Whether each share has a bar of its 95% sampling error.

    Returns
    -------
    Figure
    """
    figure = go.Figure(line([0, 1], [0, 1], "as promised", NEUTRAL, width=1.5))
    ratios = [*calibrated.values(), *plain.values()]
    if ratios:
        low, high = band.T
        figure.add_trace(pale_area(ratios[0].quantiles, low, high, "95% of splits", NEUTRAL))
    for number, name in enumerate(dict.fromkeys([*calibrated, *plain])):
        if name in plain:
            figure.add_trace(_line(plain[name], name, number, intervals, open_marks=True))
        if name in calibrated:
            figure.add_trace(_line(calibrated[name], name, number, intervals, open_marks=False))
    both = [f"{name}, as it is" for name in plain if name in calibrated]
    if both:
        # One entry for each method: twice as many leave a narrow chart no height.
        figure.for_each_trace(
            lambda trace: trace.update(showlegend=False) if trace.name in both else None
        )
        none = np.full(2, np.nan)
        figure.add_trace(line(none, none, "dotted: not calibrated", NEUTRAL, dash="dot"))
    figure.update_xaxes(range=[0, 1.02])
    figure.update_yaxes(range=[0, 1.02])
    return quiet_axes(figure, "promised share", "share of held-out points")


def _line(
    ratio: CoverageRatio, name: str, number: int, intervals: bool, *, open_marks: bool
) -> go.Scatter:
    colour, _, symbol = LINE_STYLES[number % len(LINE_STYLES)]
    words = f"{name}, as it is" if open_marks else f"{name}, calibrated"
    symbol = f"{symbol}-open" if open_marks else symbol
    more: dict[str, Any] = {"mode": "lines+markers", "marker": {"symbol": symbol, "size": 7}}
    if intervals:
        low, high = (ratio.intervals * ratio.quantiles[:, None]).T
        ends = {"array": high - ratio.masses, "arrayminus": ratio.masses - low}
        more["error_y"] = {"type": "data", "symmetric": False, "thickness": 1, "width": 2, **ends}
    hover = f"promised %{{x:.3g}}<br>held-out %{{y:.3f}}<extra>{escaping.plotly(words)}</extra>"
    dash = "dot" if open_marks else "solid"
    return line(ratio.quantiles, ratio.masses, words, colour, dash=dash, hover=hover, **more)
