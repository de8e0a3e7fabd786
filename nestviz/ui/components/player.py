"""The sweep player: a family of sets, played level by level in the browser."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal, get_args

import streamlit as st

from nestviz.ui.components.assets import read_assets
from nestviz.ui.components.protocol import SweepData, encode

Part = Literal["legend", "readout", "speed", "loop", "levels"]
PARTS: tuple[Part, ...] = get_args(Part)

# Registered once, when the module is first imported, not at every run of a page.
_mount = st.components.v2.component(
    "nestviz_sweep_player",
    html=read_assets("player.html"),
    css=read_assets("common.css", "player.css"),
    js=read_assets(
        "canvas.js",
        "sweep_decode.js",
        "player_picture.js",
        "player_hints.js",
        "player_memory.js",
        "player.js",
    ),
)


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
    """

    frame: int
    level: float
    clicked: PointClick | None


def sweep_player(
    sweep: SweepData,
    *,
    key: str,
    height: int = 460,
    show: Collection[Part] = PARTS,
    report: bool = True,
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
    show : collection of {"legend", "readout", "speed", "loop", "levels"}
        Optional parts; all by default. Play, steps and scrubber are always there.
    report : bool, default=True
        Rerun the page when the player comes to rest at another frame. Without it the
        frame returned is always ``sweep.start``.

    Returns
    -------
    PlayerState
        The frame at rest, its level, and the point just clicked.
    """
    unknown = set(show) - set(PARTS)
    if unknown:
        raise ValueError(f"show knows {', '.join(PARTS)}, not {', '.join(sorted(unknown))}.")
    settings = {
        "id": key,
        "height": height,
        "show": [part for part in PARTS if part in show],
        "report": report,
    }
    result = _mount(
        key=key,
        data=encode(sweep, settings),
        on_frame_change=_do_nothing,
        on_point_change=_do_nothing,
    )
    frame = _last_frame(key, result.frame, sweep)
    return PlayerState(frame, float(sweep.levels[frame]), _clicked(result.point))


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
