"""What still pictures are made of: figures measured in pixels, sets, markers, legends and files.

Nothing here uses pyplot or its global state.
"""

from __future__ import annotations

import functools
import io
import math
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path
from matplotlib.patheffects import Normal, Stroke
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator
from matplotlib.transforms import IdentityTransform
from numpy.typing import ArrayLike

from nestviz import palette
from nestviz.arrays import FloatArray
from nestviz.escaping import plain
from nestviz.palette import SPOKES, Theme

Box = tuple[float, float, float, float]
Dash = Literal["solid"] | tuple[float, tuple[float, ...]]
DPI = 72
"""One point, matplotlib's unit of widths and sizes, is one pixel of the picture."""
MARGIN_LEFT, MARGIN_RIGHT, MARGIN_TOP, MARGIN_BOTTOM = 60, 14, 34, 48
"""Around the axes of a panel."""
HATCH = "///"
GHOST, AREA, HATCHED, MARKERS, OUTLINE, SELECTED = range(1, 7)
"""What is drawn above what."""
SETTINGS: dict[Any, Any] = {
    "axes.unicode_minus": True,
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans", "Lucida Grande", "Verdana", "Arial", "Helvetica"],
    "svg.fonttype": "none",
    "svg.hashsalt": "nestviz",
    "text.usetex": False,
}
_LOCK = threading.RLock()


@contextmanager
def settings() -> Iterator[None]:
    """Use the same settings on every machine, for equal files; one thread at a time."""
    # Matplotlib's settings are global, and the app's server draws in several threads.
    with _LOCK, mpl.rc_context(SETTINGS):
        yield


def new_figure(width: float, height: float, theme: Theme) -> Figure:
    """Return an empty figure; its size is in pixels."""
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor=theme.background)
    FigureCanvasAgg(figure)
    return figure


def panel_columns(count: int) -> int:
    """Return how many of some panels stand in a row."""
    return 2 if count == 4 else min(count, 3)


