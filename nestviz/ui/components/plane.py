"""The plane: points that can be clicked and lassoed, without waiting for the server."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import ArrayLike, NDArray

from nestviz.arrays import FloatArray
from nestviz.grids import Grid
from nestviz.palette import PLANE_STEPS as STEPS
from nestviz.ui.components.assets import bundle, read_assets
from nestviz.ui.components.reports import reported, rows_of
from nestviz.ui.decoding import number, several

FAR = 1_000 * STEPS
"""Steps from the corner of the view within which a location can be clicked."""
LEAST_LEVEL, MOST_CODE = 1e-9, 65_534
"""Smallest entry level that is sent, as a share of the highest, and the code of the highest."""

# Registered once, when the module is first imported, not at every run of a page.
_mount = st.components.v2.component(
    "nestviz_plane",
    html=read_assets("components/plane.html"),
    css=read_assets("components/common.css", "components/pointing.css"),
    js=bundle("components/js/plane.js"),
)


@dataclass(frozen=True)
class Kind:
    """Appearance of the points of one kind.

    Parameters
    ----------
    name : str
        Text in the legend.
    colour : int
        Index in the palette; −1 is the colour of text, faded.
    shape : str
        One of `nestviz.palette.SHAPES`.
    """

    name: str
    colour: int
    shape: str


@dataclass(frozen=True, eq=False)
class Area:
    """A region: the points that an odd number of closed rings surrounds."""

    rings: Sequence[FloatArray]
    colour: int = -1
    dashed: bool = False


@dataclass(frozen=True, eq=False)
class Thread:
    """A line between two locations; ``weight`` from 0 to 1 is its width, ``pushes`` dots it."""

    start: Sequence[float]
    end: Sequence[float]
    weight: float
    pushes: bool = False


@dataclass(frozen=True, eq=False)
class Sets:
    """The sets of a family that shrink with the level: the entry level of each pixel of a grid."""

    grid: Grid
    entry: FloatArray


@dataclass(frozen=True, eq=False)
class PlaneData:
    """What a plane shows.

    Parameters
    ----------
    points : ndarray of shape (n_points, 2)
        The points.
    view : tuple of float
        The shown box, ``(xmin, xmax, ymin, ymax)``.
    kinds : sequence of Kind
        Kinds of points, distinguished by colour and shape.
    kind_of : ndarray of shape (n_points,)
        Index of the kind of each point.
    name, alt : str
        Name and description of the picture for screen readers.
    title : str
        Text above the picture.
    axis_names : tuple of str
        Names of the horizontal and the vertical axis.
    areas : sequence of Area
        Regions behind the points.
    chosen : sequence of int
        Rows of the points with a ring.
    shades : ndarray of shape (n_points,), optional
        Scores from 0, pale and small, to 1, strong and large; instead of the kinds' colours.
    notes : sequence of str, optional
        Description of each point, shown while the pointer is on it.
    names : sequence of str, optional
        Name of each point, shown above its description; its number by default.
    threads : sequence of Thread
        Lines between locations.
    labels : sequence of (row, text)
        Texts beside points.
    spot : tuple of float, optional
        Location marked by a cross.
    link : str
        Name of the pictures that light the same points: what is pointed at in one of them.
    sets : Sets, optional
        Sets of which another picture may ask for one, by its level.
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
    names: Sequence[str] | None = None
    threads: Sequence[Thread] = ()
    labels: Sequence[tuple[int, str]] = ()
    spot: tuple[float, float] | None = None
    link: str = ""
    sets: Sets | None = None

    def __post_init__(self) -> None:
        n = len(self.points)
        for name in ("kind_of", "shades", "notes", "names"):
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
    """Show points and report which ones are selected.

    A click selects the point under it, a click with Shift adds or removes it, a drag with mouse or
    pen selects what it surrounds. A click beside all points selects none, or reports the location.

    Parameters
    ----------
    content : PlaneData
        What is shown.
    key : str
        Name of this plane, unique in the app.
    on_rows : callable
        Called with the selected rows, before the page runs again.
    on_place : callable, optional
        Called with the coordinates of a clicked location without a point.
    height : int
        Largest height in pixels; one unit is as long across as along, and the height follows.
    """

    def picked() -> None:
        rows = reported(key, "rows", rows_of(len(content.points)))
        if rows is not None:
            on_rows(list(rows))

    def placed() -> None:
        location = reported(key, "place", several(number(-FAR, FAR), 2, least=2))
        if location is not None and on_place is not None:
            on_place(*location_of(location, content.view))

    message = encode(content) | {"height": height, "takes_places": on_place is not None}
    _mount(key=key, data=message, on_rows_change=picked, on_place_change=placed)


def encode(content: PlaneData) -> dict[str, Any]:
    """Return the message to the browser; coordinates are whole steps across the view."""
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
        "names": None if content.names is None else list(content.names),
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
        "link": content.link,
        "sets": None if content.sets is None else _packed(content.sets, view),
    }


def _packed(sets: Sets, view: Sequence[float]) -> dict[str, Any]:
    """Return the entry levels in two bytes each, evenly spaced by their logarithms; 0 for none."""
    inside = np.isfinite(sets.entry) & (sets.entry > 0)
    high = float(sets.entry[inside].max(initial=0.0)) or 1.0
    low = max(float(sets.entry[inside].min(initial=high)), LEAST_LEVEL * high)
    low = low if low < high else high / 2.0
    entry = np.where(inside & (sets.entry >= low), sets.entry, np.nan)
    codes = 1 + np.rint(np.log(entry / low) / np.log(high / low) * MOST_CODE)
    codes = np.nan_to_num(codes).astype("<u2")
    corner, step = (sets.grid.u[0], sets.grid.v[0]), (sets.grid.u[1], sets.grid.v[1])
    (u0, v0), (u1, v1) = _shares(corner, view) * STEPS, _shares(step, view) * STEPS
    rows, columns = codes.shape
    return {
        "u0": float(u0), "v0": float(v0), "du": float(u1 - u0), "dv": float(v1 - v0),
        "columns": columns, "rows": rows, "low": low, "high": high,
        "codes": b64encode(codes.tobytes()).decode("ascii"),
    }  # fmt: skip


def _steps(locations: ArrayLike, view: Sequence[float]) -> list[int]:
    shares = _shares(locations, view)
    steps: list[int] = np.rint(shares * STEPS).astype(np.int64).ravel().tolist()
    return steps


def _shares(locations: ArrayLike, view: Sequence[float]) -> FloatArray:
    xmin, xmax, ymin, ymax = view
    corner, size = np.array([xmin, ymin]), np.array([xmax - xmin, ymax - ymin])
    return np.asarray((np.asarray(locations, dtype=np.float64) - corner) / size)


def location_of(steps: Sequence[float], view: Sequence[float]) -> tuple[float, float]:
    """Return the coordinates of a location that the browser reports in steps."""
    xmin, xmax, ymin, ymax = view
    across, up = steps[0] / STEPS, steps[1] / STEPS
    return xmin + across * (xmax - xmin), ymin + up * (ymax - ymin)
