"""A filter of the points by the values of one column: which are listed, and in what words."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import streamlit as st

from nestviz.data import Dataset
from nestviz.escaping import LONGEST_NAME, markdown, plain
from nestviz.ui.pages.outliers import colouring
from nestviz.ui.pages.outliers.results import Filter
from nestviz.ui.session.view import put
from nestviz.ui.session.view_rules import LONGEST_WORD
from nestviz.ui.widgets import inputs

NO_FILTER = ""
VALUES = ("filter_is", "filter_low", "filter_high")
MOST_VALUES = 200
"""Values of a column to choose from, the most frequent ones."""
NAMED = 3
"""Chosen values that are named one by one."""


def choose(source: Dataset) -> Filter:
    """Show the column and its values or its range; return the filter that they stand for."""
    names = [name for name in colouring.choices(source) if name != colouring.SCORE]
    name = inputs.select(
        "filter",
        [NO_FILTER, *names],
        format_func=lambda text: plain(text) or "no filter",
        # Values and ends are those of one column.
        then=lambda: put(dict.fromkeys(VALUES)),
    )
    if name == NO_FILTER:
        return Filter()
    values = colouring.column_of(source, name)
    if colouring.is_numeric(values):
        return _by_range(values, name)
    return _by_value(values, name)


def _by_range(values: Any, name: str) -> Filter:
    """Show both ends of a range; an empty field is no limit."""
    known = values[~np.isnan(values)]
    step = float(f"{np.ptp(known) / 50:.1g}")
    left, right = st.columns(2)
    ends = f"{known.min():.4g} to {known.max():.4g} in the data"
    with left:
        low: float | None = inputs.number("filter_low", None, step=step)
    with right:
        high: float | None = inputs.number("filter_high", None, step=step)
    st.caption(ends)
    kept = ~np.isnan(values)
    kept &= values >= (-np.inf if low is None else low)
    kept &= values <= (np.inf if high is None else high)
    shown = plain(name, LONGEST_NAME)
    if low is None and high is None:
        return Filter()
    if high is None:
        return Filter(kept, f"{shown} at least {low:.6g}")
    if low is None:
        return Filter(kept, f"{shown} at most {high:.6g}")
    return Filter(kept, f"{shown} from {low:.6g} to {high:.6g}")


def _by_value(values: Any, name: str) -> Filter:
    """Show the values of a column, the most frequent first; none chosen keeps all points."""
    texts = np.array(colouring.texts_of(values), dtype=object)
    counts = sorted(Counter(texts).items(), key=lambda item: (-item[1], item[0]))
    listed = [text for text, _ in counts if len(text) <= LONGEST_WORD][:MOST_VALUES]
    chosen = inputs.several("filter_is", listed, [], format_func=plain)
    if not chosen:
        return Filter()
    named = [plain(text, LONGEST_NAME) for text in chosen[:NAMED]]
    if len(chosen) > NAMED:
        named.append(f"{len(chosen) - NAMED} more")
    return Filter(np.isin(texts, chosen), f"{plain(name, LONGEST_NAME)} is {' or '.join(named)}")


def show_sentence(chosen: Filter) -> None:
    """Say beside the table what it lists, if not all points."""
    if chosen.kept is None:
        return
    none = " Choose other values in *Filter* above the table." if not chosen.kept.any() else ""
    st.caption(f"{markdown(chosen.sentence, 1000)} Ranks are those among all points.{none}")
