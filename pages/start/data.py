import streamlit as st

from nestviz.ui.data_page import drawing, gallery, reading, session, summary
from nestviz.ui.frame import current_data
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
way = st.segmented_control(
    "Where the points come from",
    list(WAYS),
    default="Samples",
    required=True,
    key="from",
    bind="query-params",
)
WAYS[way]()
st.divider()
summary.show(current_data())
