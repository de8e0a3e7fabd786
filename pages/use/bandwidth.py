import streamlit as st

from nestviz.ui import data_warnings
from nestviz.ui.export import panel, scripts
from nestviz.ui.page_frame import current_data, page_text
from nestviz.ui.pages.bandwidth import area, page, results
from nestviz.ui.panels import sweep

st.title("Bandwidth", anchor=False)
current = current_data()
choice = page.controls(current)
found = page.find(current, choice)
place = page.show(current, choice, found)
specs = page.show_width(current, found, place)
shown = sweep.show(current, specs, key="bandwidth", height=340)
data_warnings.show(current, float(found.selection.sigmas[place]), sweeps=shown.sweeps)
area.show(current, choice)
panel.show(
    current,
    name="bandwidth",
    code=scripts.script(current, *results.lines(choice)),
    figures={
        "Integrated volume": lambda: results.volume_figure(found),
        "Mass and volume": lambda: results.mass_volume(found, place),
    },
    tables={
        "widths": lambda: results.table(found),
        "margins": lambda: results.margins_table(found),
    },
    sweep=lambda: shown.content,
)
with st.expander("What am I looking at?", icon=":material/help:"):
    st.markdown(page_text("bandwidth", "help"))
