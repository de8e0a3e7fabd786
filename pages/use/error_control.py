import streamlit as st

from nestviz.ui import error_control_page
from nestviz.ui.frame import current_data
from nestviz.ui.texts import text

st.title("Error control", anchor=False)
current = current_data()
error_control_page.show(current)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("error_control"))
