import streamlit as st

from nestviz.ui import missing_data, widgets
from nestviz.ui.data_page import drawing, gallery, reading, session, summary
from nestviz.ui.frame import current_data
from nestviz.ui.state import own_data_missing
from nestviz.ui.texts import text

WAYS = {
    "Samples": gallery.show,
    "File": reading.show_file,
    "Paste": reading.show_paste,
    "Draw": drawing.show,
    "Session": session.show,
}

st.title("Data", anchor=False)
st.markdown(text("data"))
way = widgets.segments("from", "Where the points come from", list(WAYS), "Samples")
WAYS[way]()
st.divider()
if own_data_missing():
    missing_data.show(with_files=False)
else:
    summary.show(current_data())
