import streamlit as st

from nestviz.ui import outlier_tables, outlier_view, sanity
from nestviz.ui.frame import current_data
from nestviz.ui.texts import text

st.title("Outliers", anchor=False)
current = current_data()
choice = outlier_view.controls(current)
shown = outlier_view.show(current, choice)
outlier_tables.numbers(current, choice, shown)
sanity.show(current, choice.spec.sigma)
outlier_tables.take(current, choice, shown)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("outliers"))
