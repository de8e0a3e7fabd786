"""Families side by side in one player, with the regions where nesting is violated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from nestviz.analysis.level_sweep import Sweep
from nestviz.arrays import FloatArray
from nestviz.ui.compute.frames import FRAMES, Over, asymmetry_frames, level_frames
from nestviz.ui.compute.methods import Fitted, Kind, Spec
from nestviz.ui.data_choice import Current
from nestviz.ui.panels import sweep_content
from nestviz.ui.player.data import LAYERS, Layer, SweepData
from nestviz.ui.player.player import PlayerState, sweep_player
from nestviz.ui.results import fits
from nestviz.ui.session.selection import keep_level_share, level_share, select, selection
from nestviz.ui.session.view import arrival, change, name_in_address

START = 50
"""The first frame shown; sets differ visibly there."""
SHOWN: tuple[Layer, ...] = ("outline", "fill", "overlay")
"""The layers switched on at first."""


@dataclass(frozen=True)
class _Start:
    """The first frame of a player: its number, unit and share of the level, and the visit."""

    frame: int
    over: Over
    share: float
    arrival: int


@dataclass(frozen=True, eq=False)
class SweepResult:
    """The content and the state of a player."""

    fits: tuple[Fitted, ...]  # The solution of each method
    sweeps: tuple[Sweep, ...]  # The sets of each method
    state: PlayerState  # The frame at rest, the layers, and the point clicked
    content: SweepData  # The content of the player
    top: float  # The level whose share is shared between pages: the largest λ, or 1

    @property
    def specs(self) -> tuple[Spec, ...]:
        """The settings of each method."""
        return tuple(fitted.spec for fitted in self.fits)

    @property
    def two_classes(self) -> bool:
        """Whether the level is the cost asymmetry."""
        return self.fits[0].spec.two_classes

    @property
    def level(self) -> float:
        """The level at rest."""
        return self.state.level

    def still(self) -> SweepData:
        """Return the content that starts at the frame at rest, with the layers switched on."""
        return replace(self.content, start=self.state.frame, shown=self.state.shown, autoplay=False)


def show(
    current: Current,
    specs: Sequence[Spec],
    *,
    key: str,
    height: int = 430,
    autoplay: bool = False,
    over: Over = "level",
) -> SweepResult:
    """Show families of the current data over the same levels, all of one class or all of two.

    ``over`` is the unit in which the frames of one class are evenly spaced: λ, ν or training mass.
    """
    data, kind = current.fitted, specs[0].kind
    fitted = tuple(fits.fit(data, spec) for spec in specs)
    if kind == "two classes":
        frames = asymmetry_frames()
    else:
        top = fits.top_level(data, specs[0].sigma)
        frames = level_frames(data.X, specs, top, partial(fits.fit, data), over)
    start = _start(key, kind, frames.shares, over)
    sweeps = tuple(fits.sweep(data, current.plane, one, frames.levels) for one in fitted)
    # A link to a frame shows that frame and does not play.
    still = arrival().asked.frame is not None
    options = sweep_content.Options(start, autoplay and not still, asked_layers())
    content = sweep_content.content(
        data, current.plane, tuple(specs), frames, options, fitted, sweeps
    )
    state = play(current, content, key, height)
    share = float(frames.shares[state.frame])
    st.session_state[f"{key}:start"] = _Start(start, over, share, arrival().number)
    keep_level_share(kind, share)
    return SweepResult(fitted, sweeps, state, content, frames.top)


def play(current: Current, content: SweepData, key: str, height: int) -> PlayerState:
    """Show the player with the selected points, and write its frame and layers to the address."""
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


def _start(key: str, kind: Kind, shares: FloatArray, over: Over) -> int:
    """Return the first frame: that of the link, or of the level last seen on another page.

    It stays the same while only this player moves the level, so that nothing is sent again. When
    the frames change their levels, the player goes to the frame nearest to its level.
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


def _nearest(shares: FloatArray, share: float) -> int:
    return int(np.abs(shares - share).argmin())


def asked_frame(frames: int = FRAMES) -> int | None:
    """Return the frame named in the link that led to the page, if any."""
    asked = arrival().asked.frame
    return None if asked is None else asked % frames


def asked_layers() -> tuple[Layer, ...]:
    """Return the layers switched on at first: those named in the link, or the usual ones."""
    asked = arrival().asked.view
    return SHOWN if asked is None else tuple(layer for layer in LAYERS if layer in asked)
