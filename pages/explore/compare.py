import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.compute.methods import Spec
from nestviz.ui.export import panel, scripts
from nestviz.ui.page_frame import current_data, page_text
from nestviz.ui.pages.compare import page
from nestviz.ui.panels import fit_controls, sweep
from nestviz.ui.widgets import inputs

st.title("Compare", anchor=False)
current = current_data()
kinds = ["One class"] if current.fitted.y is None else ["One class", "Two classes"]
left, right = st.columns([2, 5], gap="medium")
with left:
    problem = inputs.segments(
        "problem",
        "Problem",
        kinds,
        "One class",
        help="Sets that hold the points, or sets that part two classes. Two need labels.",
    )
two_classes = problem == "Two classes"
kind = "two classes" if two_classes else "one class"
with right:
    names = page.choose(kind)
left, middle, right = st.columns(3, gap="medium")
with left:
    sigma = fit_controls.width(current)
with middle:
    label = "Asymmetries of the nested SVM" if two_classes else "Levels of the nested SVM"
    levels = fit_controls.levels(5 if two_classes else 11, label)
with right:
    lam = fit_controls.regularisation() if two_classes else 1.0
    nu = fit_controls.nu(*names)
specs = [Spec(name, sigma, levels, lam, nu=nu, kind=kind) for name in names]
shown = sweep.show(
    current,
    specs,
    key="compare2" if two_classes else "compare",
    height=page.HEIGHTS[len(specs)],
)
data_warnings.show(current, sigma, two_classes=two_classes, sweeps=shown.sweeps)
frame = page.table(current, shown)
page.on_points_held_out(current, specs)
panel.show(
    current,
    name="compare",
    code=scripts.sets_at(current, specs, shown.level),
    tables={"measures": lambda: frame},
    sweep=lambda: shown.content,
)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(page_text("compare", "help"))
