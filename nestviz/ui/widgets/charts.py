"""Draw Plotly figures, and read the clicks on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from nestviz.data import Dataset
from nestviz.ui.components.present import changed_theme, is_presented
from nestviz.ui.components.reports import reported
from nestviz.ui.decoding import number, record, several
from nestviz.ui.session.selection import select
from nestviz.ui.widgets.shown_pictures import ShownFigure, note

MOST_CLICKED = 1_000_000
"""Points of a chart that can be clicked at once, and rows that they can have."""

LARGE, HIGHER = 18, 1.35
"""Pixels of type on a page that is presented, and the factor of a chart's height."""


def chart(
    figure: Any,
    key: str,
    height: int,
    alt: str,
    on_select: Callable[[], None] | None = None,
    **config: Any,
) -> None:
    """Draw a figure; ``on_select`` is called after a click on one of its points."""
    # Loads Plotly.
    from nestviz.figures.theme import large_type, page_colours

    note(ShownFigure(figure, height, alt))
    clicks: dict[str, Any] = {}
    if on_select is not None:
        clicks = {"on_select": on_select, "selection_mode": "points"}
    config = {"displaylogo": False} | config
    # A chart keeps the colours of the theme it was first shown in, unless it is another one.
    drawn = page_colours(figure).update_layout(meta=changed_theme())
    if is_presented():
        drawn, height = large_type(drawn, LARGE), round(HIGHER * height)
    st.plotly_chart(drawn, key=key, height=height, alt=alt, config=config, **clicks)


def clicked(key: str, *sizes: int) -> list[tuple[int, ...]]:
    """Return the indices that each point clicked in a chart has first in its ``customdata``.

    ``sizes`` are the lengths of what they are indices of; points with other indices are left out.
    """
    found = reported(key, "selection", record({"points": several(_as_it_is, MOST_CLICKED)}))
    named = [_indices(point, sizes) for point in found["points"]] if found else []
    return [indices for indices in named if indices is not None]


def _indices(point: Any, sizes: Sequence[int]) -> tuple[int, ...] | None:
    data = point.get("customdata") if isinstance(point, Mapping) else None
    first = data[: len(sizes)] if isinstance(data, list) else [data]
    indices = several(number(0, MOST_CLICKED), len(sizes), least=len(sizes))(first)
    if indices is None or any(k != int(k) or k >= n for k, n in zip(indices, sizes, strict=True)):
        return None
    return tuple(int(k) for k in indices)


def _as_it_is(value: Any) -> Any:
    return value


def selects(data: Dataset, key: str) -> Callable[[], None]:
    """Return a callback that selects the points clicked in a chart.

    The traces must carry the row of each point first in ``customdata``. A click beside all points
    keeps the selection: a chart that is redrawn reports one as well.
    """

    def take() -> None:
        if found := clicked(key, data.n):
            select(data, [row for (row,) in found])

    return take
