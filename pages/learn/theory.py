import streamlit as st

from nestviz.ui.pages.theory import page
from nestviz.ui.texts import text

st.title("Theory", anchor=False)
page.show()
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("theory_sources"))
