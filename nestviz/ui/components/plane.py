"""The plane: points that can be clicked and lassoed, in the browser's own time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray
from nestviz.ui.components.assets import read_assets

STEPS = 30_000
"""Steps across the view box that coordinates are rounded to: finer than any screen."""

# Registered once, when the module is first imported, not at every run of a page.
_mount = st.components.v2.component(
    "nestviz_plane",
    html=read_assets("plane.html"),
    css=read_assets("common.css", "pointing.css"),
    js=read_assets("canvas.js", "pointing.js", "plane.js"),
)


@dataclass(frozen=True)
class Kind:
    """What points of one kind look like.

    Parameters
    ----------
    name : str
        In the legend.
    colour : int
        Place in the palette; −1 is quiet.
    shape : str
        One of the player's shapes: circle, triangle, square, diamond, cross, wedge, star.
    """

    name: str
    colour: int
    shape: str


@dataclass(frozen=True, eq=False)
class Area:
    """A part of the plane: closed rings, odd ones around it and even ones around its holes."""

    rings: Sequence[FloatArray]
    colour: int = -1
    dashed: bool = False


@dataclass(frozen=True, eq=False)
class Thread:
    """A line between two places; ``weight`` from 0 to 1 is its width, ``pushes`` dots it."""

    start: Sequence[float]
    end: Sequence[float]
    weight: float
    pushes: bool = False


@dataclass(frozen=True, eq=False)
class PlaneData:
    """What a plane shows.

    Parameters
    ----------
    points : (n, 2) array
        The points.
    view : (xmin, xmax, ymin, ymax)
        The box that is shown.
    kinds : sequence of Kind
        What there is to tell apart, by colour and by shape.
    kind_of : (n,) array
        The kind of each point.
    name, alt : str
        What the picture is called, and what it shows, for those who do not see it.
    title : str
        Written above.
    axis_names : pair of str
    areas : sequence of Area
        Behind the points.
    chosen : sequence of int
        Points that wear a ring.
    shades : (n,) array, optional
        From 0, quiet and small, to 1, loud and large; in place of the colours of the kinds.
    notes : sequence of str, optional
        What is known about each point, shown when it is pointed at.
    threads : sequence of Thread
    labels : sequence of (row, text)
        Points with something written beside them.
    spot : pair of float, optional
        A place that is marked by a cross.
    """

    points: FloatArray
    view: tuple[float, float, float, float]
    kinds: Sequence[Kind]
    kind_of: NDArray[np.integer]
    name: str
    alt: str
    title: str = ""
    axis_names: tuple[str, str] = ("x", "y")
    areas: Sequence[Area] = ()
    chosen: Sequence[int] = ()
    shades: FloatArray | None = None
    notes: Sequence[str] | None = None
    threads: Sequence[Thread] = ()
    labels: Sequence[tuple[int, str]] = ()
    spot: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        n = len(self.points)
        for name in ("kind_of", "shades", "notes"):
            given = getattr(self, name)
            if given is not None and len(given) != n:
                raise ValueError(f"{n} points need {n} {name}, not {len(given)}.")


def plane(
    content: PlaneData,
    *,
    key: str,
    on_rows: Callable[[list[int]], None],
    on_place: Callable[[float, float], None] | None = None,
    height: int = 430,
) -> None:
    """Show points and tell which ones are picked.

    A click picks the point under it, a click with Shift adds or takes away, a drag with mouse or
    pen picks what it surrounds. A click beside all points picks none, or names a place.

    Parameters
    ----------
    content : PlaneData
        What is shown.
    key : str
        Name of this plane, unique in the app.
    on_rows : callable
        Called with the rows picked, before the page runs again.
    on_place : callable, optional
        Called with the coordinates of an empty place that was clicked.
    height : int
        In pixels; less on narrow screens.
    """

    def picked() -> None:
        rows = _told(key, "rows")
        if rows is not None:
            on_rows([int(row) for row in rows])

    def placed() -> None:
        place = _told(key, "place")
        if place is not None and on_place is not None:
            on_place(*location_of(place, content.view))

    message = encode(content) | {"height": height, "takes_places": on_place is not None}
    _mount(key=key, data=message, on_rows_change=picked, on_place_change=placed)


def encode(content: PlaneData) -> dict[str, Any]:
    """The message to the browser; coordinates as whole steps across the view."""
    view, shades = content.view, content.shades
    return {
        "name": content.name,
        "alt": content.alt,
        "title": content.title,
        "view": [float(edge) for edge in view],
        "axis_names": list(content.axis_names),
        "points": _steps(content.points, view),
        "kinds": [vars(kind) for kind in content.kinds],
        "kind_of": np.asarray(content.kind_of).astype(int).tolist(),
        "areas": [
            {
                "rings": [_steps(ring, view) for ring in area.rings],
                "colour": area.colour,
                "dashed": area.dashed,
            }
            for area in content.areas
        ],
        "chosen": [int(row) for row in content.chosen],
        "shades": None if shades is None else np.round(shades, 3).tolist(),
        "notes": None if content.notes is None else list(content.notes),
        "threads": [
            {
                "from": _steps(thread.start, view),
                "to": _steps(thread.end, view),
                "weight": float(thread.weight),
                "pushes": bool(thread.pushes),
            }
            for thread in content.threads
        ],
        "labels": [{"row": int(row), "text": text} for row, text in content.labels],
        "spot": None if content.spot is None else _steps(content.spot, view),
    }


def _steps(places: ArrayLike, view: Sequence[float]) -> list[int]:
    xmin, xmax, ymin, ymax = view
    share = (np.asarray(places, dtype=np.float64) - (xmin, ymin)) / (xmax - xmin, ymax - ymin)
    steps: list[int] = np.rint(share * STEPS).astype(np.int64).ravel().tolist()
    return steps


def location_of(steps: Sequence[float], view: Sequence[float]) -> tuple[float, float]:
    """Return the coordinates of a location that the browser reports in steps."""
    xmin, xmax, ymin, ymax = view
    across, up = steps[0] / STEPS, steps[1] / STEPS
    return xmin + across * (xmax - xmin), ymin + up * (ymax - ymin)


def _told(key: str, name: str) -> Any:
    """What the browser has just said, if it said anything of that name."""
    return (st.session_state.get(key) or {}).get(name)
