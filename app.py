"""The app's entry point: `streamlit run app.py`, or better `make app`."""

from nestviz.ui.frame import run

run()
