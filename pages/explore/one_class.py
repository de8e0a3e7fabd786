import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.compute.methods import ONE_CLASS, WITH_NU, Spec
from nestviz.ui.page_frame import current_data, page_text
from nestviz.ui.panels import fit_controls, nesting_metrics, point_card, sweep, sweep_exports

st.title("One class", anchor=False)
current = current_data()
left, right, more = st.columns(3, gap="medium")
with left:
    first = fit_controls.method("Left", ONE_CLASS, "one-class SVM", key="left")
with right:
    second = fit_controls.method("Right", ONE_CLASS, "nested one-class SVM", key="right")
with more:
    sigma = fit_controls.width(current)
    with st.popover("Levels and slider", icon=":material/tune:"):
        over = fit_controls.sweep_over()
        levels = fit_controls.levels(11, "Levels of the nested SVM")
        spacing = fit_controls.spacing()
with left if first == WITH_NU else right:
    nu = fit_controls.nu(first, second)
specs = [Spec(name, sigma, levels, spacing=spacing, nu=nu) for name in (first, second)]
shown = sweep.show(current, specs, key="one-class", over=over)
data_warnings.show(current, sigma, sweeps=shown.sweeps)
nesting_metrics.show(current, shown)
point_card.show(current, shown.fits, shown.level, shown.top)
sweep_exports.sweep_page(current, shown)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(page_text("one_class", "help"))
