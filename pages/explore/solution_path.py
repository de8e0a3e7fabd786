import streamlit as st

from nestviz.ui import path_view, point_card, sanity, settings, sweep_exports, widgets
from nestviz.ui.frame import current_data
from nestviz.ui.texts import text

st.title("Solution path", anchor=False)
current = current_data()
data = current.fitted
left, middle, right = st.columns(3, gap="medium")
with left:
    kinds = ["One class"] if sanity.of_labels(data) else ["One class", "Two classes"]
    problem = widgets.segments(
        "kind_path",
        "Problem",
        kinds,
        "One class",
        help="Where the density is high (labels are not looked at), or where class +1 is.",
    )
    kind = "two classes" if problem == "Two classes" else "one class"
    share = path_view.level_control(kind)
with middle:
    sigma = settings.width(current)
with right:
    levels = settings.levels(11, "Levels of the nested SVM")
    lam = settings.regularisation() if kind == "two classes" else 1.0
pair = path_view.solve(data, kind, sigma, levels, lam)
path_view.show(current, pair, share)
sanity.show(current, sigma, two_classes=kind == "two classes")
level = path_view.level_of(pair, share)
point_card.show(current, (pair.path, pair.nested), level, pair.top)
sweep_exports.solution_path(current, pair, level)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("solution_path"))
