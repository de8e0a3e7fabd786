"""Widgets built from declared options."""

from __future__ import annotations

import streamlit as st

from nestviz.data import Option


def option_control(option: Option, prefix: str) -> float:
    """A slider for an option of a sample; its key, and so its name in the URL, is prefix.name.

    Counts that reach into the thousands get a number field: a slider would be too coarse.
    """
    number = int if option.whole else float
    low, high, default, step = (
        number(value) for value in (option.minimum, option.maximum, option.default, option.step)
    )
    key = f"{prefix}.{option.name}"
    if option.whole and high - low > 1000:
        return st.number_input(
            option.label, low, high, default, step, key=key, bind="query-params", help=option.help
        )
    value: float = st.slider(
        option.label, low, high, default, step, key=key, bind="query-params", help=option.help
    )
    return value
