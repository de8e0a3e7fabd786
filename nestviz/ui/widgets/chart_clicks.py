"""Clicks on Plotly charts, as rows of the data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from nestviz.data import Dataset
from nestviz.ui.session.selection import select


def selects(data: Dataset, key: str) -> Callable[[], None]:
    """A callback for ``on_select`` of the chart called ``key``: its points' rows are selected.

    The traces must carry the row of each point in ``customdata``. A click beside all points
    leaves the selection as it is, since a chart that is drawn anew reports one as well.
    """

    def take() -> None:
        points = st.session_state[key]["selection"]["points"]
        rows = [_row(point["customdata"]) for point in points if "customdata" in point]
        if rows:
            select(data, rows)

    return take


def _row(customdata: Any) -> int:
    return int(customdata[0] if isinstance(customdata, list) else customdata)
