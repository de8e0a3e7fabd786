"""The point painter: data drawn with the mouse."""

import hashlib
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from nestviz.ui.components.assets import read_assets

Point = tuple[float, float, int]
Points = tuple[Point, ...]

MAX_POINTS = 5_000

# Registered once, when the module is first imported, not at every run of a page.
_mount = st.components.v2.component(
    "nestviz_point_painter",
    html=read_assets("painter.html"),
    css=read_assets("common.css", "painter.css"),
    js=read_assets("canvas.js", "painter_memory.js", "painter.js"),
)


@dataclass(frozen=True)
class Memory:
    """What passed between the page, the painter and the browser up to the last run.

    ``base`` holds the points the page set last and ``count`` how often it has done so;
    ``given`` is what the page passed in, ``current`` what it was given back, and
    ``turn`` numbers the browser's last report.
    """

    base: Points
    given: Points
    current: Points
    count: int = 0
    turn: int = 0

    @property
    def name(self) -> str:
        """Name of the points the page set last, so that the browser knows old from new."""
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
    """Show a canvas to draw points of two classes on, and return what is on it.

    Click adds a point, drag sprays points or erases them; strokes can be undone. The
    page is rerun at the end of each stroke. Whoever changed the points last wins: keep
    what is returned, at once, and pass it next time, and the drawing stays as it is;
    pass anything else, say a row corrected in a table, and the canvas shows that.

    Parameters
    ----------
    points : sequence of (x, y, class)
        The points to show, class +1 or -1.
    key : str
        Name of this painter, unique in the app.
    height : int, default=420
        Height of the canvas in pixels.
    view : tuple of float
        ``(xmin, xmax, ymin, ymax)``.
    max_points : int, default=5000
        No more points can be added beyond this number, and a sentence says so.
    seed : int, default=0
        Seed of the scatter of sprayed points.

    Returns
    -------
    tuple of (float, float, int)
        The points on the canvas.
    """
    _check_view(view)
    memory_key = f"{key}:drawing"
    given = as_points(points)
    known: Memory = st.session_state.get(memory_key) or Memory(given, given, given)
    # What the browser reported is there before the component is called; whether it is
    # news decides what is sent.
    report = (st.session_state.get(key) or {}).get("drawing")
    memory = agree(known, given, report)
    data = {
        "id": key,
        "base": memory.name,
        "points": memory.base,
        "view": view,
        "height": height,
        "cap": max_points,
        "seed": seed,
    }
    _mount(key=key, data=data, on_drawing_change=_do_nothing)
    st.session_state[memory_key] = memory
    return memory.current


def _do_nothing() -> None:
    """Declare a value of the component; Streamlit knows only those with a callback."""


def agree(known: Memory, given: Points, report: dict[str, Any] | None) -> Memory:
    """Settle what is on the canvas from what the page passes and the browser reports."""
    news = report and report["base"] == known.name and report["turn"] != known.turn
    # A run cut short by the next stroke never took over the last drawing; passing the
    # same points as before is then no wish to go back to them.
    if report and news and given in (known.given, known.current):
        drawn = as_points(report["points"])
        return replace(known, given=given, current=drawn, turn=report["turn"])
    if given == known.current:
        return replace(known, given=given)
    return Memory(given, given, given, known.count + 1, known.turn)


def as_points(rows: Sequence[Sequence[float]]) -> Points:
    """Return points as tuples, or raise a ValueError that names the wrong one."""
    points = []
    for place, (x, y, kind) in enumerate(rows):
        if not (math.isfinite(x) and math.isfinite(y)):
            raise ValueError(f"Point {place} is ({x}, {y}); both coordinates must be finite.")
        if kind not in (1, -1):
            raise ValueError(f"Point {place} has class {kind}; a class is +1 or -1.")
        points.append((float(x), float(y), int(kind)))
    return tuple(points)


def _check_view(view: tuple[float, float, float, float]) -> None:
    xmin, xmax, ymin, ymax = view
    if not (all(math.isfinite(edge) for edge in view) and xmin < xmax and ymin < ymax):
        raise ValueError(
            "The view (xmin, xmax, ymin, ymax) must be finite with xmin < xmax and ymin < ymax, "
            f"not {view}."
        )
