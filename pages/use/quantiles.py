import streamlit as st

from nestviz.ui import quantile_tables, quantile_view, sanity
from nestviz.ui.frame import current_data
from nestviz.ui.texts import text

st.title("Quantiles", anchor=False)
current = current_data()
choice = quantile_view.controls(current)
solved = quantile_view.solve(current, choice)
shown = quantile_view.show(current, choice, solved)
sanity.show(current, choice.plan.sigma, sweeps=[one.walk for one in solved])
for sentence in quantile_view.sense(current, choice):
    st.warning(sentence, icon=":material/report:")
quantile_tables.numbers(shown)
bars = quantile_tables.coverage(shown)
quantile_tables.point(current, choice, shown)
quantile_tables.take(current, choice, shown, bars)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("quantiles"))