def panel_figure(
    count: int, panel: tuple[float, float], foot: float, theme: Theme, view: Box
) -> tuple[Figure, list[Box]]:
    """Return a figure for panels of one size and the box of each one's axes, to scale.

    ``panel`` is the width and the largest height of a panel; the height follows ``view``. There are
    up to three panels in a row; four are two and two. Below them are ``foot`` pixels.
    """
    columns = panel_columns(count)
    width, most = panel
    frame = (width - MARGIN_LEFT - MARGIN_RIGHT, most - MARGIN_TOP - MARGIN_BOTTOM)
    indent, _, wide, high = to_scale((0, 0, *frame), view)
    # Whole pixels, so that all panels are drawn alike.
    height = math.ceil(high) + MARGIN_TOP + MARGIN_BOTTOM
    corners = [(k % columns * width, k // columns * height) for k in range(count)]
    boxes: list[Box] = [
        (left + MARGIN_LEFT + indent, top + MARGIN_TOP, wide, high) for left, top in corners
    ]
    return new_figure(columns * width, -(-count // columns) * height + foot, theme), boxes


def to_scale(box: Box, view: Box) -> Box:
    """Return the largest part of a box in which a unit of the view is as long across as along."""
    left, top, w, h = box
    across, along = view[1] - view[0], view[3] - view[2]
    unit = min(w / across, h / along)
    return left + (w - unit * across) / 2, top + (h - unit * along) / 2, unit * across, unit * along


def add_axes(figure: Figure, box: Box, view: Box) -> Axes:
    """Add axes without lines.

    ``box`` is (left, top, width, height) in pixels, ``view`` (xmin, xmax, ymin, ymax) of the data.
    """
    width, height = figure.get_size_inches() * DPI
    left, top, w, h = box
    axes = figure.add_axes((left / width, 1 - (top + h) / height, w / width, h / height))
    axes.set(xlim=view[:2], ylim=view[2:], facecolor="none")
    axes.set_axis_off()
    return axes


def add_panel(
    figure: Figure, box: Box, view: Box, theme: Theme, title: str, names: tuple[str, str] = ("", "")
) -> Axes:
    """Add axes with ticks, a thin grid, a title and names."""
    axes = add_axes(figure, box, view)
    axes.set_axis_on()
    axes.set_axisbelow(True)
    axes.grid(color=to_rgba(theme.text, 0.07), linewidth=1)
    axes.spines[:].set(color=to_rgba(theme.text, 0.22), linewidth=1)
    axes.tick_params(length=0, pad=6, labelsize=11, labelcolor=to_rgba(theme.text, 0.75))
    style: dict[str, Any] = {"fontsize": 11.5, "color": to_rgba(theme.text, 0.85)}
    for axis, length, name in ((axes.xaxis, box[2], names[0]), (axes.yaxis, box[3], names[1])):
        axis.set_major_locator(MaxNLocator(min(7, int(length / 45)), steps=[1, 2, 5, 10]))
        shorten(axis.set_label_text(plain(name), parse_math=False, **style), length)
    style = {"fontsize": 13, "fontweight": "bold", "color": theme.text, "loc": "left", "pad": 9}
    shorten(axes.set_title(plain(title), parse_math=False, **style), box[2])
    return axes


def shorten(text: Text, width: float) -> None:
    """Cut a text, also a rotated one, to a width in pixels."""
    kept = plain(text.get_text())
    text.set_text(kept)
    while kept and (length := max(text.get_window_extent().size)) > width:
        kept = kept[: min(len(kept) - 1, int(len(kept) * width / length))]
        text.set_text(f"{kept.rstrip()}…")


def ring_path(rings: Sequence[FloatArray]) -> Path:
    """Return the boundary of a set: what an odd number of closed rings surrounds.

    Renderers fill by the sense of rotation. A ring at odd depth therefore runs clockwise.
    """
    rings = [ring for ring in rings if len(ring) > 2]
    if not rings:
        return Path(np.empty((0, 2)))
    starts = np.array([ring[0] for ring in rings])
    inside = np.array([Path(ring).contains_points(starts) for ring in rings])
    np.fill_diagonal(inside, False)
    parts, codes = [], []
    for ring, depth in zip(rings, inside.sum(axis=0), strict=True):
        x, y = (ring - ring[0]).T
        clockwise = np.dot(x[:-1], y[1:]) < np.dot(y[:-1], x[1:])
        parts += [ring if clockwise == depth % 2 else ring[::-1], ring[:1]]
        codes += [Path.MOVETO, *[Path.LINETO] * (len(ring) - 1), Path.CLOSEPOLY]
    return Path(np.concatenate(parts), codes)


def area(axes: Axes, path: Path, colour: str, opacity: float) -> PathPatch:
    """Fill a set."""
    face = to_rgba(colour, opacity)
    patch = PathPatch(path, facecolor=face, edgecolor="none", zorder=AREA)
    axes.add_patch(patch)
    return patch


def band(axes: Axes, path: Path, colour: str) -> PathPatch:
    """Shade the band between two boundaries, with dotted edges."""
    face, edge = to_rgba(colour, palette.BAND_OPACITY), to_rgba(colour, palette.BAND_EDGE_OPACITY)
    patch = PathPatch(path, facecolor=face, edgecolor=edge, zorder=AREA)
    patch.set(linewidth=1, linestyle=(0, palette.DASHES["band"]))
    axes.add_patch(patch)
    return patch


def hatched(axes: Axes, path: Path, colour: str) -> PathPatch:
    """Hatch a set."""
    edge = to_rgba(colour, palette.HATCH_OPACITY)
    patch = PathPatch(path, facecolor="none", edgecolor=edge, linewidth=0, hatch=HATCH)
    patch.set(zorder=HATCHED, hatch_linewidth=palette.HATCH_WIDTH)
    axes.add_patch(patch)
    return patch


def outline(axes: Axes, path: Path, colour: str, theme: Theme, dash: Dash = "solid") -> PathPatch:
    """Draw the boundary of a set, on a halo in the colour of the background."""
    patch = PathPatch(path, fill=False, edgecolor=colour, linestyle=dash, zorder=OUTLINE)
    patch.set_linewidth(palette.OUTLINE_WIDTH)
    if theme.background != "none":
        halo = to_rgba(theme.background, palette.HALO_OPACITY)
        patch.set_path_effects([Stroke(linewidth=palette.HALO_WIDTH, foreground=halo), Normal()])
    axes.add_patch(patch)
    return patch


def thin_outline(axes: Axes, path: Path, colour: str, opacity: float) -> None:
    """Draw the boundary of one of many sets, below everything else."""
    edge = to_rgba(colour, opacity)
    axes.add_patch(PathPatch(path, fill=False, edgecolor=edge, linewidth=1, zorder=GHOST))


@functools.cache
def marker(shape: str) -> Path:
    """Return the outline of a marker of radius one."""
    if shape == "circle":
        return Path.unit_circle()
    size, spokes, first = SPOKES[shape]
    # The table counts clockwise, as screens do.
    angles = -first - 2 * np.pi * np.arange(len(spokes)) / len(spokes)
    corners = size * np.array(spokes)[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    return Path(np.vstack([corners, corners[:1]]), closed=True)


def markers(
    axes: Axes, points: FloatArray, shape: str, colour: str, radius: float, rim: str
) -> list[PathCollection]:
    """Draw points, all rims (in colour ``rim``, or "none") below all markers."""
    face = to_rgba(colour, palette.MARKER_OPACITY)
    rims = [] if rim == "none" else [_copies(axes, points, shape, radius, rim, rim)]
    return [*rims, _copies(axes, points, shape, radius, face, face, linewidths=0)]


def class_markers(
    axes: Axes, points: FloatArray, y: ArrayLike | None, theme: Theme, radius: float
) -> None:
    """Draw points by class (+1, −1, or none): circles, and triangles for −1."""
    signs = np.zeros(len(points)) if y is None else np.asarray(y)
    first, second = theme.classes[:2]
    looks = ((0, "circle", theme.single), (1, "circle", first), (-1, "triangle", second))
    for sign, shape, colour in looks:
        markers(axes, points[signs == sign], shape, colour, radius, theme.background)


def selection_rings(axes: Axes, points: FloatArray, colour: str, radius: float) -> None:
    """Draw rings around points."""
    _copies(axes, points, "circle", radius, "none", colour, zorder=SELECTED)


def _copies(
    axes: Axes, points: FloatArray, shape: str, radius: float, face: Any, edge: Any, **style: float
) -> PathCollection:
    place = {"offsets": points, "offset_transform": axes.transData}
    style = {"linewidths": palette.RIM_WIDTH, "zorder": MARKERS, **style}
    marks = PathCollection(
        [marker(shape)], [radius**2], facecolors=face, edgecolors=edge, **place, **style
    )
    marks.set_transform(IdentityTransform())
    axes.add_collection(marks, autolim=False)
    return marks


def set_sample(colour: str, dash: Dash = "solid") -> Patch:
    """Return the legend's sample of a set."""
    face = to_rgba(colour, 0.22)
    return Patch(facecolor=face, edgecolor=colour, linewidth=1.4, linestyle=dash)


def band_sample(colour: str) -> Patch:
    """Return the legend's sample of a band."""
    face, edge = to_rgba(colour, palette.BAND_OPACITY), to_rgba(colour, palette.BAND_EDGE_OPACITY)
    return Patch(facecolor=face, edgecolor=edge, linewidth=1, linestyle=(0, palette.DASHES["band"]))


def hatched_sample(colour: str) -> Patch:
    """Return the legend's sample of a hatched set."""
    sample = Patch(facecolor="none", edgecolor=colour, linewidth=1.4, hatch=HATCH + "/")
    sample.set_hatch_linewidth(1.2)
    return sample


def pin(axes: Axes, location: tuple[float, float], theme: Theme) -> None:
    """Mark a location by a ring and a cross."""
    for colour, width in ((theme.background, 4.0), (theme.text, 1.6)):
        for shape, size in (("o", 12.0), ("+", 24.0)):
            axes.plot(
                *location, shape, markersize=size, markeredgewidth=width, markeredgecolor=colour,
                markerfacecolor="none", zorder=SELECTED,
            )  # fmt: skip


def marker_sample(shape: str, colour: str, face: str | None = None) -> Line2D:
    """Return the legend's sample of a marker; with a ``face`` it is a ring."""
    sample = Line2D([], [], linestyle="none", marker=marker(shape), markeredgecolor=colour)
    sample.set(markersize=9 * SPOKES[shape][0], markerfacecolor=face or colour)
    sample.set_markeredgewidth(2 if face else 0)
    return sample


def png(figure: Figure) -> bytes:
    """Return a PNG file with two pixels for each of the figure's."""
    out = io.BytesIO()
    options = {"optimize": True, "dpi": (192, 192)}
    with settings():
        figure.savefig(
            out, format="png", dpi=2 * DPI, metadata={"Software": None}, pil_kwargs=options
        )
    return out.getvalue()


def svg(figure: Figure, title: str) -> str:
    """Return the text of an SVG file with its words as text; the same figure gives the same."""
    out = io.StringIO()
    metadata = dict.fromkeys(("Creator", "Date", "Format", "Type")) | {"Title": plain(title)}
    with settings():
        figure.savefig(out, format="svg", dpi=DPI, metadata=metadata)
    text = out.getvalue()
    text = text[text.index("<svg") :].replace("<svg", '<svg role="img"', 1)
    text = re.sub(r'(width|height)="([\d.]+)pt"', r'\1="\2"', text, count=2)
    return re.sub(r"<[^<>]*>", _shorter, text)


def _shorter(tag: re.Match[str]) -> str:
    """Return a tag with its lengths in hundredths of a pixel: less than half the file."""
    text = re.sub(r" \n(?=[LCQz])", "", tag[0])
    return re.sub(r"(?<!\d)\d+\.\d{3,}", lambda found: f"{float(found[0]):.2f}", text)
