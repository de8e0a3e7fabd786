import streamlit as st

from nestviz.ui import theory_view
from nestviz.ui.texts import text

st.title("Theory", anchor=False)
theory_view.show()
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("theory_sources"))
