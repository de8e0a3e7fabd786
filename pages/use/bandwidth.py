import streamlit as st

from nestviz.ui import (
    area_view,
    bandwidth_results,
    bandwidth_view,
    recipes,
    sanity,
    sweep_view,
    take_home,
)
from nestviz.ui.frame import current_data
from nestviz.ui.texts import text

st.title("Bandwidth", anchor=False)
current = current_data()
choice = bandwidth_view.controls(current)
found = bandwidth_view.find(current, choice)
place = bandwidth_view.show(current, choice, found)
specs = bandwidth_view.show_width(current, found, place)
shown = sweep_view.show(current, specs, key="bandwidth", height=340)
sanity.show(current, float(found.selection.sigmas[place]), sweeps=shown.sweeps)
area_view.show(current, choice)
take_home.show(
    current,
    name="bandwidth",
    code=recipes.script(current, *bandwidth_results.lines(choice)),
    figures={
        "Integrated volume": lambda: bandwidth_results.volume_figure(found),
        "Mass and volume": lambda: bandwidth_results.mass_volume(found, place),
    },
    tables={
        "widths": lambda: bandwidth_results.table(found),
        "margins": lambda: bandwidth_results.margins_table(found),
    },
    sweep=lambda: shown.content,
)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(text("bandwidth"))
