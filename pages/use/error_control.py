import streamlit as st

from nestviz.ui.page_frame import current_data, page_text
from nestviz.ui.pages.error_control import page

st.title("Error control", anchor=False)
current = current_data()
page.show(current)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(page_text("error_control", "help"))
