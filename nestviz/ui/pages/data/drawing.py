"""Draw points with the mouse, or type them into a table."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from nestviz.data import dataset_from_points
from nestviz.ui.components.painter import Points, as_point, point_painter
from nestviz.ui.session.own_data import use_own_data

VIEW = (-3.0, 3.0, -3.0, 3.0)
KEY = "drawn_points"
FEWEST = 3
HEIGHT = 350
"""Height of the canvas in pixels: all of it is seen on a screen of 720."""


def show() -> None:
    """Show a canvas and a table of the same points."""
    st.caption(
        "Click in the picture to add a point, or hold the button down and move to spray points. "
        f"From {FEWEST} points on, every page uses them."
    )
    left, right = st.columns([2, 1], gap="medium")
    with left:
        points = point_painter(
            st.session_state.get(KEY, ()), key="painter", view=VIEW, height=HEIGHT
        )
        st.session_state[KEY] = points
    with right:
        edited = _table(points)
    if edited != points:
        st.session_state[KEY] = edited
        st.rerun()
    if len(points) >= FEWEST:
        use_own_data(dataset_from_points(points), "drawn")


def _table(points: Points) -> Points:
    """Show the points as an editable table, to draw without a mouse."""
    frame = pd.DataFrame(points, columns=["x", "y", "class"]).astype({"class": "Int64"})
    edited = st.data_editor(
        frame,
        num_rows="dynamic",
        height=HEIGHT + 70,
        hide_index=True,
        key=f"points_table.{hash(points)}",
        column_config={
            "x": st.column_config.NumberColumn(format="%.3f", required=True),
            "y": st.column_config.NumberColumn(format="%.3f", required=True),
            "class": st.column_config.SelectboxColumn(options=[1, -1], default=1, required=True),
        },
    )
    rows = (
        as_point([float(x), float(y), int(kind)])
        for x, y, kind in edited.dropna().itertuples(index=False, name=None)
    )
    return tuple(point for point in rows if point is not None)
