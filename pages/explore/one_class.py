import streamlit as st

from nestviz.ui import numbers, settings, sweep_view
from nestviz.ui.frame import current_data
from nestviz.ui.methods import ONE_CLASS, Spec
from nestviz.ui.texts import text

st.title("One class", anchor=False)
current = current_data()
left, right, more = st.columns(3, gap="medium")
with left:
    first = settings.method("Left", ONE_CLASS, "one-class SVM", key="left")
with right:
    second = settings.method("Right", ONE_CLASS, "nested one-class SVM", key="right")
with more:
    sigma = settings.width(current)
    levels = settings.levels(11, "Levels of the nested SVM")
specs = [Spec(first, sigma, levels), Spec(second, sigma, levels)]
shown = sweep_view.show_one_class(current, specs, key="one-class")
numbers.one_class(current, specs, shown)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("one_class"))
