"""What a player last reported: its position, its layers and its pin.

Streamlit forgets the state of a component that is not on the page; the browser does not, and would
show something else than Python knows. It also keeps what was reported before a story went on.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar

import streamlit as st

from nestviz.ui.components.reports import reported
from nestviz.ui.decoding import LOCATION, Decoder, choice, number, several
from nestviz.ui.scene.scene import LAYERS, Layer, Scene

T = TypeVar("T")
Location = tuple[float, float]

POSITION = number(0.0, 1e6)
SHOWN: Decoder[tuple[Layer, ...]] = several(choice(*LAYERS), len(LAYERS))


def pinned_location(value: Any) -> tuple[float, ...] | None:
    """Decode the location that is pinned; empty if the pin was taken away."""
    return () if value == [] else LOCATION(value)


def position(key: str, scene: Scene, step: str | None = None) -> float:
    """Return the position reported last, also after the page was left and entered again.

    ``step`` is the step of a story; with another one the scene's own start counts.
    """
    at_rest = _since_step(key, "frame", POSITION, "rest", step)
    memory_key = f"{key}:rest"
    start, last = scene.start, scene.scale.last
    known: tuple[float, float, int] = st.session_state.get(memory_key, (start, start, last))
    found, known_start, known_last = known
    if start != known_start and last == known_last:
        found = start
    elif at_rest is not None:
        found = at_rest
    st.session_state[memory_key] = (found, start, last)
    return min(max(found, 0.0), float(last))


def layers(key: str, scene: Scene, step: str | None = None) -> tuple[Layer, ...]:
    """Return the layers that are switched on."""
    view = _since_step(key, "view", SHOWN, "shown", step)
    memory_key = f"{key}:shown"
    if view is not None:
        st.session_state[memory_key] = view
    on: Collection[str] = st.session_state.get(memory_key, scene.shown)
    return tuple(layer for layer in LAYERS if layer in on)


def pinned(key: str, first: Location | None, step: str | None = None) -> Location | None:
    """Return the pinned location; ``first`` until another one is reported."""
    found = _since_step(key, "probe", pinned_location, "probe", step)
    memory_key = f"{key}:probe"
    if found is not None:
        # An empty list takes the pin away: None means that nothing was reported.
        st.session_state[memory_key] = found or None
    kept: Location | None = st.session_state.setdefault(memory_key, first)
    return kept


def _since_step(key: str, name: str, decode: Decoder[T], memory: str, step: str | None) -> T | None:
    """Return what the player has reported since its story came to this step."""
    found = reported(key, name, decode)
    if step is None:
        return found
    step_key = f"{key}:{name}:step"
    known: tuple[str, T | None] = st.session_state.get(step_key, ("", None))
    if known[0] != step:
        st.session_state[step_key] = (step, found)
        st.session_state.pop(f"{key}:{memory}", None)
        return None
    if found == known[1]:
        return None
    st.session_state[step_key] = (step, None)
    return found
