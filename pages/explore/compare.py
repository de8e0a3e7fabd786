import streamlit as st

from nestviz.ui import compare_view, recipes, sanity, settings, take_home, widgets
from nestviz.ui.frame import current_data
from nestviz.ui.texts import text

st.title("Compare", anchor=False)
current = current_data()
kinds = ["One class"] if current.fitted.y is None else ["One class", "Two classes"]
left, right = st.columns([2, 5], gap="medium")
with left:
    kind = widgets.segments(
        "problem",
        "Problem",
        kinds,
        "One class",
        help="Sets that hold the points, or sets that part two classes. Two need labels.",
    )
two_classes = kind == "Two classes"
with right:
    names = compare_view.choose(two_classes)
left, middle, right = st.columns(3, gap="medium")
with left:
    sigma = settings.width(current)
with middle:
    label = "Asymmetries of the nested SVM" if two_classes else "Levels of the nested SVM"
    levels = settings.levels(5 if two_classes else 11, label)
with right:
    lam = settings.regularisation() if two_classes else 1.0
    nu = settings.nu(*names)
specs = compare_view.specs_of(names, sigma, levels, lam, nu)
shown = compare_view.play(current, specs, two_classes)
sanity.show(current, sigma, two_classes=two_classes, sweeps=shown.sweeps)
frame = compare_view.table(current, specs, shown, two_classes)
compare_view.on_points_held_out(current, specs, two_classes)
take_home.show(
    current,
    name="compare",
    code=recipes.sets_at(current, specs, shown.state.level, labels=two_classes),
    tables={"measures": lambda: frame},
    sweep=lambda: shown.content,
)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("compare"))
