import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.page_frame import current_data, page_text
from nestviz.ui.pages.solution_path import page
from nestviz.ui.panels import fit_controls, point_card, sweep_exports
from nestviz.ui.widgets import inputs

st.title("Solution path", anchor=False)
current = current_data()
data = current.fitted
left, middle, right = st.columns(3, gap="medium")
with left:
    kinds = ["One class"] if data_warnings.of_labels(data) else ["One class", "Two classes"]
    problem = inputs.segments(
        "kind_path",
        "Problem",
        kinds,
        "One class",
        help="Where the density is high (labels are not looked at), or where class +1 is.",
    )
    kind = "two classes" if problem == "Two classes" else "one class"
    share = page.level_control(kind)
with middle:
    sigma = fit_controls.width(current)
with right:
    levels = fit_controls.levels(11, "Levels of the nested SVM")
    lam = fit_controls.regularisation() if kind == "two classes" else 1.0
pair = page.solve(data, kind, sigma, levels, lam)
page.show(current, pair, share)
data_warnings.show(current, sigma, two_classes=kind == "two classes")
level = page.level_of(pair, share)
point_card.show(current, (pair.path, pair.nested), level, pair.top)
sweep_exports.solution_path(current, pair, level)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(page_text("solution_path", "help"))
