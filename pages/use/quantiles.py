import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.page_frame import current_data, page_text
from nestviz.ui.pages.quantiles import page, tables

st.title("Quantiles", anchor=False)
current = current_data()
choice = page.controls(current)
solved = page.solve(current, choice)
shown = page.show(current, choice, solved)
data_warnings.show(current, choice.plan.sigma, sweeps=[one.walk for one in solved])
for sentence in page.sense(current, choice):
    st.warning(sentence, icon=":material/report:")
tables.numbers(shown)
bars = tables.coverage(shown)
tables.point(current, choice, shown)
tables.take(current, choice, shown, bars)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(page_text("quantiles", "help"))
