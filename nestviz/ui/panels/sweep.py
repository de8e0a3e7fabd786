"""Show families of sets in the player, and connect it with the view of the session."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from nestviz.arrays import FloatArray
from nestviz.data import DataError, Dataset
from nestviz.escaping import markdown
from nestviz.ui.compute import scenes
from nestviz.ui.compute.frames import FRAMES, Over
from nestviz.ui.compute.methods import Fitted, Kind, Spec
from nestviz.ui.data_choice import Current, axis_names
from nestviz.ui.live.question import MAX_POINTS
from nestviz.ui.live.sessions import offer
from nestviz.ui.panels import live_scenes
from nestviz.ui.panels.bands import BandWork
from nestviz.ui.player.player import PlayerState, Reports, scene_player
from nestviz.ui.player.story import StoryStep
from nestviz.ui.results import cache, fits
from nestviz.ui.scene.scene import LAYERS, USUAL, Knob, Layer, Part, Scene
from nestviz.ui.session.own_data import bring_back
from nestviz.ui.session.selection import keep_level_share, level_share, select, selection
from nestviz.ui.session.view import arrival, change, name_in_address, view
from nestviz.ui.session.view_state import View
from nestviz.ui.widgets.inputs import take_setting

START = 50
"""The first position shown; sets differ visibly there."""
SHOWN: tuple[Layer, ...] = ("outline", "fill", "overlay")
"""The layers switched on at first."""
BANDED: tuple[Part, ...] = (*USUAL, "band")
"""The parts of pages that fit to resamples."""


@dataclass(frozen=True)
class Cue:
    """How a step of a story opens the player."""

    story: StoryStep
    share: float  # The level, as a share of the largest
    layers: tuple[Layer, ...] = SHOWN
    probe: tuple[float, float] | None = None
    autoplay: bool = False
    turn: Callable[[str, str], None] | None = None  # Called with what the visitor chooses


@dataclass(frozen=True)
class _Start:
    """The first position of a player: its unit and share of the level, and the visit."""

    position: float
    over: Over
    share: float
    arrival: int


@dataclass(frozen=True, eq=False)
class SweepResult:
    """The content and the state of a player."""

    fits: tuple[Fitted, ...]  # The solution of each method
    state: PlayerState  # The position at rest, the layers, and the location pinned
    scene: Scene  # The content of the player
    top: float  # The level whose share is shared between pages: the largest λ, or 1
    band: BandWork | None = None  # The work that the layer "band" waits for, if it is on

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

    @property
    def inside(self) -> list[FloatArray]:
        """The share of the points inside at each stop, for each method."""
        return [scenes.inside_shares(panel, self.scene.scale) for panel in self.scene.panels]

    def complete_band(self) -> None:
        """Compute the band if it is switched on and not known; the last call of a page."""
        if self.band is not None:
            self.band.complete()

    def still(self) -> Scene:
        """Return the content that starts at the level at rest, with the layers switched on."""
        return still(self.scene, self.state)


def still(scene: Scene, state: PlayerState) -> Scene:
    """Return a scene that starts where its player is."""
    return replace(
        scene, start=state.position, shown=state.shown, probe=state.probe, autoplay=False
    )


def show(
    current: Current,
    specs: Sequence[Spec],
    *,
    key: str,
    knobs: Sequence[Knob] = (),
    height: int = 410,
    autoplay: bool = False,
    over: Over = "level",
    parts: Collection[Part] = USUAL,
    shown: tuple[Layer, ...] = SHOWN,
    share: float | None = None,
    cue: Cue | None = None,
) -> SweepResult:
    """Show families of the current data over the same levels, all of one class or all of two.

    ``over`` is the unit in which the stops of one class are evenly spaced: λ, ν or training mass.
    ``parts`` names the parts of the player, ``shown`` the layers switched on at first; ``share`` is
    the level that a link asks for, as a share of the largest. ``cue`` opens the player as a step of
    a story does.
    """
    data, plane, kind = current.fitted, current.plane, specs[0].kind
    fitted = tuple(fits.fit(data, spec) for spec in specs)
    frames = cache.keep(
        ("frames", data, tuple(specs), over),
        lambda: scenes.frames_of(data, specs, partial(fits.fit, data), over),
    )
    look = (
        _look(key, kind, frames.shares, over, share, autoplay, shown)
        if cue is None
        else _cued_look(cue, frames.shares)
    )
    start, look = look.start, replace(look, axis_names=axis_names(data))
    unit, owner = fits.median_distance(data), cache.owner()
    build = live_scenes.SceneBuilder(
        data, plane, tuple(specs), over, look, unit, owner, current.density
    )
    # Sessions share the scene; only the way to ask is their own.
    live = offer(key, build) or {}
    work = BandWork(data, plane, tuple(specs), frames) if "band" in parts else None
    # Only a layer that is on is sent: what others computed makes no message larger.
    bands = work.known() if work is not None and "band" in (view().view or ()) else ()
    scene = cache.keep(
        ("scene", data, plane, tuple(specs), frames, look, tuple(knobs), bands),
        lambda: scenes.scene_of(
            data, plane, fitted, frames, look, knobs, density=current.density, bands=bands
        ),
    )
    state = play(current, scene, key, height, parts, shown, live, cue)
    wanted = work is not None and "band" in state.shown and not bands
    waiting = replace(work, slot=st.container()) if work is not None and wanted else None
    at = float(scene.scale.level(state.position) / frames.top)
    st.session_state[f"{key}:start"] = _Start(start, over, at, arrival().number)
    # The level that a step of a story sets is no choice of the visitor; other pages keep theirs.
    if cue is None or state.position != scene.start:
        keep_level_share(kind, at)
    return SweepResult(fitted, state, scene, frames.top, waiting)


def play(
    current: Current,
    scene: Scene,
    key: str,
    height: int,
    parts: Collection[Part] = USUAL,
    shown: tuple[Layer, ...] = SHOWN,
    live: Mapping[str, str] | None = None,
    cue: Cue | None = None,
    editable: bool = True,
) -> PlayerState:
    """Show the player with the selected points, and write its level and layers to the address.

    ``editable`` lets points be added, moved and deleted, where there are not too many.
    What is as the step of a story sets it is not written.
    """
    data = current.fitted
    first = view().probe if cue is None else _linked_to(cue).probe or cue.probe
    drawn = editable and current.source.d == 2 and data.d == 2 and data.n <= MAX_POINTS
    drawn = drawn and data.weights is None  # A centre that moved would stand for no rows
    name_in_address("probe")
    state = scene_player(
        scene,
        key=key,
        height=height,
        show=parts,
        marked=selection(data).points,
        probe=first,
        live=live,
        reports=Reports(
            on_points=partial(select, data),
            on_knob=_turn,
            on_edit=partial(_edit, data) if drawn else None,
            on_story=None if cue is None else cue.turn,
        ),
        story=None if cue is None else cue.story,
    )
    name_in_address("frame")
    name_in_address("view")
    usual = set(state.shown) == set(shown if cue is None else cue.layers)
    change(
        frame=None if cue is not None and state.position == scene.start else state.position,
        view=None if usual else state.shown,
        probe=None if cue is not None and state.probe == cue.probe else state.probe,
    )
    return state


def _look(
    key: str,
    kind: Kind,
    shares: FloatArray,
    over: Over,
    share: float | None,
    autoplay: bool,
    shown: tuple[Layer, ...],
) -> scenes.Look:
    """Return how the player of a page starts."""
    # A link to a level shows that level and does not play.
    at_rest = arrival().asked.frame is not None
    start = _start(key, kind, shares, over, share)
    return scenes.Look(start, autoplay and not at_rest, asked_layers(shown))


def _linked_to(cue: Cue) -> View:
    """Return what the link asked for, if it led to this step; later steps are on their own."""
    asked = arrival().asked
    return asked if (asked.step or cue.story.steps[0][0]) == cue.story.name else View()


def _cued_look(cue: Cue, shares: FloatArray) -> scenes.Look:
    """Return how the player starts at a step of a story."""
    asked = _linked_to(cue)
    start = _nearest(shares, cue.share)
    if asked.frame is not None:
        start = float(np.clip(asked.frame, 0, len(shares) - 1))
    layers = cue.layers if asked.view is None else _among(asked.view)
    return scenes.Look(start, cue.autoplay and asked.frame is None, layers)


def _turn(key: str, value: float) -> None:
    if live_scenes.allowed(key, value):
        take_setting(key, value)


def _edit(data: Dataset, points: list[list[float]], classes: list[int]) -> None:
    try:
        edited = live_scenes.edited_data(data, points, classes)
    except DataError as error:
        st.toast(markdown(str(error)), icon=":material/report:")
        return
    bring_back(edited, "edited in the picture")


def _start(
    key: str, kind: Kind, shares: FloatArray, over: Over, named: float | None = None
) -> float:
    """Return the first position: that of the link, or of the level last seen on another page.

    It stays the same while only this player moves the level, so that nothing is sent again. When
    the stops change their levels, the player goes to the position nearest to its level.
    """
    asked, linked = asked_position(len(shares)), level_share(kind)
    if asked is None and named is not None:
        asked = _nearest(shares, named)
    known: _Start | None = st.session_state.get(f"{key}:start")
    if asked is not None and (known is None or known.arrival != arrival().number):
        return asked
    if known is None:
        return START if linked is None else _nearest(shares, linked)
    moved = linked is not None and _nearest(shares, linked) != _nearest(shares, known.share)
    if linked is not None and (moved or known.over != over):
        return _nearest(shares, linked)
    return known.position


def _nearest(shares: FloatArray, share: float) -> float:
    """Return the position of a share, to a hundredth of a stop."""
    scale = scenes.Scale("", shares, shares)
    return round(scale.position(share), 2)


def asked_position(stops: int = FRAMES) -> float | None:
    """Return the position named in the link that led to the page, if any."""
    asked = arrival().asked.frame
    return None if asked is None else float(np.clip(asked, 0, stops - 1))


def asked_layers(usual: tuple[Layer, ...] = SHOWN) -> tuple[Layer, ...]:
    """Return the layers switched on at first: those named in the link, or the usual ones."""
    asked = arrival().asked.view
    return usual if asked is None else _among(asked)


def _among(asked: Collection[str]) -> tuple[Layer, ...]:
    return tuple(layer for layer in LAYERS if layer in asked)
