import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.app import current_data
from nestviz.ui.pages.outliers import page, tables
from nestviz.ui.texts import text

st.title("Outliers", anchor=False)
current = current_data()
choice = page.controls(current)
shown = page.show(current, choice)
tables.numbers(current, choice, shown)
data_warnings.show(current, choice.spec.sigma)
tables.take(current, choice, shown)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("outliers"))
