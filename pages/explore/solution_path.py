import streamlit as st

from nestviz.ui import path_view, settings
from nestviz.ui.frame import current_data
from nestviz.ui.texts import text

st.title("Solution path", anchor=False)
current = current_data()
data = current.fitted
left, middle, right = st.columns(3, gap="medium")
with left:
    kinds = ["One class"] if data.y is None else ["One class", "Two classes"]
    kind = st.segmented_control(
        "Problem", kinds, default="One class", required=True, key="kind_path", bind="query-params"
    )
    share = st.slider(
        "Level, as a share of the largest",
        min_value=0.0,
        max_value=1.0,
        value=0.3,
        step=0.01,
        key="at",
        bind="query-params",
        help="Moves the dashed line, and the margin on the right with it.",
    )
with middle:
    sigma = settings.width(current)
with right:
    levels = settings.levels(11, "Levels of the nested SVM")
    lam = settings.regularisation() if kind == "Two classes" else 1.0
if kind == "Two classes":
    pair = path_view.two_class(data.fingerprint, data, sigma, levels, lam)
else:
    pair = path_view.one_class(data.fingerprint, data, sigma, levels)
path_view.show(current, pair, share)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("solution_path"))
