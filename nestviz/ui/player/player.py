"""The player: families of sets over a level, evaluated and drawn in the browser."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st

from nestviz.ui.components.assets import bundle, read_assets
from nestviz.ui.components.reports import do_nothing, reported
from nestviz.ui.decoding import LOCATION, number, record, several, text, whole
from nestviz.ui.player import last_state
from nestviz.ui.player.story import StoryStep
from nestviz.ui.player.styles import STYLES
from nestviz.ui.scene.message import PackedScene, pack_scene
from nestviz.ui.scene.scene import PARTS, USUAL, Layer, Part, Scene

# Registered once, when the module is first imported, not at every run of a page.
_mount = st.components.v2.component(
    "nestviz_player",
    html=read_assets("player/player.html"),
    css=read_assets(*STYLES),
    js=bundle("player/js/player.js"),
)
_mark = st.components.v2.component("nestviz_player_marker", js=bundle("player/js/marker.js"))
MESSAGES: WeakKeyDictionary[Scene, PackedScene] = WeakKeyDictionary()
"""The arrays of each scene shown, kept as long as the scene: packing them takes longer than sending
them."""

Location = tuple[float, float]

MOST_ROWS, MOST_EDITED, MOST_KNOBS = 1_000_000, 5_000, 16
"""Bounds on a report: points selected, points edited, knobs turned."""
ROW = whole(0, MOST_ROWS)
ROWS = several(ROW, MOST_ROWS)
EDIT = record(
    {
        "points": several(LOCATION, MOST_EDITED),
        "classes": several(whole(-MOST_ROWS, MOST_ROWS), MOST_EDITED),
    }
)


@dataclass(frozen=True)
class PlayerState:
    """What the player last reported.

    Parameters
    ----------
    position : float
        Where the player came to rest, in stops of its scale; while it plays, where it last did.
    level : float
        The level at that position.
    shown : tuple of Layer
        The layers that are switched on.
    probe : tuple of float, optional
        The location that is pinned.
    """

    position: float
    level: float
    shown: tuple[Layer, ...] = ()
    probe: Location | None = None


@dataclass(frozen=True)
class Reports:
    """What a page does with what the player reports, before the page runs.

    Parameters
    ----------
    on_points : callable, optional
        Called with the rows of clicked points, or of those in a lasso.
    on_knob : callable, optional
        Called with the key and the value of a knob that was released.
    on_edit : callable, optional
        Called with the points and the classes after points were added, moved or deleted. Without
        it, points cannot be edited.
    on_story : callable, optional
        Called with what was chosen in a story and its name: ``"step"`` and the name of a step,
        ``"answer"`` and that of a choice, ``"leave"`` or ``"return"``.
    """

    on_points: Callable[[Sequence[int]], None] | None = None
    on_knob: Callable[[str, float], None] | None = None
    on_edit: Callable[[list[list[float]], list[int]], None] | None = None
    on_story: Callable[[str, str], None] | None = None


def scene_player(
    scene: Scene,
    *,
    key: str,
    height: int = 460,
    show: Collection[Part] = USUAL,
    report: bool = True,
    marked: Iterable[int] | None = None,
    probe: Location | None = None,
    live: Mapping[str, str] | None = None,
    reports: Reports | None = None,
    story: StoryStep | None = None,
) -> PlayerState:
    """Show a scene with controls to play, scrub, zoom and ask.

    The browser evaluates the families. Position, play state and switches are kept there under
    ``key``: they survive reruns, other data, and leaving the page and coming back.

    Parameters
    ----------
    scene : Scene
        The families. The player goes to ``scene.start`` when it is first shown, and later when that
        number changes while the number of stops does not.
    key : str
        Name of this player, unique in the app.
    height : int, default=460
        Largest height of a panel in pixels; the height follows the data, to scale.
    show : collection of Part
        Optional parts, among them a switch for each `Layer`; by default `USUAL`. Play, steps and
        scrubber are always there.
    report : bool, default=True
        Rerun the page when the player comes to rest at another level. Without it the
        position returned is always ``scene.start``.
    marked : iterable of int, optional
        Rows of the points with a ring; the first has a larger one. They are sent apart from the
        scene, in a few bytes. None: a click does not mark a point.
    probe : tuple of float, optional
        The location that is pinned at first.
    live : mapping, optional
        How the browser of this session asks for families; by default that of the scene.
    reports : Reports, optional
        What the page does with what is reported.
    story : StoryStep, optional
        The words beside the picture. With another step, position, layers, pin and play state are
        those of the scene again.

    Returns
    -------
    PlayerState

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
    calls = reports or Reports()
    settings: dict[str, Any] = {
        "id": key,
        "height": height,
        "show": [part for part in PARTS if part in show],
        "report": report,
        "editable": calls.on_edit is not None,
        "probe": probe,
        "story": None if story is None else story.message(),
    }
    # No gap between the two: the marker has no picture of its own.
    with st.container(gap=None):
        _mount(key=key, data=_message(scene, settings, live), **_callbacks(key, calls))
        if marked is not None:
            rows = [int(row) for row in marked]
            _mark(key=f"{key}:marks", data={"id": key, "rows": rows})
    # A step at another location is another step.
    step = None if story is None else f"{story.name} {probe}"
    position = last_state.position(key, scene, step)
    return PlayerState(
        position,
        scene.scale.level(position),
        last_state.layers(key, scene, step),
        last_state.pinned(key, probe, step),
    )


