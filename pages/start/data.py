import streamlit as st

from nestviz.ui.data_input import files, missing, session_files
from nestviz.ui.page_frame import current_data, page_text
from nestviz.ui.pages.data import drawing, gallery, summary
from nestviz.ui.session import session_file
from nestviz.ui.session.own_data import own_data_missing
from nestviz.ui.widgets import inputs

WAYS = {
    "Samples": gallery.show,
    "File": files.show_file,
    "Paste": files.show_paste,
    "Draw": drawing.show,
    "Session": session_files.show_upload,
}

st.title("Data", anchor=False)
st.markdown(page_text("data", "introduction"))
way = inputs.segments("from", "Where the points come from", list(WAYS), "Samples")
WAYS[way]()
if way == "Session" and not own_data_missing():
    st.caption("Or keep what you have now: your points, the settings of this page, the selection.")
    session_file.offer(current_data(), "data", key="session.save")
st.divider()
if own_data_missing():
    missing.show(with_files=False)
else:
    summary.show(current_data())
