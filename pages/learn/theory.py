import streamlit as st

from nestviz.ui.page_frame import page_text
from nestviz.ui.pages.theory import page

st.title("Theory", anchor=False)
page.show()
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(page_text("theory", "help"))
