import streamlit as st

from nestviz.ui import numbers, point_card, sanity, settings, sweep_exports, sweep_view
from nestviz.ui.frame import current_data
from nestviz.ui.methods import ONE_CLASS, WITH_NU, Spec
from nestviz.ui.texts import text

st.title("One class", anchor=False)
current = current_data()
left, right, more = st.columns(3, gap="medium")
with left:
    first = settings.method("Left", ONE_CLASS, "one-class SVM", key="left")
with right:
    second = settings.method("Right", ONE_CLASS, "nested one-class SVM", key="right")
with more:
    sigma = settings.width(current)
    with st.popover("Levels and slider", icon=":material/tune:"):
        over = settings.sweep_over()
        levels = settings.levels(11, "Levels of the nested SVM")
        spacing = settings.spacing()
with left if first == WITH_NU else right:
    nu = settings.nu(first, second)
specs = [Spec(name, sigma, levels, spacing=spacing, nu=nu) for name in (first, second)]
shown = sweep_view.show(current, specs, key="one-class", over=over)
sanity.show(current, sigma, sweeps=shown.sweeps)
numbers.show(current, shown)
point_card.show(current, shown.fits, shown.level, shown.top)
sweep_exports.sweep_page(current, shown)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("one_class"))
