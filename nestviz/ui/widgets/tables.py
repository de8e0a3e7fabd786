"""Tables: their columns, and rows that can be selected."""

from __future__ import annotations

import tomllib
import zlib
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nestviz.ui.components.reports import reported, rows_of
from nestviz.ui.decoding import record

if TYPE_CHECKING:
    import pandas as pd


EMPTY = "–"
"""Shown where a table has no value."""


def columns(page: str, name: str, **values: str) -> dict[str, Any]:
    """Return the configuration of a table's columns, from the file ``name.toml`` of a page.

    The values are inserted into the help texts.
    """
    found = {}
    for key, row in _rows(page, name).items():
        make = getattr(st.column_config, f"{row.get('kind', 'Number')}Column")
        more = {part: row[part] for part in row if part not in ("kind", "label", "help")}
        words = row["help"].format(**values) if "help" in row else None
        found[key] = make(row.get("label", key), help=words, **more)
    return found


@cache
def _rows(page: str, name: str) -> dict[str, dict[str, Any]]:
    text = (files("nestviz.ui.pages") / page / f"{name}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def selectable_table(
    frame: pd.DataFrame,
    name: str,
    content: Sequence[NDArray[Any]],
    rows: Sequence[int],
    on_rows: Callable[[list[int]], None],
    **more: Any,
) -> None:
    """Show a table; ``rows`` are selected, and ``on_rows`` gets those that a user selects.

    The key is made from the name and the arrays that determine what rows stand for: a browser that
    lags behind reports rows of the table it still shows, which must not be taken for rows of the
    new one.
    """
    parts = b"".join(np.ascontiguousarray(array).tobytes() for array in content)
    key = f"{name}.{zlib.crc32(parts):08x}"
    st.session_state[key] = {"selection": {"rows": list(rows), "columns": [], "cells": []}}

    def take() -> None:
        found = reported(key, "selection", record({"rows": rows_of(len(frame))}))
        if found is not None:
            on_rows(list(found["rows"]))

    st.dataframe(
        frame,
        hide_index=True,
        key=key,
        on_select=take,
        placeholder=EMPTY,
        **more,
    )
