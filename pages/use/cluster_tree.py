import streamlit as st

from nestviz.ui import sanity, tree_numbers, tree_view
from nestviz.ui.frame import current_data
from nestviz.ui.texts import text

st.title("Cluster tree", anchor=False)
current = current_data()
choice = tree_view.controls(current)
shown = tree_view.show(current, choice)
tree_numbers.show(current, choice, shown)
sanity.show(current, choice.spec.sigma)
with st.expander("All branches", icon=":material/table_rows:"):
    tree_numbers.table(current, shown)
tree_numbers.take(current, choice, shown)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("cluster_tree"))
