import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.page_frame import current_data, page_text
from nestviz.ui.pages.cluster_tree import numbers, page

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
    st.markdown(page_text("cluster_tree", "help"))
