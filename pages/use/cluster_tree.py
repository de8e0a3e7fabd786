import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.app import current_data
from nestviz.ui.pages.cluster_tree import numbers, page
from nestviz.ui.texts import text

st.title("Cluster tree", anchor=False)
current = current_data()
choice = page.controls(current)
shown = page.show(current, choice)
numbers.show(current, choice, shown)
data_warnings.show(current, choice.spec.sigma)
with st.expander("All branches", icon=":material/table_rows:"):
    numbers.table(current, shown)
numbers.take(current, choice, shown)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("cluster_tree"))
