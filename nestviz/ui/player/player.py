"""The sweep player: a family of sets, played level by level in the browser."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, Literal
from weakref import WeakKeyDictionary

import streamlit as st

from nestviz.ui.components.assets import bundle, read_assets
from nestviz.ui.player.data import LAYERS, Layer
from nestviz.ui.player.protocol import SweepData, encode

Part = Literal["legend", "readout", "speed", "loop"] | Layer
PARTS: tuple[Part, ...] = ("legend", "readout", "speed", "loop", *LAYERS)

# Registered once, when the module is first imported, not at every run of a page.
_mount = st.components.v2.component(
    "nestviz_sweep_player",
    html=read_assets("player/player.html"),
    css=read_assets("components/common.css", "player/player.css"),
    js=bundle("player/js/player.js"),
)
_mark = st.components.v2.component("nestviz_sweep_marker", js=bundle("player/js/marker.js"))
# Packing a sweep takes longer than sending it: the message lives as long as the sweep does.
_messages: WeakKeyDictionary[SweepData, tuple[dict[str, Any], bytes]] = WeakKeyDictionary()


@dataclass(frozen=True)
class PointClick:
    """A point that was just clicked.

    Parameters
    ----------
    panel : int
        Which panel, counted from 0.
    index : int
        Which of its points, counted from 0.
    """

    panel: int
    index: int


@dataclass(frozen=True)
class PlayerState:
    """What the player last told Python.

    Parameters
    ----------
    frame : int
        The frame at which the player came to rest; while it plays, where it last did.
    level : float
        The level of that frame.
    clicked : PointClick or None
        The point whose click caused this run, if that is what caused it.
    clicked_place : (x, y) or None
        The empty place whose click caused this run, in the coordinates of the view.
    clicked_panel : int or None
        The panel of either click, counted from 0.
    shown : tuple of Layer
        What is switched on.
    """

    frame: int
    level: float
    clicked: PointClick | None
    clicked_place: tuple[float, float] | None = None
    clicked_panel: int | None = None
    shown: tuple[Layer, ...] = ()


def sweep_player(
    sweep: SweepData,
    *,
    key: str,
    height: int = 460,
    show: Collection[Part] = PARTS,
    report: bool = True,
    marked: Iterable[int] | None = None,
    on_point: Callable[[int], None] | None = None,
    places: bool = False,
) -> PlayerState:
    """Show a sweep with controls to play, step and scrub through it.

    Playing happens in the browser. Frame, play state and switches are kept there under
    ``key``: they survive reruns, other data, and leaving the page and coming back.

    Parameters
    ----------
    sweep : SweepData
        The panels and their levels. The player goes to ``sweep.start`` when it is first
        shown, and later when that number changes while the number of levels does not.
    key : str
        Name of this player, unique in the app.
    height : int, default=460
        Height of a panel in pixels; on narrow screens panels may be lower.
    show : collection of Part
        Optional parts, among them a switch for each `Layer`; all by default. Play, steps and
        scrubber are always there.
    report : bool, default=True
        Rerun the page when the player comes to rest at another frame. Without it the
        frame returned is always ``sweep.start``.
    marked : iterable of int, optional
        Rows of the points that wear a ring, the one in view first. They travel apart from the
        sweep, so another choice costs a few bytes. None: points are not marked when clicked.
    on_point : callable, optional
        Called with the row of a clicked point before the page runs, to select it, say.
    places : bool, default=False
        Report clicks on places without a point as well.

    Returns
    -------
    PlayerState
        The frame at rest, its level, what was just clicked, and what is switched on.
    """
    unknown = set(show) - set(PARTS)
    if unknown:
        raise ValueError(f"show knows {', '.join(PARTS)}, not {', '.join(sorted(unknown))}.")
    settings: dict[str, Any] = {
        "id": key,
        "height": height,
        "show": [part for part in PARTS if part in show],
        "report": report,
    } | ({"places": True} if places else {})
    # No gap between the two: the marker has no picture of its own.
    with st.container(gap=None):
        result = _mount(
            key=key,
            data=_message(sweep, settings),
            on_frame_change=_do_nothing,
            on_view_change=_do_nothing,
            on_point_change=lambda: _hand_over(key, on_point),
            on_place_change=_do_nothing,
        )
        if marked is not None:
            rows = [int(row) for row in marked]
            _mark(key=f"{key}:marks", data={"id": key, "rows": rows})
    frame = _last_frame(key, result.frame, sweep)
    point, place = _clicked(result.point), result.place
    return PlayerState(
        frame,
        float(sweep.levels[frame]),
        point,
        None if place is None else (float(place["x"]), float(place["y"])),
        point.panel if point else None if place is None else int(place["panel"]),
        _layers(key, result.view, sweep),
    )


def _message(sweep: SweepData, settings: dict[str, Any]) -> bytes:
    known = _messages.get(sweep)
    if known is None or known[0] != settings:
        known = settings, encode(sweep, settings)
        _messages[sweep] = known
    return known[1]


def _hand_over(key: str, on_point: Callable[[int], None] | None) -> None:
    clicked = _clicked(st.session_state[key]["point"])
    if on_point is not None and clicked is not None:
        on_point(clicked.index)


def _layers(key: str, reported: list[str] | None, sweep: SweepData) -> tuple[Layer, ...]:
    """What is switched on; remembered like the frame, and for the same reason."""
    memory_key = f"{key}:shown"
    if reported is not None:
        st.session_state[memory_key] = tuple(reported)
    on: Collection[str] = st.session_state.get(memory_key, sweep.shown)
    return tuple(layer for layer in LAYERS if layer in on)


def _do_nothing() -> None:
    """Declare a value of the component; Streamlit knows only those with a callback."""


def _last_frame(key: str, reported: int | None, sweep: SweepData) -> int:
    """Return the frame reported last, also after the page was left and entered again.

    Streamlit forgets the state of a component that is not on the page; the browser does
    not, and would show a frame that Python no longer knows of.
    """
    memory_key = f"{key}:rest"
    start, frames = sweep.start, len(sweep.levels)
    known: tuple[int, int, int] = st.session_state.get(memory_key, (start, start, frames))
    frame, known_start, known_frames = known
    if start != known_start and frames == known_frames:
        frame = start
    elif reported is not None:
        frame = int(reported)
    st.session_state[memory_key] = (frame, start, frames)
    return min(frame, frames - 1)


def _clicked(value: dict[str, Any] | None) -> PointClick | None:
    return None if value is None else PointClick(int(value["panel"]), int(value["index"]))
