"""The tree of many rows: sets of all rows, and a sample of the rows in them."""

from __future__ import annotations

import streamlit as st

from nestviz.ui.compute import all_rows
from nestviz.ui.compute.entry_maps import TreeResult
from nestviz.ui.compute.methods import Fitted
from nestviz.ui.data_choice import Current
from nestviz.ui.panels import certificate
from nestviz.ui.results import jobs
from nestviz.ui.session.view import stop_page


def grown(current: Current, fitted: Fitted) -> TreeResult:
    """Return the tree of a sample of the rows; ``fitted`` are the sets of all of them."""
    rows, data = current.rows, current.fitted
    assert rows is not None
    found = jobs.run(
        (data, rows.sample, current.plane, fitted.spec),
        all_rows.grow,
        fitted,
        data.X,
        rows.sample.X,
        current.plane,
        title=f"Growing the tree of {rows.sample.n:,} rows",
    )
    if found is None:
        stop_page()
    return found


def show(current: Current, fitted: Fitted) -> None:
    """Say what the sets and the points are, with the certificate."""
    if current.rows is None:
        return
    certificate.show(current, [fitted])
    st.caption(
        f"The sets and their levels are those of all {current.rows.n:,} rows. Points, and shares "
        f"of points, are a sample of {current.measured.n:,} rows. How often branches are found "
        "again is computed for a sample alone: choose one under *Many rows* in the sidebar."
    )
