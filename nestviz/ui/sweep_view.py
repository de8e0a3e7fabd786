"""Families side by side, played level by level, with the locations where nesting breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nestviz.analysis.sweeps import Sweep
from nestviz.grids import Grid
from nestviz.ui import cache, sweep_content
from nestviz.ui.components.player import PlayerState, sweep_player
from nestviz.ui.components.sweep import LAYERS, Layer, SweepData
from nestviz.ui.current import Current
from nestviz.ui.level_frames import FRAMES, Frames, Over, density_frames
from nestviz.ui.methods import Spec
from nestviz.ui.selection import Kind, keep_level_share, level_share, select, selection
from nestviz.ui.view import arrival, change, name_in_address

START = 50
"""A frame with something to see, for those who do not press play."""
SHOWN: tuple[Layer, ...] = ("outline", "fill", "overlay")
"""What is switched on at first."""


@dataclass(frozen=True)
class _Start:
    """Where a player began: frame, unit of the frames, share of the level, and on which visit."""

    frame: int
    over: Over
    share: float
    arrival: int


@dataclass(frozen=True, eq=False)
class Shown:
    """What a player was given, for what stands beside it.

    Attributes
    ----------
    sweeps : tuple of Sweep
        One walk per method.
    state : PlayerState
        Where the player rests, and what was clicked.
    content : SweepData
        What the player shows.
    top : float
        The level whose share is linked between pages: the largest level λ, or 1.
    """

    sweeps: tuple[Sweep, ...]
    state: PlayerState
    content: SweepData
    top: float

    @property
    def frame(self) -> int:
        """The frame at rest."""
        return self.state.frame

    @property
    def level(self) -> float:
        """The level at rest."""
        return self.state.level


def show_one_class(
    current: Current,
    specs: Sequence[Spec],
    *,
    key: str,
    height: int = 430,
    autoplay: bool = False,
    over: Over = "level",
) -> Shown:
    """One-class families of the current data over the same levels.

    ``over`` says in what the frames are evenly spaced: λ, ν = Σα, or training mass.
    """
    data, grid = current.fitted, _grid(current)
    frames = density_frames(data, specs, over)
    start = _start(key, "one class", frames.shares, over)
    sweeps = tuple(
        cache.one_class_sweep(data.fingerprint, current.plane_key, spec, frames.levels, data, grid)
        for spec in specs
    )
    content = sweep_content.one_class(
        data.fingerprint, current.plane_key, tuple(specs), frames, _options(key, start, autoplay),
        data, grid, sweeps,
    )  # fmt: skip
    state = play(current, content, key, height)
    _remember(key, "one class", frames.shares, over, start, state)
    return Shown(sweeps, state, content, frames.top)


def show_two_class(
    current: Current, specs: Sequence[Spec], *, key: str, height: int = 430
) -> Shown:
    """Two-class families of the current data over the same cost asymmetries."""
    data, grid = current.fitted, _grid(current)
    levels = np.linspace(0.0, 1.0, FRAMES)
    start = _start(key, "two classes", levels, "level")
    frames = Frames(tuple(levels.tolist()), 1.0, "level", tuple(f"{g:.2f}" for g in levels))
    sweeps = tuple(
        cache.two_class_sweep(data.fingerprint, current.plane_key, spec, frames.levels, data, grid)
        for spec in specs
    )
    content = sweep_content.two_class(
        data.fingerprint, current.plane_key, tuple(specs), frames, _options(key, start, False),
        data, grid, sweeps,
    )  # fmt: skip
    state = play(current, content, key, height)
    _remember(key, "two classes", levels, "level", start, state)
    return Shown(sweeps, state, content, 1.0)


def _grid(current: Current) -> Grid:
    data = current.fitted
    return cache.grid(data.fingerprint, current.plane_key, data, current.plane)


def _options(key: str, start: int, autoplay: bool) -> sweep_content.Options:
    # A link to a frame shows that frame, and holds still.
    still = arrival().asked.frame is not None
    return sweep_content.Options(start, autoplay and not still, asked_layers())


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
    name_in_address("frame")
    name_in_address("view")
    usual = set(state.shown) == set(SHOWN)
    change(frame=state.frame, view=None if usual else state.shown)
    return state


# ------------------------------------------------------------------ where the player begins


def _start(key: str, kind: Kind, shares: NDArray[np.float64], over: Over) -> int:
    """The frame to begin with: what the link asks for, or the level last looked at elsewhere.

    It stays the same while only this player moves the level, so that nothing is sent again. When
    frames come to stand for other levels, the player goes to the one nearest to its level.
    """
    asked, linked = asked_frame(len(shares)), level_share(kind)
    known: _Start | None = st.session_state.get(f"{key}:start")
    if asked is not None and (known is None or known.arrival != arrival().number):
        return asked
    if known is None:
        return START if linked is None else _nearest(shares, linked)
    moved = linked is not None and _nearest(shares, linked) != _nearest(shares, known.share)
    if linked is not None and (moved or known.over != over):
        return _nearest(shares, linked)
    return known.frame


def _remember(
    key: str, kind: Kind, shares: NDArray[np.float64], over: Over, start: int, state: PlayerState
) -> None:
    share = float(shares[state.frame])
    st.session_state[f"{key}:start"] = _Start(start, over, share, arrival().number)
    keep_level_share(kind, share)


def _nearest(shares: NDArray[np.float64], share: float) -> int:
    return int(np.abs(shares - share).argmin())


def asked_frame(frames: int = FRAMES) -> int | None:
    """The frame that the address asked for when the page was arrived at, if it did."""
    asked = arrival().asked.frame
    return None if asked is None else asked % frames


def asked_layers() -> tuple[Layer, ...]:
    """What is switched on at first: what the address asked for, or the usual."""
    asked = arrival().asked.view
    return SHOWN if asked is None else tuple(layer for layer in LAYERS if layer in asked)
