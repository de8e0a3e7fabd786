"""Draw Plotly figures, and read the clicks on them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from nestviz.data import Dataset
from nestviz.ui.session.selection import select


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
    from nestviz.figures.theme import page_colours

    clicks: dict[str, Any] = {}
    if on_select is not None:
        clicks = {"on_select": on_select, "selection_mode": "points"}
    config = {"displaylogo": False} | config
    # A chart keeps the colours of the theme it was first shown in, unless it is another one.
    drawn = page_colours(figure).update_layout(meta=st.context.theme.type)
    st.plotly_chart(drawn, key=key, height=height, alt=alt, config=config, **clicks)


def clicked(key: str) -> list[list[Any]]:
    """Return the ``customdata`` of each point clicked in a chart, as a list."""
    points = st.session_state[key]["selection"]["points"]
    found = [point["customdata"] for point in points if "customdata" in point]
    return [data if isinstance(data, list) else [data] for data in found]


def selects(data: Dataset, key: str) -> Callable[[], None]:
    """Return a callback that selects the points clicked in a chart.

    The traces must carry the row of each point first in ``customdata``. A click beside all points
    keeps the selection: a chart that is redrawn reports one as well.
    """

    def take() -> None:
        if found := clicked(key):
            select(data, [row for row, *_ in found])

    return take
