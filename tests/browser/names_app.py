"""An app that shows hostile names in every kind of element that reads Markdown."""

import sys
from pathlib import Path

import streamlit as st

sys.path.append(str(Path(__file__).parents[1]))

from hostile_names import NAMES

from nestviz.escaping import markdown

st.title("Names")
for k, name in enumerate(NAMES):
    with st.container(key=f"name-{k}"):
        shown = markdown(name)
        st.markdown(f"- {shown}")
        st.caption(f"{k} points of “{shown}”.")
        st.header(shown, anchor=False)
        st.number_input(shown, key=f"field-{k}")
