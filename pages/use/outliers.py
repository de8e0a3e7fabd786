import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.page_frame import current_data, page_text
from nestviz.ui.pages.outliers import page, tables

st.title("Outliers", anchor=False)
current = current_data()
choice = page.controls(current)
shown = page.show(current, choice)
tables.numbers(current, choice, shown)
data_warnings.show(current, choice.spec.sigma)
tables.take(current, choice, shown)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(page_text("outliers", "help"))
