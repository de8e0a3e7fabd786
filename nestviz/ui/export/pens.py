"""What pictures are drawn with: pens, places, marks and round numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.palette import LIGHT, SPOKES

Paths = Sequence[FloatArray]

TEXT, PAPER = LIGHT.text, LIGHT.background


@dataclass(frozen=True)
class Style:
    """How a text is set."""

    size: float = 12.0
    bold: bool = False
    anchor: str = "start"
    opacity: float = 1.0


class Pen(Protocol):
    """What the parts of a picture are drawn with; ``plot`` is where drawing is cut off."""

    def area(self, paths: Paths, colour: str, opacity: float, plot: Plot) -> None:
        """Fill what an odd number of closed paths surrounds."""

    def hatch(self, paths: Paths, colour: str, opacity: float, plot: Plot) -> None:
        """Hatch what an odd number of closed paths surrounds."""

    def outline(self, paths: Paths, colour: str, width: float, opacity: float, plot: Plot) -> None:
        """Draw closed paths."""

    def marks(self, shapes: Paths, colour: str, rim: float, plot: Plot) -> None:
        """Fill small shapes, set off by a rim in the colour of the paper."""

    def rule(self, ends: tuple[float, float, float, float], opacity: float) -> None:
        """Draw a thin straight line."""

    def text(self, place: tuple[float, float], words: str, style: Style, *, turned: bool) -> None:
        """Write a line of text on its base line; turned, it reads upwards."""

    def width_of(self, words: str, style: Style) -> float:
        """How wide a text is."""


@dataclass(frozen=True)
class Plot:
    """The place of a view box on the picture."""

    x: float
    y: float
    w: float
    h: float
    view: tuple[float, float, float, float]

    def across(self, value: float | FloatArray) -> float | FloatArray:
        """Where a value of the horizontal axis is."""
        xmin, xmax, _, _ = self.view
        return self.x + (value - xmin) / (xmax - xmin) * self.w

    def down(self, value: float | FloatArray) -> float | FloatArray:
        """Where a value of the vertical axis is."""
        _, _, ymin, ymax = self.view
        return self.y + (ymax - value) / (ymax - ymin) * self.h

    def places(self, points: FloatArray) -> FloatArray:
        """Where points are, (n, 2)."""
        return np.column_stack([self.across(points[:, 0]), self.down(points[:, 1])])


def marker(shape: str, centre: FloatArray | tuple[float, float], r: float) -> FloatArray:
    """The corners of a marker."""
    size, spokes, first = SPOKES[shape]
    angles = first + 2 * np.pi * np.arange(len(spokes)) / len(spokes)
    turned = np.column_stack([np.cos(angles), np.sin(angles)])
    return np.asarray(centre) + r * size * np.array(spokes)[:, None] * turned


def nice_ticks(low: float, high: float, count: float) -> list[tuple[float, str]]:
    """Round values between two ends, and how to write them."""
    rough = (high - low) / max(1.0, count)
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * next(factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first, last = int(np.ceil(low / step - 1e-9)), int(np.floor(high / step + 1e-9))
    return [(k * step, number(k * step, step)) for k in range(first, last + 1)]


def number(value: float, step: float) -> str:
    """A tick in as many digits as its step has."""
    if value != 0 and (abs(value) >= 1e5 or step < 1e-4):
        return f"{value:.1e}".replace("-", "−")
    digits = max(0, -int(np.floor(np.log10(step) + 1e-9)))
    return f"{value + 0.0:.{digits}f}".replace("-", "−")


def shorten(pen: Pen, words: str, style: Style, room: float) -> str:
    """A text cut to the room there is."""
    if pen.width_of(words, style) <= room:
        return words
    kept = words
    while kept and pen.width_of(f"{kept}…", style) > room:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"
