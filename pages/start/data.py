import streamlit as st

from nestviz.ui.app import current_data
from nestviz.ui.pages.data import drawing, gallery, reading, session, summary
from nestviz.ui.session import missing_data
from nestviz.ui.session.own_data import own_data_missing
from nestviz.ui.texts import text
from nestviz.ui.widgets import inputs

WAYS = {
    "Samples": gallery.show,
    "File": reading.show_file,
    "Paste": reading.show_paste,
    "Draw": drawing.show,
    "Session": session.show,
}

st.title("Data", anchor=False)
st.markdown(text("data"))
way = inputs.segments("from", "Where the points come from", list(WAYS), "Samples")
WAYS[way]()
st.divider()
if own_data_missing():
    missing_data.show(with_files=False)
else:
    summary.show(current_data())
