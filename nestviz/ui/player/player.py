"""The sweep player: a family of sets, played level by level in the browser."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st

from nestviz.ui.components.assets import bundle, read_assets
from nestviz.ui.components.reports import do_nothing, reported
from nestviz.ui.player.data import LAYERS, PARTS, Layer, Part
from nestviz.ui.player.protocol import SweepData, encode

# Registered once, when the module is first imported, not at every run of a page.
_mount = st.components.v2.component(
    "nestviz_sweep_player",
    html=read_assets("player/player.html"),
    css=read_assets("components/common.css", "player/player.css"),
    js=bundle("player/js/player.js"),
)
_mark = st.components.v2.component("nestviz_sweep_marker", js=bundle("player/js/marker.js"))
# Packing a sweep takes longer than sending it: the message is kept as long as the sweep.
_messages: WeakKeyDictionary[SweepData, tuple[dict[str, Any], bytes]] = WeakKeyDictionary()


@dataclass(frozen=True)
class PlayerState:
    """What the player last reported.

    Parameters
    ----------
    frame : int
        The frame at which the player came to rest; while it plays, where it last did.
    level : float
        The level of that frame.
    shown : tuple of Layer
        The layers that are switched on.
    """

    frame: int
    level: float
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
) -> PlayerState:
    """Show a sweep with controls to play, step and scrub through it.

    The browser plays it. Frame, play state and switches are kept there under ``key``: they
    survive reruns, other data, and leaving the page and coming back.

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
        Rows of the points with a ring; the first has a larger one. They are sent apart from the
        sweep, in a few bytes. None: a click does not mark a point.
    on_point : callable, optional
        Called with the row of a clicked point before the page runs.

    Returns
    -------
    PlayerState
        The frame at rest, its level, and the layers that are switched on.

    Raises
    ------
    ValueError
        If ``show`` names an unknown part.
    """
    unknown = set(show) - set(PARTS)
    if unknown:
        raise ValueError(
            f"show must consist of {', '.join(PARTS)}; unknown: {', '.join(sorted(unknown))}."
        )
    settings: dict[str, Any] = {
        "id": key,
        "height": height,
        "show": [part for part in PARTS if part in show],
        "report": report,
    }

    def clicked() -> None:
        row = reported(key, "point")
        if on_point is not None and row is not None:
            on_point(int(row))

    # No gap between the two: the marker has no picture of its own.
    with st.container(gap=None):
        result = _mount(
            key=key,
            data=_message(sweep, settings),
            on_frame_change=do_nothing,
            on_view_change=do_nothing,
            on_point_change=clicked,
        )
        if marked is not None:
            rows = [int(row) for row in marked]
            _mark(key=f"{key}:marks", data={"id": key, "rows": rows})
    frame = _last_frame(key, result.frame, sweep)
    return PlayerState(frame, float(sweep.levels[frame]), _layers(key, result.view, sweep))


def _message(sweep: SweepData, settings: dict[str, Any]) -> bytes:
    known = _messages.get(sweep)
    if known is None or known[0] != settings:
        known = settings, encode(sweep, settings)
        _messages[sweep] = known
    return known[1]


def _layers(key: str, view: list[str] | None, sweep: SweepData) -> tuple[Layer, ...]:
    """Return the layers that are switched on; remembered for the same reason as the frame."""
    memory_key = f"{key}:shown"
    if view is not None:
        st.session_state[memory_key] = tuple(view)
    on: Collection[str] = st.session_state.get(memory_key, sweep.shown)
    return tuple(layer for layer in LAYERS if layer in on)


def _last_frame(key: str, at_rest: int | None, sweep: SweepData) -> int:
    """Return the frame reported last, also after the page was left and entered again.

    Streamlit forgets the state of a component that is not on the page; the browser does
    not, and would show a frame that differs from Python's.
    """
    memory_key = f"{key}:rest"
    start, frames = sweep.start, len(sweep.levels)
    known: tuple[int, int, int] = st.session_state.get(memory_key, (start, start, frames))
    frame, known_start, known_frames = known
    if start != known_start and frames == known_frames:
        frame = start
    elif at_rest is not None:
        frame = int(at_rest)
    st.session_state[memory_key] = (frame, start, frames)
    return min(frame, frames - 1)
