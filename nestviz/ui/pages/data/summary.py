"""The current data: what they are, where they came from, how they look."""

from __future__ import annotations

import streamlit as st

from nestviz.ui.data_choice import Current
from nestviz.ui.page_frame import page_text


def show(current: Current) -> None:
    """Numbers, story and picture of the data in use."""
    source = current.source
    st.subheader(f"In use: {source.name}", anchor=False)
    left, right = st.columns([1, 2], gap="large")
    with left:
        _numbers(current)
        st.markdown("**Where they come from**")
        st.markdown("\n".join(f"- {sentence}" for sentence in source.provenance))
        if source.d > 2:
            with st.expander("More than two features", icon=":material/help:"):
                st.markdown(page_text("data", "more_features"))
    with right:
        _picture(current)


def _numbers(current: Current) -> None:
    source = current.source
    cells = st.columns(3)
    cells[0].metric("Points", f"{source.n:,}")
    cells[1].metric("Features", f"{source.d:,}")
    if source.labelled:
        cells[2].metric("Class +1", f"{source.positives:,}", help="The others are class −1.")
    st.caption(
        f"Fingerprint {source.fingerprint[:12]}",
        help="A hash of all points, labels and names: equal data, equal fingerprint.",
    )


def _picture(current: Current) -> None:
    from nestviz.figures.points import points_figure

    fitted = current.fitted
    names = fitted.feature_names if fitted.d == 2 else ("direction 1", "direction 2")
    figure = points_figure(current.plane.coordinates(fitted.X), fitted.y, (names[0], names[1]))
    st.plotly_chart(
        figure,
        key="points",
        height=420,
        alt=f"Scatter of the {fitted.n} points in use",
        config={"displaylogo": False, "toImageButtonOptions": {"format": "svg"}},
    )
    for note in current.notes:
        st.caption(note)
