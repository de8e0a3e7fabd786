import streamlit as st

from nestviz.ui import compare_view, recipes, sanity, settings, sweep_view, take_home, widgets
from nestviz.ui.frame import current_data
from nestviz.ui.methods import Spec
from nestviz.ui.texts import text

st.title("Compare", anchor=False)
current = current_data()
kinds = ["One class"] if current.fitted.y is None else ["One class", "Two classes"]
left, right = st.columns([2, 5], gap="medium")
with left:
    problem = widgets.segments(
        "problem",
        "Problem",
        kinds,
        "One class",
        help="Sets that hold the points, or sets that part two classes. Two need labels.",
    )
two_classes = problem == "Two classes"
kind = "two classes" if two_classes else "one class"
with right:
    names = compare_view.choose(kind)
left, middle, right = st.columns(3, gap="medium")
with left:
    sigma = settings.width(current)
with middle:
    label = "Asymmetries of the nested SVM" if two_classes else "Levels of the nested SVM"
    levels = settings.levels(5 if two_classes else 11, label)
with right:
    lam = settings.regularisation() if two_classes else 1.0
    nu = settings.nu(*names)
specs = [Spec(name, sigma, levels, lam, nu=nu, kind=kind) for name in names]
shown = sweep_view.show(
    current,
    specs,
    key="compare2" if two_classes else "compare",
    height=compare_view.HEIGHTS[len(specs)],
)
sanity.show(current, sigma, two_classes=two_classes, sweeps=shown.sweeps)
frame = compare_view.table(current, shown)
compare_view.on_points_held_out(current, specs)
take_home.show(
    current,
    name="compare",
    code=recipes.sets_at(current, specs, shown.level),
    tables={"measures": lambda: frame},
    sweep=lambda: shown.content,
)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("compare"))
