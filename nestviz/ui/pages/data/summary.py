"""The data in use: numbers, provenance and picture."""

from __future__ import annotations

import streamlit as st

from nestviz.data import Dataset
from nestviz.escaping import markdown
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.page_frame import page_text
from nestviz.ui.session.own_data import rank_next
from nestviz.ui.session.view import open_page
from nestviz.ui.widgets.charts import chart
from nestviz.ui.widgets.metrics import metrics


def show_in_use(current: Current) -> None:
    """Show which data are in use, and what can be done with them next."""
    source = _source(current)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header(f"In use: {markdown(source.name)}", anchor=False, width="content")
        _ways_on(current)


def show(current: Current) -> None:
    """Show the numbers, the provenance and a scatter plot of the data in use."""
    source = _source(current)
    left, right = st.columns([1, 2], gap="large")
    with left:
        values = {"points": f"{source.n:,}", "features": f"{source.d:,}"}
        if source.labelled:
            values["positives"] = f"{source.positives:,}"
        metrics("pages/data", values, compact=True)
        st.caption(
            f"Fingerprint {source.fingerprint[:12]}",
            help="A hash of all points, labels and names: equal data, equal fingerprint.",
        )
        st.markdown("**Where they come from**")
        st.markdown("\n".join(f"- {markdown(sentence)}" for sentence in source.provenance))
        if source.d > 2:
            with st.expander("More than two features", icon=":material/help:"):
                st.markdown(page_text("data", "more_features"))
    with right:
        _picture(current)


def _source(current: Current) -> Dataset:
    """Return the data as they were chosen, before many rows became centres."""
    return current.source if current.rows is None else current.rows.source


def _ways_on(current: Current) -> None:
    """Show buttons to the next pages."""
    st.button(
        "See the sets",
        icon=":material/contrast:",
        key="data-sets",
        on_click=open_page,
        args=("pages/explore/one_class.py",),
        help="Go to the One class page: sets of two methods on these points",
    )
    if current.own is not None:
        st.button(
            "Rank outliers",
            type="primary",
            icon=":material/person_search:",
            key="data-rank",
            on_click=_rank,
            help="Go to the Outliers page: all rows from the most to the least abnormal, with "
            "reasons",
        )


def _rank() -> None:
    rank_next()
    open_page("pages/use/outliers.py")


def _picture(current: Current) -> None:
    from nestviz.figures.points import points_figure

    data = current.measured
    figure = points_figure(current.plane.coordinates(data.X), data.y, axis_names(data))
    what = "points in use" if current.rows is None else f"of {current.rows.n} rows, a sample"
    alt = f"Scatter of the {data.n} {what}"
    chart(figure, "points", 420, alt, toImageButtonOptions={"format": "svg"})
    if current.rows is not None:
        st.caption(f"The picture shows a sample of {data.n:,} of the {current.rows.n:,} rows.")
    for note in current.notes:
        st.caption(markdown(note))
