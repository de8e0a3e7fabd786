"""Points that the user marks, as known outliers or as points to separate from."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nestviz.data import Dataset
from nestviz.ui.session.selection import selection
from nestviz.ui.session.view import change, name_in_address, view
from nestviz.ui.session.view_rules import Numbers
from nestviz.ui.session.view_state import RULES
from nestviz.ui.widgets import inputs

CLASS, MARKED, UNIFORM = "class −1", "marked points", "uniform points"
KEY = "marks"


def source(data: Dataset, *more: str) -> str:
    """Show where the other points come from; class −1 at first, if the data have one."""
    classes = [CLASS] if data.y is not None and (data.y < 0).any() else []
    return inputs.segments("others", [*classes, MARKED, *more])


def rows(data: Dataset, source: str) -> tuple[int, ...]:
    """Return the rows of the other points."""
    if source == CLASS:
        return tuple(np.flatnonzero(np.asarray(data.y) < 0).tolist())
    return marked(data) if source == MARKED else ()


def marked(data: Dataset) -> tuple[int, ...]:
    """Return the marked rows of these data; those of other data may be more."""
    name_in_address(KEY)
    return tuple(int(row) for row in view()[KEY] or () if row == int(row) and row < data.n)


def buttons(data: Dataset) -> None:
    """Show buttons to mark the selected points, and to unmark all."""
    chosen, known = selection(data).points, marked(data)
    rule = RULES[KEY]
    assert isinstance(rule, Numbers)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Mark the selected points",
            key="mark",
            icon=":material/add_location:",
            disabled=not set(chosen) - set(known),
            on_click=lambda: _keep(tuple(sorted({*known, *chosen}))[: rule.most]),
        )
        st.button(
            "Unmark all",
            key="unmark",
            icon=":material/location_off:",
            disabled=not known,
            on_click=lambda: _keep(()),
        )
    count = "No point is" if not known else "1 point is" if len(known) == 1 else None
    st.caption(
        f"{count or f'{len(known)} points are'} marked. Click a point in the picture, or draw "
        f"around several with the lasso, and mark them; up to {rule.most}."
    )


def _keep(found: tuple[int, ...]) -> None:
    change(marks=tuple(map(float, found)) or None)
