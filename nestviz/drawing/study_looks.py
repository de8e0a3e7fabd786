"""What the plots of studies share: sizes, looks of series, and legends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from matplotlib.artist import Artist
from matplotlib.figure import Figure

from nestviz.drawing import legends
from nestviz.drawing.study_series import Panel
from nestviz.palette import SHAPES, Theme

WIDTH = 900.0
"""Of every picture, in pixels; pages may shrink it."""
TITLE, AXIS, GAP = 34.0, 36.0, 24.0
"""Above and below the axes of a panel, and between panels."""
MOST_COLUMNS = 3
RADIUS = 4.2
"""Of markers."""
PUBLISHED = "published"
"""Series of this name are drawn as open diamonds in the colour of text."""
MOST_NAMED = 14
"""More series than this have no look of their own."""
_SHAPES = [shape for shape in SHAPES if shape != "diamond"]


def names_of_series(panels: Iterable[Panel]) -> list[str]:
    """Return the names of all series, in order."""
    return list(dict.fromkeys(series.name for panel in panels for series in panel.series))


def look(name: str, names: Sequence[str], theme: Theme) -> tuple[str, str]:
    """Return the marker and the colour of one of several series."""
    if name == PUBLISHED:
        return "diamond", theme.text
    number = [other for other in names if other != PUBLISHED].index(name)
    return _SHAPES[number % len(_SHAPES)], theme.classes[number % len(theme.classes)]


def value_range(panel: Panel) -> tuple[float, float]:
    """Return the range of the values with their intervals, and a margin."""
    ends = [end for s in panel.series for end in (*s.y, *s.low, *s.high) if math.isfinite(end)]
    low, high = min(ends), max(ends)
    margin = 0.06 * (high - low) or 0.05 * abs(high) or 1.0
    return low - margin, high + margin


def _columns(names: Sequence[str]) -> int:
    widest = max(map(len, names)) * legends.LETTER + legends.SAMPLE
    return max(1, min(len(names), int(WIDTH / widest)))


def legend_height(names: Sequence[str]) -> float:
    """Return the pixels that the legend of some series needs."""
    shown = [name for name in names if name]
    if not shown or len(shown) > MOST_NAMED:
        return 6.0
    return 14.0 + legends.LINE * -(-len(shown) // _columns(shown))


def write_legend(figure: Figure, samples: Sequence[tuple[str, Artist]], theme: Theme) -> None:
    """Write the legend below the panels, in as many lines as it needs."""
    shown = [(name, sample) for name, sample in samples if name]
    if shown and len(shown) <= MOST_NAMED:
        legends.write_legend(figure, shown, theme, 10, _columns([name for name, _ in shown]))
