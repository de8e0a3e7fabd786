import streamlit as st

from nestviz.ui.app import current_data
from nestviz.ui.pages.error_control import page
from nestviz.ui.texts import text

st.title("Error control", anchor=False)
current = current_data()
page.show(current)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("error_control"))
