"""Two classes where they are needed, and ways out where the data have none."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from nestviz.data import SAMPLES, Dataset, against_uniform
from nestviz.escaping import markdown
from nestviz.ui import data_warnings
from nestviz.ui.data_choice import Current
from nestviz.ui.export import scripts
from nestviz.ui.results import cache
from nestviz.ui.session.own_data import choose
from nestviz.ui.session.view import change, name_in_address, open_page, stop_page, view
from nestviz.ui.widgets import inputs

OFFERED = ("banana", "moons", "imbalanced")
"""Samples with labels, one click away."""
DATA_PAGE = "pages/start/data.py"


def labelled(current: Current) -> Current:
    """Return data with two classes: as they are, or against uniform points if that is chosen.

    Stops the page where there are none, with buttons that lead on.
    """
    missing = data_warnings.of_labels(current.fitted)
    if not missing:
        return current
    if not view().against:
        name_in_address("against")
        _ways_out(current, missing[0])
        stop_page()
    words, switch = st.columns([3, 1], gap="medium", vertical_alignment="center")
    words.caption(
        f"The points of “{markdown(current.fitted.name)}” are class +1. As many points drawn "
        "uniformly from the box around them are class −1."
    )
    with switch:
        inputs.toggle("against")
    both = _both(current.fitted)
    steps = (*current.steps, *scripts.step_lines("against_uniform"))
    # The added points lie in the space of the fit: they have no other features.
    return replace(current, source=both, fitted=both, steps=steps, density=None, rows=None)


@cache.kept()
def _both(data: Dataset) -> Dataset:
    return against_uniform(data)


def _ways_out(current: Current, reason: str) -> None:
    st.info(reason, icon=":material/group_add:")
    with st.container(key="ways_out", horizontal=True):
        st.button(
            "Learn these points against uniform ones",
            key="against_uniform",
            type="primary",
            on_click=change,
            kwargs={"against": True},
            help=f"The {current.fitted.n:,} points become class +1, and as many uniform points "
            "around them class −1.",
        )
        st.button(
            "Name a label column",
            key="name_labels",
            icon=":material/upload_file:",
            on_click=open_page,
            args=(DATA_PAGE,),
            help="On the Data page: bring a file with a column of classes, or draw two classes.",
        )
    st.caption("Or take a sample that has two classes:")
    with st.container(key="labelled_samples", horizontal=True):
        for name in OFFERED:
            sample = SAMPLES[name]
            st.button(
                sample.title, key=f"take_{name}", on_click=choose, args=(name,),
                help=sample.sentence,
            )  # fmt: skip
