"""Rows of numbers, each with a label and a help text from a file ``metrics.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

STYLE = """
<style>
[data-testid="stMetricValue"] { font-size: 1.45rem; }
[data-testid="stMetricLabel"] p { font-size: 0.8rem; }
</style>
"""
"""Smaller than a dashboard's: compact rows stand in halves and thirds of a page."""


def metrics(
    folder: str, values: Mapping[str, str], *, cells: int = 0, compact: bool = False, **insert: Any
) -> list[DeltaGenerator]:
    """Show numbers side by side and return their cells.

    Parameters
    ----------
    folder : str
        The folder of the texts, such as ``"pages/outliers"``.
    values : mapping of str to str
        The numbers by their names in the file.
    cells : int
        Number of cells, where there are more than numbers.
    compact : bool
        Make each cell as wide as its content, and wrap the row where it is too long.
    **insert
        Values that are inserted into labels and help texts.

    Returns
    -------
    list of DeltaGenerator
    """
    count = max(cells, len(values))
    if compact:
        st.html(STYLE)
        row = st.container(horizontal=True, gap="small")
        found = [row.container(width="content") for _ in range(count)]
    else:
        found = st.columns(count)
    for cell, (name, value) in zip(found, values.items(), strict=False):
        label, words = (text.format(**insert) for text in _texts(folder, name))
        cell.metric(label, value, help=words or None)
    return found


@cache
def _texts(folder: str, name: str) -> tuple[str, str]:
    text = (files("nestviz.ui") / folder / "metrics.toml").read_text(encoding="utf-8")
    row = tomllib.loads(text)[name]
    return row["label"], row.get("help", "")
