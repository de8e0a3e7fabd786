from dataclasses import replace

import streamlit as st

from nestviz.ui import path_view, point_card, sanity, settings, sweep_exports, widgets
from nestviz.ui.frame import current_data
from nestviz.ui.methods import Spec
from nestviz.ui.texts import text

st.title("Solution path", anchor=False)
current = current_data()
data = current.fitted
left, middle, right = st.columns(3, gap="medium")
with left:
    kinds = ["One class"] if sanity.of_labels(data) else ["One class", "Two classes"]
    kind = widgets.segments(
        "kind_path",
        "Problem",
        kinds,
        "One class",
        help="Where the density is high (labels are not looked at), or where class +1 is.",
    )
    share = path_view.level_control("two classes" if kind == "Two classes" else "one class")
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
sanity.show(current, sigma, two_classes=kind == "Two classes")
level = path_view.level_of(pair, share)
spec = Spec("", sigma, levels, lam)
if kind == "Two classes":
    specs = [
        replace(spec, method=name) for name in ("cost-sensitive SVM", "nested cost-sensitive SVM")
    ]
    point_card.show_two_class(current, specs, level)
else:
    specs = [replace(spec, method=name) for name in ("one-class SVM", "nested one-class SVM")]
    point_card.show_one_class(current, specs, level, pair.top)
sweep_exports.solution_path(current, pair, level, spec, labels=kind == "Two classes")
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("solution_path"))
