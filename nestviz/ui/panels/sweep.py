"""Families side by side, played level by level, with the locations where nesting breaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nestviz.analysis.level_sweep import Sweep
from nestviz.ui.compute.frames import FRAMES, Over, frames_of
from nestviz.ui.compute.methods import Fitted, Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.panels import sweep_content
from nestviz.ui.player.data import LAYERS, Layer, SweepData
from nestviz.ui.player.player import PlayerState, sweep_player
from nestviz.ui.results import fits
from nestviz.ui.session.selection import Kind, keep_level_share, level_share, select, selection
from nestviz.ui.session.view import arrival, change, name_in_address

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
    fitted = tuple(fits.fit(data, spec) for spec in specs)
    frames = frames_of(data, specs, over)
    start = _start(key, kind, frames.shares, over)
    sweeps = tuple(fits.sweep(data, current.plane, one, frames.levels) for one in fitted)
    # A link to a frame shows that frame, and holds still.
    still = arrival().asked.frame is not None
    options = sweep_content.Options(start, autoplay and not still, asked_layers())
    content = sweep_content.content(
        data, current.plane, tuple(specs), frames, options, fitted, sweeps
    )
    state = play(current, content, key, height)
    _remember(key, kind, frames.shares, over, start, state)
    return Shown(fitted, sweeps, state, content, frames.top)


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
