"""Colours, marker shapes and line styles of every picture: the only table of them.

Figures and static pictures import it; the constants of the app's JavaScript and CSS are generated
from it. Colours follow Okabe and Ito's palette, which is readable with all common kinds of colour
vision. Colour is never the only difference: shape, dash or hatching says the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

BLUE, VERMILION, GREEN = "#0072B2", "#D55E00", "#009E73"
PINK, ORANGE, SKY = "#CC79A7", "#E69F00", "#56B4E9"
NEUTRAL = "#7A8793"


@dataclass(frozen=True)
class Theme:
    """Colours of the app's own pictures on one background."""

    background: str
    surface: str
    """Behind controls; Streamlit's secondary background."""
    text: str
    primary: str
    """Of controls; Streamlit's primary colour."""
    classes: tuple[str, ...]
    """One colour per class or cluster, in the order of `SHAPES`."""
    single: str
    """Of points where there is only one class."""
    score_range: tuple[str, str]
    """Colours of the lowest and of the highest anomaly score."""
    hill: tuple[str, ...]
    """Colours of entry levels, from the smallest set to the largest: one hue, in equal steps of
    perceived lightness (OKLab), the smallest set farthest from the background."""
    fill_opacity: float
    """Of a set's area."""

    @property
    def accent(self) -> str:
        """The colour of sets."""
        return self.classes[0]

    @property
    def alarm(self) -> str:
        """The colour of violated areas: not that of either of two classes."""
        return self.classes[3]

    @property
    def charts(self) -> tuple[str, ...]:
        """All colours of charts, in the order of Streamlit's ``chartCategoricalColors``."""
        return (*self.classes, self.single, *self.score_range)


LIGHT = Theme(
    background="#FFFFFF",
    surface="#F4F6F8",
    text="#1F2933",
    primary=BLUE,
    # Some are darker than Okabe and Ito's, for contrast against white.
    classes=(BLUE, VERMILION, GREEN, "#B4528A", "#B87F00", "#2F93CC", "#555555"),
    single="#3D4250",
    score_range=("#AAB4BF", "#B3400A"),
    hill=("#004167", "#045C8E", "#1A78B3", "#4595CF", "#71B2E5", "#A2CFF3", "#D9EBFA"),
    fill_opacity=0.18,
)
DARK = Theme(
    background="#11161C",
    surface="#1B232C",
    text="#E6EBF0",
    primary=SKY,
    classes=(SKY, ORANGE, "#2BC79A", PINK, "#F0E442", "#E8743B", "#BBBBBB"),
    single="#D4D7DE",
    score_range=("#6B7886", "#FFB454"),
    hill=("#D4EBFF", "#9ACFF9", "#6FB0E3", "#4B92C6", "#3074A3", "#21577D", "#1C3B52"),
    fill_opacity=0.26,
)
THEMES = {"light": LIGHT, "dark": DARK}
MID = replace(
    LIGHT,
    background="none",
    classes=("#2C8FC9", "#DD6B20", "#1FA582", "#C2559A", "#C08A1E", "#4A9FD0", "#8A8F98"),
    single="#7A8FA3",
    fill_opacity=0.2,
)
"""Mid tones for small pictures without a background, which stand on light and dark pages."""

HATCH_SPACING, HATCH_WIDTH, HATCH_OPACITY = 8.0, 1.6, 0.85
"""Pixels from line to line of a hatched area, their width, and their opacity."""
OUTLINE_WIDTH, HALO_WIDTH, HALO_OPACITY = 1.8, 3.6, 0.5
"""A set's outline, and the line in the background's colour below it."""
BAND_OPACITY, BAND_EDGE_OPACITY = 0.2, 0.6
"""The band in which boundaries of resamples differ, in the colour of text, and its edges."""
RIM_WIDTH = 1.6
"""Of the line in the background's colour around a marker."""
MARKER_OPACITY = 0.92
STABILITY_OPACITY = (0.12, 0.9)
"""Of the least and of the most stable branch of a tree."""

_UP = -math.pi / 2
SPOKES: dict[str, tuple[float, tuple[float, ...], float]] = {
    "circle": (1.0, (1.0,) * 24, 0.0),
    "triangle": (1.45, (1.0,) * 3, _UP),
    "square": (1.26, (1.0,) * 4, math.pi / 4),
    "diamond": (1.3, (1.0,) * 4, 0.0),
    "cross": (1.65, (1.0, 0.4) * 4, _UP / 2),
    "wedge": (1.45, (1.0,) * 3, -_UP),
    "star": (1.55, (1.0, 0.5) * 5, _UP),
}
"""Shape to (size, lengths of its spokes, angle of the first, clockwise from the right), such that
all shapes have about the same area. A circle may be drawn as a true one."""
SHAPES = tuple(SPOKES)
"""Marker shapes in the order of classes."""
MARKER_RADII = ((200, 3.8), (700, 3.1), (2_000, 2.6), (math.inf, 2.0))
"""Pixels by the number of points: the first row whose number is not exceeded counts."""

CYCLE = LIGHT.classes
"""Colours of curves and clusters in Plotly figures; a dark page replaces them by its own."""
CLASS_COLOURS = {1: CYCLE[0], -1: CYCLE[1]}
CLASS_SYMBOLS = {1: "circle", -1: "triangle-up"}
CLUSTER_SYMBOLS = (
    "circle", "triangle-up", "square", "diamond", "cross", "star", "hexagon", "bowtie",
)  # fmt: skip
"""Plotly's names of markers, one more than there are colours, so that pairs repeat late."""
LINE_STYLES = tuple(
    zip(
        CYCLE,
        ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot"),
        ("circle", "square", "diamond", "cross", "x", "triangle-up"),
        strict=False,
    )
)
"""Plotly's colour, dash and marker of each of several curves."""
DASHES = {
    "extrapolated": (4, 3),
    "area": (6, 4),
    "cut": (7, 5),
    "repelling": (2, 5),
    "truth": (5, 4),
    "band": (1.5, 2.5),
}
"""Pixels drawn and left out of the dashed lines of the app's own pictures."""

QUANTUM = 32_000
"""Steps across the view box in the player's messages, on each axis."""
PLANE_STEPS = 30_000
"""Steps across the view box in the messages of the plane, on each axis."""


def marker_radius(count: int) -> float:
    """Return the radius in pixels of each of ``count`` markers."""
    return next(radius for most, radius in MARKER_RADII if count <= most)


def cluster_shape(label: int) -> str:
    """Return the marker of a cluster; with its colour, the pair repeats after 49 clusters."""
    return SHAPES[(label + label // len(SHAPES)) % len(SHAPES)]


def rgba(colour: str, opacity: float) -> str:
    """Return a hexadecimal colour with an opacity, as CSS and Plotly write it."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity:g})"
