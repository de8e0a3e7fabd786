"""A page with one slider, for the browser tests beside it."""

import streamlit as st

from nestviz.ui.components.knob import knob

state = st.session_state
state.setdefault("width", 0.25)
state.runs = state.get("runs", 0) + 1
if st.button("Set 0.7"):
    state.width = 0.7


def take(value: float) -> None:
    state.width = value


marks = [(1.0, "median"), (0.21, "least integrated volume")]
width = knob(
    "knob", state.width, label="width σ", low=0.05, high=2.0, log=True, unit=2.0, marks=marks,
    on_release=take,
)  # fmt: skip
st.text(f"width {width}, runs {state.runs}")
