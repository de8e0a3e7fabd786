"""Widgets that show a key of the view, and change it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nestviz.data import Option
from nestviz.ui.session.view import arrival, name_in_address, put, view
from nestviz.ui.session.view_rules import Number, Span
from nestviz.ui.session.view_state import RULES

T = TypeVar("T")
_VISITS = "widgets:visits"
Draw = Callable[..., Any]
"""A widget of Streamlit, on the page or in a part of it."""


def slider(key: str, label: str, default: T, **more: Any) -> T:
    """A slider over the range of its key; for two numbers where the default has two."""
    rule = RULES[key]
    assert isinstance(rule, (Number, Span))
    shown, bound = _bound(key, default)
    value: T = st.slider(label, rule.low, rule.high, shown, **bound, **more)
    return value


def number(key: str, label: str, default: T, *, draw: Draw = st.number_input, **more: Any) -> T:
    """A field for a number, in the range of its key unless another maximum is given."""
    rule = RULES[key]
    assert isinstance(rule, Number)
    low, high = rule.low, min(rule.high, more.pop("max_value", rule.high))
    shown, bound = _bound(key, default, lambda value: low <= value <= high)
    value: T = draw(label, low, high, shown, **bound, **more)
    return value


def toggle(key: str, label: str, default: bool = False, **more: Any) -> bool:
    """A switch."""
    shown, bound = _bound(key, default)
    value: bool = st.toggle(label, shown, **bound, **more)
    return value


def select(key: str, label: str, options: Sequence[T], **more: Any) -> T:
    """A list; its first entry is the default."""
    shown, bound = _bound(key, options[0], lambda value: value in options)
    value: T = st.selectbox(label, options, options.index(shown), **bound, **more)
    return value


def segments(
    key: str,
    label: str,
    options: Sequence[str],
    default: str,
    *,
    draw: Draw = st.segmented_control,
    **more: Any,
) -> str:
    """Words beside each other, one of which is chosen."""
    shown, bound = _bound(key, default, lambda value: value in options)
    value: str = draw(label, options, default=shown, required=True, **bound, **more)
    return value


def several(
    key: str, label: str, options: Sequence[str], default: Sequence[str], **more: Any
) -> list[str]:
    """A list of which several entries are chosen, in an order; unknown ones are left out."""
    most = more.get("max_selections") or len(options)
    shown, bound = _bound(
        key,
        list(default),
        valid=lambda words: not words or not set(words).isdisjoint(options),
        shown=lambda words: [word for word in words if word in options][:most],
        kept=tuple,
    )
    value: list[str] = st.multiselect(label, options, default=shown, **bound, **more)
    return value


def place(
    key: str,
    label: str,
    options: Sequence[T],
    default: T,
    words: Callable[[T], str],
    *,
    then: Callable[[], None] | None = None,
    **more: Any,
) -> T:
    """A slider over values that the address names as they are written beside it."""
    by_words = {words(option): option for option in options}
    shown, bound = _bound(key, default, by_words.__contains__, by_words.__getitem__, words, then)
    value: T = st.select_slider(label, options, shown, format_func=words, **bound, **more)
    return value


def option_control(option: Option, prefix: str) -> float:
    """A slider for an option of a sample; its key, and so its name in the URL, is prefix.name.

    Counts that reach into the thousands get a number field: a slider would be too coarse.
    """
    kind = int if option.whole else float
    low, high, default, step = (
        kind(value) for value in (option.minimum, option.maximum, option.default, option.step)
    )
    draw: Draw = st.number_input if option.whole and high - low > 1000 else st.slider
    shown, bound = _bound(f"{prefix}.{option.name}", default)
    value: float = draw(option.label, low, high, shown, step, help=option.help, **bound)
    return value


def key_of_rows(name: str, *arrays: NDArray[Any]) -> str:
    """Make the key of a table from what its rows stand for.

    A browser that is behind reports rows of the table it still shows. Under the same key they would
    be taken for rows of the present one.
    """
    content = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)
    return f"{name}.{zlib.crc32(content):08x}"


def _same(value: Any) -> Any:
    return value


def _bound(
    key: str,
    default: Any,
    valid: Callable[[Any], bool] = lambda value: True,
    shown: Callable[[Any], Any] = _same,
    kept: Callable[[Any], Any] = _same,
    then: Callable[[], None] | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Have a widget show a key of the view, and change it.

    Parameters
    ----------
    key : str
        Of the view, and of the widget.
    default : object
        What the widget shows where the view has no value, or one that is not valid here.
    valid : callable
        Whether the widget can show a value of the view.
    shown, kept : callable
        From a value of the view to one of the widget, and back.
    then : callable, optional
        What else is to happen after a change.

    Returns
    -------
    value : object
        What the widget shows, to be given to it as its default: a run that is ended early may
        have set a widget that the browser never got.
    arguments : dict
        Other arguments of the widget.
    """
    name_in_address(key)
    asked = view()[key]
    value = shown(asked) if asked is not None and valid(asked) else default
    # On another page it is another widget to Streamlit, which does not know the value of the last.
    visits: dict[str, int] = st.session_state.setdefault(_VISITS, {})
    known = visits.get(key) == arrival().number and key in st.session_state
    # Setting a widget makes the browser show that value. It must not be told what it says itself:
    # a user who is quicker than the page would be set back.
    if not known or st.session_state[key] != value:
        st.session_state[key] = value
    visits[key] = arrival().number
    return value, {"key": key, "on_change": partial(_take, key, default, kept, then)}


def _take(
    key: str, default: Any, kept: Callable[[Any], Any], then: Callable[[], None] | None
) -> None:
    value = st.session_state[key]
    put({key: None if value == default else kept(value)})
    if then is not None:
        then()
