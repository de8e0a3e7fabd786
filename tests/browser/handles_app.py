"""A page with one axis of handles, for the browser tests beside it."""

import streamlit as st

from nestviz.ui.components.handles import handles

state = st.session_state
state.setdefault("values", (0.2, 0.5, 0.8))


def take(values: tuple[float, ...]) -> None:
    state["values"] = values


handles(
    "axis", state["values"], label="levels", low=0.0, high=1.0, least=2, most=4, on_change=take,
    marks=[(1.0, "λ_OC")],
)  # fmt: skip
st.text("values " + " ".join(map(str, state["values"])))
