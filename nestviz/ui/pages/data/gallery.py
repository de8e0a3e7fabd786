"""Show the samples as cards."""

from __future__ import annotations

import streamlit as st

from nestviz.data import SAMPLES, Sample
from nestviz.ui.pages.data.thumbnails import thumbnail
from nestviz.ui.results import fits
from nestviz.ui.session.own_data import choose
from nestviz.ui.widgets import inputs

KINDS = {"synthetic": "Synthetic", "real": "Real", "benchmark": "Benchmarks"}
COLUMNS = 4


def show() -> None:
    """Show cards for all samples of one kind."""
    kind = inputs.segments("kind", list(KINDS.values()))
    chosen = [sample for sample in SAMPLES.values() if KINDS[sample.kind] == kind]
    for start in range(0, len(chosen), COLUMNS):
        row = st.columns(COLUMNS)
        for column, sample in zip(row, chosen[start : start + COLUMNS], strict=False):
            with column.container(border=True, height="stretch"):
                _card(sample)


def _card(sample: Sample) -> None:
    alt = f"Points of the sample {sample.title}"
    st.image(_picture(sample.name, alt), width="stretch", alt=alt)
    st.markdown(f"**{sample.title}**")
    st.caption(sample.sentence)
    st.button(
        f"Use {sample.title}",
        key=f"use.{sample.name}",
        on_click=choose,
        args=(sample.name,),
        width="stretch",
        help=f"Use the sample “{sample.title}” on every page.",
    )


@st.cache_data(max_entries=64, show_spinner=False)
def _picture(name: str, alt: str) -> str:
    sample = SAMPLES[name]
    options = tuple((option.name, option.default) for option in sample.options)
    return thumbnail(fits.sample(name, 0, options), alt)