def knob_values(value: Any) -> dict[str, float] | None:
    """Decode the values of knobs by name; the time of the report is left out."""
    if not isinstance(value, Mapping) or len(value) > MOST_KNOBS:
        return None
    found = {text(40)(name): number()(entry) for name, entry in value.items() if name != "time"}
    return {name: entry for name, entry in found.items() if name is not None and entry is not None}


def edited_points(value: Any) -> tuple[list[list[float]], list[int]] | None:
    """Decode points after an edit, and as many classes."""
    found = EDIT(value)
    if found is None or len(found["points"]) != len(found["classes"]):
        return None
    return [list(point) for point in found["points"]], list(found["classes"])


def story_report(value: Any) -> list[tuple[str, str]] | None:
    """Decode what was chosen in a story: words with a name after a colon, joined by semicolons."""
    found = text(80)(value)
    if found is None:
        return None
    acts = (part.partition(":") for part in found.split(";") if part)
    return [(act, name) for act, _, name in acts]


def _callbacks(key: str, calls: Reports) -> dict[str, Any]:
    def pointed() -> None:
        row, rows = reported(key, "point", ROW), reported(key, "points", ROWS)
        if calls.on_points is not None and (row is not None or rows is not None):
            calls.on_points(list(rows or ()) if row is None else [row])

    def turned() -> None:
        knobs = reported(key, "knobs", knob_values)
        if calls.on_knob is not None and knobs is not None:
            for name, value in knobs.items():
                calls.on_knob(name, value)

    def edited() -> None:
        found = reported(key, "edited", edited_points)
        if calls.on_edit is not None and found is not None:
            calls.on_edit(*found)

    def chosen() -> None:
        found = reported(key, "story", story_report)
        if calls.on_story is not None and found is not None:
            for act, name in found:
                calls.on_story(act, name)

    return {
        "on_frame_change": do_nothing,
        "on_view_change": do_nothing,
        "on_probe_change": do_nothing,
        "on_point_change": pointed,
        "on_points_change": pointed,
        "on_knobs_change": turned,
        "on_edited_change": edited,
        "on_story_change": chosen,
    }


def _message(scene: Scene, settings: dict[str, Any], live: Mapping[str, str] | None) -> bytes:
    packed = MESSAGES.get(scene)
    if packed is None:
        packed = MESSAGES[scene] = pack_scene(scene)
    return packed.message(settings, live)
