import streamlit as st

from nestviz.ui.app import current_data
from nestviz.ui.compute.methods import Spec
from nestviz.ui.pages.home import starting_points
from nestviz.ui.panels import sweep
from nestviz.ui.texts import text
from nestviz.ui.widgets import fit_controls

st.title("Sets that nest", anchor=False)
st.markdown(text("home"))
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
    st.markdown(text("home_picture"))
