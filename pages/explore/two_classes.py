import streamlit as st

from nestviz.ui import numbers, point_card, roc_view, sanity, settings, sweep_exports, sweep_view
from nestviz.ui.frame import current_data
from nestviz.ui.methods import TWO_CLASS, Spec
from nestviz.ui.texts import text
from nestviz.ui.view import stop_page

st.title("Two classes", anchor=False)
current = current_data()
if current.fitted.y is None:
    st.info(
        "These points carry no labels. Choose a data set with two classes in the sidebar, such as "
        "banana or moons, or name a label column on the Data page.",
        icon=":material/label:",
    )
    stop_page()
if sanity.of_labels(current.fitted):
    sanity.show(current, two_classes=True)
    stop_page()
left, right, more = st.columns(3, gap="medium")
with left:
    first = settings.method("Left", TWO_CLASS, "cost-sensitive SVM", key="left2")
    lam = settings.regularisation()
with right:
    second = settings.method("Right", TWO_CLASS, "nested cost-sensitive SVM", key="right2")
with more:
    sigma = settings.width(current)
    levels = settings.levels(5, "Asymmetries of the nested SVM")
specs = [Spec(name, sigma, levels, lam, kind="two classes") for name in (first, second)]
shown = sweep_view.show(current, specs, key="two-class", height=390)
sanity.show(current, sigma, two_classes=True, sweeps=shown.sweeps)
numbers.show(current, shown)
point_card.show(current, shown.fits, shown.level, shown.top)
roc_view.show(current, shown)
sweep_exports.sweep_page(current, shown)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("two_classes"))
