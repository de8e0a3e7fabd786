"""Rows of numbers that fit beside each other and break where there is no room."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

STYLE = """
<style>
[data-testid="stMetricValue"] { font-size: 1.45rem; }
[data-testid="stMetricLabel"] p { font-size: 0.8rem; }
</style>
"""
"""Smaller than a dashboard's: they stand in halves and thirds of a page."""


def figures_row(count: int) -> list[DeltaGenerator]:
    """Places for ``count`` metrics, each as wide as its content."""
    st.html(STYLE)
    row = st.container(horizontal=True, gap="small")
    return [row.container(width="content") for _ in range(count)]
