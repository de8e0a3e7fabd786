"""The point painter: points drawn with the mouse."""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from nestviz.ui.components.assets import bundle, read_assets
from nestviz.ui.components.reports import do_nothing, reported
from nestviz.ui.decoding import COORDINATE, Decoder, choice, record, several, text, whole
from nestviz.ui.scene.view_box import check_view

Point = tuple[float, float, int]
Points = tuple[Point, ...]

MAX_POINTS = 5_000

# Registered once, when the module is first imported, not at every run of a page.
_mount = st.components.v2.component(
    "nestviz_point_painter",
    html=read_assets("components/painter.html"),
    css=read_assets("components/common.css", "components/painter.css"),
    js=bundle("components/js/painter.js"),
)


@dataclass(frozen=True)
class Memory:
    """What the page and the browser exchanged up to the last run.

    ``base`` holds the points the page set last and ``count`` how often it has done so;
    ``given`` is what the page passed, ``current`` what was returned to it, and
    ``turn`` numbers the browser's last report.
    """

    base: Points
    given: Points
    current: Points
    count: int = 0
    turn: int = 0

    @property
    def name(self) -> str:
        """Name of the points the page set last; a new name tells the browser to show them."""
        digest = hashlib.sha256(json.dumps(self.base).encode()).hexdigest()
        return f"{self.count}-{digest[:16]}"


def point_painter(
    points: Sequence[Sequence[float]],
    *,
    key: str,
    height: int = 420,
    view: tuple[float, float, float, float] = (-1.0, 1.0, -1.0, 1.0),
    max_points: int = MAX_POINTS,
    seed: int = 0,
) -> Points:
    """Show a canvas for drawing points of two classes, and return the points on it.

    A click adds a point, a drag sprays or erases points; strokes can be undone. The page is rerun
    at the end of each stroke. The last change wins: if the page passes what was returned before,
    the drawing stays as it is; if it passes anything else, such as a row corrected in a table, the
    canvas shows that.

    Parameters
    ----------
    points : sequence of (x, y, class)
        The points to show, class +1 or -1.
    key : str
        Name of this painter, unique in the app.
    height : int, default=420
        Largest height of the canvas in pixels; it follows the width and the view, to scale.
    view : tuple of float
        ``(xmin, xmax, ymin, ymax)``.
    max_points : int, default=5000
        Limit of the number of points; a sentence says when it is reached.
    seed : int, default=0
        Seed of the scatter of sprayed points.

    Returns
    -------
    tuple of (float, float, int)
        The points on the canvas.
    """
    check_view(view)
    memory_key = f"{key}:drawing"
    given = as_points(points)
    known: Memory = st.session_state.get(memory_key) or Memory(given, given, given)
    # The report is there before the component is called; whether it is new decides what is sent.
    memory = agree(known, given, reported(key, "drawing", drawing(max_points)))
    data = {
        "id": key,
        "base": memory.name,
        "points": memory.base,
        "view": view,
        "height": height,
        "cap": max_points,
        "seed": seed,
    }
    _mount(key=key, data=data, on_drawing_change=do_nothing)
    st.session_state[memory_key] = memory
    return memory.current


def as_point(value: Any) -> Point | None:
    """Decode a point: two coordinates and its class."""
    if type(value) not in (list, tuple) or len(value) != 3:
        return None
    x, y, kind = COORDINATE(value[0]), COORDINATE(value[1]), choice(1, -1)(value[2])
    return None if x is None or y is None or kind is None else (x, y, kind)


def drawing(most: int = MAX_POINTS) -> Decoder[dict[str, Any]]:
    """Return the decoder of a report of the canvas."""
    parts: dict[str, Decoder[Any]] = {
        "base": text(100), "turn": whole(0, 10**9), "points": several(as_point, most),
    }  # fmt: skip
    return record(parts)


def agree(known: Memory, given: Points, report: dict[str, Any] | None) -> Memory:
    """Decide what is on the canvas from what the page passes and the browser reports."""
    news = report and report["base"] == known.name and report["turn"] != known.turn
    # A run interrupted by the next stroke never stored the last drawing; passing the same points
    # as before is then no request to return to them.
    if report and news and given in (known.given, known.current):
        drawn = as_points(report["points"])
        return replace(known, given=given, current=drawn, turn=report["turn"])
    if given == known.current:
        return replace(known, given=given)
    return Memory(given, given, given, known.count + 1, known.turn)


def as_points(rows: Sequence[Sequence[float]]) -> Points:
    """Return points as tuples, or raise a ValueError that names the wrong one."""
    points = []
    for row, (x, y, kind) in enumerate(rows):
        if not (math.isfinite(x) and math.isfinite(y)):
            raise ValueError(f"Point {row} is ({x}, {y}); both coordinates must be finite.")
        if kind not in (1, -1):
            raise ValueError(f"Point {row} has class {kind}; a class is +1 or -1.")
        points.append((float(x), float(y), int(kind)))
    return tuple(points)
