import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.compute.methods import TWO_CLASS, Spec
from nestviz.ui.page_frame import current_data, page_text
from nestviz.ui.panels import fit_controls, nesting_metrics, point_card, roc, sweep, sweep_exports
from nestviz.ui.session.view import stop_page

st.title("Two classes", anchor=False)
current = current_data()
if current.fitted.y is None:
    st.info(
        "These points carry no labels. Choose a data set with two classes in the sidebar, such as "
        "banana or moons, or name a label column on the Data page.",
        icon=":material/label:",
    )
    stop_page()
if data_warnings.of_labels(current.fitted):
    data_warnings.show(current, two_classes=True)
    stop_page()
left, right, more = st.columns(3, gap="medium")
with left:
    first = fit_controls.method("Left", TWO_CLASS, "cost-sensitive SVM", key="left2")
    lam = fit_controls.regularisation()
with right:
    second = fit_controls.method("Right", TWO_CLASS, "nested cost-sensitive SVM", key="right2")
with more:
    sigma = fit_controls.width(current)
    levels = fit_controls.levels(5, "Asymmetries of the nested SVM")
specs = [Spec(name, sigma, levels, lam, kind="two classes") for name in (first, second)]
shown = sweep.show(current, specs, key="two-class", height=390)
data_warnings.show(current, sigma, two_classes=True, sweeps=shown.sweeps)
nesting_metrics.show(current, shown)
point_card.show(current, shown.fits, shown.level, shown.top)
roc.show(current, shown)
sweep_exports.sweep_page(current, shown)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(page_text("two_classes", "help"))
