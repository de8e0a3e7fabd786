"""Values of a study beside the published ones, with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from nestviz import escaping
from nestviz.figures.theme import BLUE, SINGLE, quiet_axes
from nestviz.studies.agreement import agreement
from nestviz.studies.findings import Value

ROW, HEAD, FOOT = 30, 62, 34
"""Pixels of a row, above the first one and below the last one of a panel."""
APART = 0.17
"""Share of a row that published and ours are above and below its middle."""


def study_values_figure(values: Sequence[Value]) -> go.Figure:
    """Draw values beside the published ones: a panel per quantity, a row per item.

    Several quantities are named above their panels.
    Intervals are one standard deviation to either side. ``customdata`` of a point is the index of
    its value.

    Parameters
    ----------
    values : sequence of Value
        The values.

    Returns
    -------
    Figure
        Its height follows the number of rows.
    """
    quantities = list(dict.fromkeys(value.quantity for value in values))
    rows = {name: [k for k, v in enumerate(values) if v.quantity == name] for name in quantities}
    heights = [ROW * len(rows[name]) + HEAD + FOOT for name in quantities]
    total = sum(heights) or ROW
    figure = make_subplots(rows=max(len(quantities), 1), cols=1)
    top = total
    for number, name in enumerate(quantities, 1):
        high, low = top - HEAD, top - heights[number - 1] + FOOT
        top -= heights[number - 1]
        of = [(k, values[k]) for k in rows[name]]
        for trace in _traces(of, number == 1):
            figure.add_trace(trace, row=number, col=1)
        title = name if len(quantities) > 1 else ""
        _panel(figure, number, title, [value.item for _, value in of], (low / total, high / total))
    quiet_axes(figure, "", "")
    return figure.update_layout(
        height=total,
        margin={"l": 10, "r": 10, "t": 0, "b": 0},
        legend={"y": 1.0, "yanchor": "top"},
        clickmode="event+select",
    )


def _panel(
    figure: go.Figure, number: int, title: str, names: Sequence[str], domain: tuple[float, float]
) -> None:
    shown = [escaping.plotly(name, 24) for name in names]
    figure.update_yaxes(
        tickvals=list(range(len(names))), ticktext=shown, range=[len(names) - 0.5, -0.5],
        domain=domain, automargin=True, row=number, col=1,
    )  # fmt: skip
    if not title:
        return
    figure.add_annotation(
        text=f"<b>{escaping.plotly(title)}</b>", x=0, xref="x domain" if number == 1 else
        f"x{number} domain", y=domain[1], yref="paper", yshift=4, xanchor="left", yanchor="bottom",
        showarrow=False,
    )  # fmt: skip


def _traces(values: Sequence[tuple[int, Value]], first: bool) -> list[go.Scatter]:
    published = [
        (k, row, value.published, value.published_sd, value)
        for row, (k, value) in enumerate(values)
        if math.isfinite(value.published)
    ]
    ours = [
        (k, row, value.ours, value.sd, value)
        for row, (k, value) in enumerate(values)
        if math.isfinite(value.ours)
    ]
    open_mark = {"symbol": "diamond-open", "color": SINGLE, "size": 10, "line": {"width": 2}}
    full_mark = {"symbol": "circle", "color": BLUE, "size": 9}
    return [
        _trace("published", published, -APART, open_mark, first),
        _trace("ours", ours, APART, full_mark, first),
    ]


def _trace(
    name: str,
    points: Sequence[tuple[int, int, float, float, Value]],
    below: float,
    marker: dict[str, Any],
    first: bool,
) -> go.Scatter:
    spreads = [sd if math.isfinite(sd) else 0.0 for _, _, _, sd, _ in points]
    return go.Scatter(
        x=[x for _, _, x, _, _ in points],
        y=[row + below for _, row, _, _, _ in points],
        error_x={"type": "data", "array": spreads, "color": marker["color"], "thickness": 1.4,
                 "width": 0},
        mode="markers",
        marker=marker,
        name=name,
        legendgroup=name,
        showlegend=first,
        customdata=[k for k, *_ in points],
        text=[escaping.plotly(f"{value.item}: {agreement(value)}") for *_, value in points],
        hovertemplate="%{text}<br>" + name + " %{x:.4g} ± %{error_x.array:.2g}<extra></extra>",
        # Points stay as they are when one is clicked.
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )  # fmt: skip
