import streamlit as st

from nestviz.ui.compute.methods import Spec
from nestviz.ui.page_frame import current_data, page_text
from nestviz.ui.pages.home import starting_points
from nestviz.ui.panels import fit_controls, sweep

st.title("Sets that nest", anchor=False)
st.markdown(page_text("home", "introduction"))
current = current_data()
controls = st.container()
picture = st.container()
with controls:
    sigma = fit_controls.width(current)
with picture:
    pair = [Spec("one-class SVM", sigma), Spec("nested one-class SVM", sigma)]
    sweep.show(current, pair, key="home", height=360, autoplay=True)
st.subheader("Where to begin", anchor=False)
starting_points.show()
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(page_text("home", "help"))
