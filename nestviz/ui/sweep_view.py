"""Families side by side, played level by level, with the locations where nesting breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nestviz.analysis.sweeps import Sweep
from nestviz.ui import cache, sweep_content
from nestviz.ui.components.player import PlayerState, sweep_player
from nestviz.ui.components.sweep import LAYERS, Layer, SweepData
from nestviz.ui.current import Current
from nestviz.ui.level_frames import FRAMES, Over, frames_of
from nestviz.ui.methods import Fitted, Spec
from nestviz.ui.selection import Kind, keep_level_share, level_share, select, selection

START = 50
"""A frame with something to see, for those who do not press play."""
SHOWN: tuple[Layer, ...] = ("outline", "fill", "overlay")
"""What is switched on at first."""


@dataclass(frozen=True, eq=False)
class Shown:
    """What a player was given, for what stands beside it.

    Attributes
    ----------
    fits : tuple of Fitted
        The solution of each method.
    sweeps : tuple of Sweep
        One walk per method.
    state : PlayerState
        Where the player rests, and what was clicked.
    content : SweepData
        What the player shows.
    top : float
        The level whose share is linked between pages: the largest level λ, or 1.
    """

    fits: tuple[Fitted, ...]
    sweeps: tuple[Sweep, ...]
    state: PlayerState
    content: SweepData
    top: float

    @property
    def specs(self) -> tuple[Spec, ...]:
        """What each method was asked for."""
        return tuple(fitted.spec for fitted in self.fits)

    @property
    def two_classes(self) -> bool:
        """Whether the sets part two classes."""
        return self.fits[0].spec.two_classes

    @property
    def frame(self) -> int:
        """The frame at rest."""
        return self.state.frame

    @property
    def level(self) -> float:
        """The level at rest."""
        return self.state.level


def show(
    current: Current,
    specs: Sequence[Spec],
    *,
    key: str,
    height: int = 430,
    autoplay: bool = False,
    over: Over = "level",
) -> Shown:
    """Families of the current data over the same levels, all of one class or all of two.

    ``over`` says in what the frames of one class are evenly spaced: λ, ν = Σα, or training mass.
    """
    data, kind = current.fitted, specs[0].kind
    fits = tuple(cache.fit(data, spec) for spec in specs)
    frames = frames_of(data, specs, over)
    start = _start(key, kind, frames.shares, over)
    sweeps = tuple(cache.sweep(data, current.plane, fitted, frames.levels) for fitted in fits)
    # A link to a frame shows that frame, and holds still.
    options = sweep_content.Options(
        start, autoplay and asked_frame(key) is None, asked_layers(key) or SHOWN
    )
    content = sweep_content.content(
        data, current.plane, tuple(specs), frames, options, fits, sweeps
    )
    state = play(current, content, key, height)
    _remember(key, kind, frames.shares, over, start, state)
    return Shown(fits, sweeps, state, content, frames.top)


def play(current: Current, content: SweepData, key: str, height: int) -> PlayerState:
    """The player, with the points selected here or elsewhere; where it rests goes to the URL."""
    data = current.fitted
    state = sweep_player(
        content,
        key=key,
        height=height,
        marked=selection(data).points,
        on_point=lambda row: select(data, [row]),
    )
    st.query_params["frame"] = str(state.frame)
    if set(state.shown) != set(SHOWN):
        st.query_params["view"] = ".".join(state.shown) or "none"
    elif "view" in st.query_params:
        del st.query_params["view"]
    return state


# ------------------------------------------------------------------ where the player begins


def _start(key: str, kind: Kind, shares: NDArray[np.float64], over: Over) -> int:
    """The frame to begin with: what the link asks for, or the level last looked at elsewhere.

    It stays the same while only this player moves the level, so that nothing is sent again. When
    frames come to stand for other levels, the player goes to the one nearest to its level.
    """
    asked, linked = asked_frame(key), level_share(kind)
    known: tuple[int, Over, float] | None = st.session_state.get(f"{key}:start")
    if known is None:
        if asked is not None:
            return asked
        return START if linked is None else _nearest(shares, linked)
    start, known_over, kept = known
    moved = linked is not None and _nearest(shares, linked) != _nearest(shares, kept)
    if linked is not None and (moved or known_over != over):
        return _nearest(shares, linked)
    return start


def _remember(
    key: str, kind: Kind, shares: NDArray[np.float64], over: Over, start: int, state: PlayerState
) -> None:
    share = float(shares[state.frame])
    st.session_state[f"{key}:start"] = start, over, share
    keep_level_share(kind, share)


def _nearest(shares: NDArray[np.float64], share: float) -> int:
    return int(np.abs(shares - share).argmin())


def asked_frame(key: str, frames: int = FRAMES) -> int | None:
    """The frame that the link asks for, if it does; read once, later changes are the player's."""
    memory = f"{key}:asked"
    if memory not in st.session_state:
        asked = st.query_params.get("frame", "")
        st.session_state[memory] = int(asked) % frames if asked.isdecimal() else None
    frame: int | None = st.session_state[memory]
    return frame


def asked_layers(key: str) -> tuple[Layer, ...] | None:
    """What the link wants switched on; read once, like the frame."""
    memory = f"{key}:asked layers"
    if memory not in st.session_state:
        asked = st.query_params.get("view")
        words = asked.split(".") if asked else []
        st.session_state[memory] = tuple(x for x in LAYERS if x in words) if asked else None
    layers: tuple[Layer, ...] | None = st.session_state[memory]
    return layers
