import streamlit as st

from nestviz.ui import settings, starting_points, sweep_view
from nestviz.ui.frame import current_data
from nestviz.ui.methods import Spec
from nestviz.ui.texts import text

st.title("Sets that nest", anchor=False)
st.markdown(text("home"))
current = current_data()
controls = st.container()
picture = st.container()
with controls:
    sigma = settings.width(current)
with picture:
    pair = [Spec("one-class SVM", sigma), Spec("nested one-class SVM", sigma)]
    sweep_view.show(current, pair, key="home", height=360, autoplay=True)
st.subheader("Where to begin", anchor=False)
starting_points.show()
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("home_picture"))
