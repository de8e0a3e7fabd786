"""Widgets that show a key of the view, and change it; their texts are in ``controls.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st

from nestviz.data import Option
from nestviz.ui.components import knob as knobs
from nestviz.ui.session.view import arrival, name_in_address, refuse, take, view
from nestviz.ui.session.view_rules import Number, Span
from nestviz.ui.session.view_state import RULES

T = TypeVar("T")
CONTROLS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("controls.toml").read_text("utf-8")
)
"""Label, help, step and format of the controls, by key."""
_VISITS, _DEFAULTS = "widgets:visits", "widgets:defaults"
NONE = -1
"""The entry of a list of points or branches that stands for none."""
Draw = Callable[..., Any]
"""A widget of Streamlit, on the page or in a part of it."""


def slider(key: str, default: T, **more: Any) -> T:
    """Show a slider over the range of its key; for two numbers where the default has two."""
    rule = RULES[key]
    assert isinstance(rule, (Number, Span))
    return _draw(st.slider, key, default, more | {"min_value": rule.low, "max_value": rule.high})


def setting(key: str, default: T) -> T:
    """Return the value of a key whose control is part of a picture."""
    st.session_state.setdefault(_DEFAULTS, {})[key] = default
    name_in_address(key)
    value = view()[key]
    return default if value is None else value


def take_setting(key: str, value: float) -> None:
    """Change the value of such a key; for callbacks. Its default is not written to the address."""
    default = st.session_state.get(_DEFAULTS, {}).get(key)
    take(key, None if value == default else value)


def knob(key: str, default: float, **more: Any) -> float:
    """Show a slider of the player over the range of its key; ``more`` as for `components.knob`."""
    rule = RULES[key]
    assert isinstance(rule, Number)
    name_in_address(key)
    asked = view()[key]
    texts = {
        name: text for name, text in CONTROLS.get(key, {}).items() if name in ("label", "help")
    }

    def released(value: float) -> None:
        take(key, None if value == default else value)

    given = {"low": rule.low, "high": rule.high, **texts, **more}
    shown = default if asked is None else asked
    return knobs.knob(f"knob:{key}", shown, on_release=released, **given)


def number(key: str, default: T, *, draw: Draw = st.number_input, **more: Any) -> T:
    """Show a number field over the range of its key, or up to another maximum."""
    rule = RULES[key]
    assert isinstance(rule, Number)
    low, high = rule.low, min(rule.high, more.pop("max_value", rule.high))
    more |= {"min_value": low, "max_value": high}
    return _draw(draw, key, default, more, lambda value: low <= value <= high)


def toggle(key: str, default: bool = False, **more: Any) -> bool:
    """Show a switch."""
    return _draw(st.toggle, key, default, more)


def select(
    key: str, options: Sequence[T], *, then: Callable[[], None] | None = None, **more: Any
) -> T:
    """Show a list; its first entry is the default. ``then`` is called after a change."""
    shown, bound = _bound(key, options[0], lambda value: value in options, then=then)
    draw: Draw = st.selectbox
    return draw(options=options, index=options.index(shown), **bound, **_texts(key, more))


def segments(
    key: str,
    options: Sequence[str],
    default: str | None = None,
    *,
    draw: Draw = st.segmented_control,
    **more: Any,
) -> str:
    """Show words side by side, of which one is chosen; the first by default."""
    shown, bound = _bound(key, default or options[0], lambda value: value in options)
    return draw(options=options, default=shown, required=True, **bound, **_texts(key, more))


def several(key: str, options: Sequence[str], default: Sequence[str], **more: Any) -> list[str]:
    """Show a list of which several entries are chosen, in order; ignore unknown ones."""
    most = more.get("max_selections") or len(options)
    shown, bound = _bound(
        key,
        list(default),
        valid=lambda words: not words or not set(words).isdisjoint(options),
        shown=lambda words: [word for word in words if word in options][:most],
        kept=tuple,
    )
    return st.multiselect(options=options, default=shown, **bound, **_texts(key, more))


def value_slider(
    key: str,
    options: Sequence[T],
    default: T,
    words: Callable[[T], str],
    *,
    then: Callable[[], None] | None = None,
    **more: Any,
) -> T:
    """Show a slider over values that the address names by their text."""
    by_words = {words(option): option for option in options}
    more |= {"options": options, "format_func": words}
    known, read = by_words.__contains__, by_words.__getitem__
    return _draw(st.select_slider, key, default, more, known, read, words, then)


def option_control(option: Option, prefix: str) -> float:
    """Show a slider for an option of a sample, under the key ``prefix.name``.

    Counts that reach into the thousands get a number field: a slider would be too coarse. Where 0
    stands for all points, their number is shown instead.
    """
    kind = int if option.whole else float
    low, high, default, step = (
        kind(value) for value in (option.minimum, option.maximum, option.default, option.step)
    )
    draw: Draw = st.number_input if option.whole and high - low > 1000 else st.slider
    key, texts = f"{prefix}.{option.name}", {"label": option.label, "help": option.help}
    if option.name == "n" and low == default == 0:
        shown, bound = _bound(
            key, high, shown=lambda n: n or high, kept=lambda n: None if n == high else n
        )
        count = draw(min_value=1, max_value=high, value=shown, step=1, **texts, **bound)
        return 0 if count == high else int(count)
    shown, bound = _bound(key, default)
    value: float = draw(min_value=low, max_value=high, value=shown, step=step, **texts, **bound)
    return value


def _draw(draw: Draw, key: str, default: Any, more: dict[str, Any], *bind: Any) -> Any:
    """Show a widget that takes its value as ``value``."""
    shown, bound = _bound(key, default, *bind)
    return draw(value=shown, **bound, **_texts(key, more))


def _texts(key: str, more: Mapping[str, Any]) -> dict[str, Any]:
    """Return label, help and format of a control, from the table unless given."""
    return {**CONTROLS.get(key, {}), **more}


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
    """Bind a widget to a key of the view; return its value and its other arguments.

    The default is shown where the view has no value, or one that is not ``valid``. ``shown`` and
    ``kept`` convert a value of the view to one of the widget, and back. ``then`` is called after a
    change. The value must be passed to the widget as its default: a run that ends early may have
    set a widget that the browser never received.
    """
    name_in_address(key)
    asked = view()[key]
    if asked is not None and not valid(asked) and arrival().asked[key] == asked:
        refuse(key)
    value = shown(asked) if asked is not None and valid(asked) else default
    # On another page it is another widget to Streamlit, which does not know the value of the last.
    visits: dict[str, int] = st.session_state.setdefault(_VISITS, {})
    known = visits.get(key) == arrival().number and key in st.session_state
    # Setting a widget makes the browser show that value. Do not send back what it reported: that
    # would undo what the user has changed since.
    if not known or st.session_state[key] != value:
        st.session_state[key] = value
    visits[key] = arrival().number
    return value, {"key": key, "on_change": partial(_take, key, default, kept, then)}


def _take(
    key: str, default: Any, kept: Callable[[Any], Any], then: Callable[[], None] | None
) -> None:
    value, rule = st.session_state[key], RULES[key]
    chosen = None if value == default else kept(value)
    # A browser can send what its control does not offer.
    if chosen is None or rule.read(rule.write(chosen)) is not None:
        take(key, chosen)
    if then is not None:
        then()
