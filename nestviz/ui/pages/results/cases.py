"""The single cases of a table: their rows, and the pages that show them."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from nestviz.escaping import LONGEST_NAME, markdown
from nestviz.reports.numbers import with_spread
from nestviz.studies.agreement import MARKS, agreement
from nestviz.studies.findings import Value
from nestviz.ui.menu import BY_ADDRESS
from nestviz.ui.session.view import open_page, view
from nestviz.ui.session.view_state import View, read_address

KEPT = ("table", "quantity", "only")
"""Keys of the view that a reader who returns to this page finds unchanged."""


def table(values: Sequence[Value]) -> pd.DataFrame:
    """Return the values of one quantity as texts."""
    rows = {
        "Row": [markdown(value.item, LONGEST_NAME) for value in values],
        "Published": [_unbroken(value.published, value.published_sd) for value in values],
        "Ours": [_unbroken(value.ours, value.sd) for value in values],
        "Agreement": [f"{MARKS[words]} {words}".strip() for words in map(agreement, values)],
    }
    return pd.DataFrame(rows).set_index("Row")


def _unbroken(value: float, sd: float) -> str:
    return with_spread(value, sd).replace(" ", "\u00a0")


def buttons(values: Sequence[Value]) -> None:
    """Show a button for each value of a quantity that a page can show."""
    cases = [value for value in values if value.view.get("page") in BY_ADDRESS]
    if not cases:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.caption("Open", width="content", help="A click on a point of the figure does the same.")
        for value in cases:
            _, title = BY_ADDRESS[value.view["page"]]
            st.button(
                markdown(value.item, LONGEST_NAME),
                key=f"results.open.{value.quantity}.{value.item}",
                on_click=open_case,
                args=(value,),
                help=f"Opens the page “{title}” with the settings of this case.",
            )


def open_case(value: Value) -> None:
    """Open the page that shows a case, with its settings and all others at their default."""
    found = BY_ADDRESS.get(value.view.get("page", ""))
    if found is None:
        return
    asked = read_address({key: [text] for key, text in value.view.items() if key != "page"})
    start = View().with_values({key: view()[key] for key in KEPT})
    # The last choice of the page must not override that of the case.
    st.session_state.pop("method:page", None)
    open_page(found[0], asked.over(start), asked.unusable)
