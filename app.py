"""The app's entry point: `streamlit run app.py`, or better `make app`."""

from nestviz.ui.app import run
from nestviz.ui.launch import let_messages_wait

# `nestviz app` does so before the first visit.
let_messages_wait()
run()
