import streamlit as st

from nestviz.ui.frame import current_data
from nestviz.ui.parzen_view import show_parzen_sweep
from nestviz.ui.texts import text

st.title("Sets that nest", anchor=False)
picture, words = st.columns([2, 1], gap="large")
with words:
    st.markdown(text("home"))
    controls = st.container()
    with st.expander("What am I looking at?", icon=":material/help:"):
        st.markdown(text("home_picture"))
with picture:
    show_parzen_sweep(current_data(), controls)
