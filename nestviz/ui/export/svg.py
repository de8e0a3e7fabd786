"""A frame of a sweep as SVG."""

from __future__ import annotations

import html
from dataclasses import dataclass, field

from nestviz.ui.export.fonts import font
from nestviz.ui.export.pens import PAPER, TEXT, Paths, Plot, Style
from nestviz.ui.export.picture import Layout, draw, layout
from nestviz.ui.player.data import SweepData

FAMILY = "'Source Sans 3', 'Source Sans Pro', system-ui, sans-serif"


def picture(sweep: SweepData) -> str:
    """The frame ``sweep.start`` as the text of an SVG file."""
    place = layout(sweep)
    pen = SvgPen(place)
    draw(pen, sweep, place, sweep.start)
    return pen.document(sweep.alt)


@dataclass
class SvgPen:
    """Writes down what it is told to draw."""

    place: Layout
    parts: list[str] = field(default_factory=list)
    hatches: dict[str, str] = field(default_factory=dict)
    clips: dict[Plot, str] = field(default_factory=dict)

    def document(self, alt: str) -> str:
        """The whole file."""
        width, height = self.place.width, self.place.height
        clips = "".join(
            f'<clipPath id="{name}"><rect x="{_n(p.x)}" y="{_n(p.y)}" width="{_n(p.w)}" '
            f'height="{_n(p.h)}"/></clipPath>'
            for p, name in self.clips.items()
        )
        hatches = "".join(
            f'<pattern id="{name}" width="8" height="8" patternUnits="userSpaceOnUse">'
            f'<path d="M-2 2 2-2M0 8 8 0M6 10 10 6" stroke="{colour}" stroke-width="1.6"/>'
            "</pattern>"
            for colour, name in self.hatches.items()
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}" height="{_n(height)}" '
            f'viewBox="0 0 {_n(width)} {_n(height)}" role="img" font-family="{FAMILY}">'
            f"<title>{html.escape(alt)}</title><defs>{clips}{hatches}</defs>"
            f'<rect width="100%" height="100%" fill="{PAPER}"/>\n'
            + "\n".join(self.parts)
            + "\n</svg>\n"
        )

    def area(self, paths: Paths, colour: str, opacity: float, plot: Plot) -> None:
        """Fill what an odd number of closed paths surrounds."""
        self._path(paths, f'fill="{colour}" fill-opacity="{opacity}" fill-rule="evenodd"', plot)

    def hatch(self, paths: Paths, colour: str, opacity: float, plot: Plot) -> None:
        """Hatch what an odd number of closed paths surrounds."""
        name = self.hatches.setdefault(colour, f"hatch{len(self.hatches) + 1}")
        self._path(paths, f'fill="url(#{name})" fill-opacity="{opacity}" fill-rule="evenodd"', plot)

    def outline(self, paths: Paths, colour: str, width: float, opacity: float, plot: Plot) -> None:
        """Draw closed paths."""
        paint = f'fill="none" stroke="{colour}" stroke-width="{width}" stroke-opacity="{opacity}"'
        self._path(paths, f'{paint} stroke-linejoin="round"', plot)

    def marks(self, shapes: Paths, colour: str, rim: float, plot: Plot) -> None:
        """Fill small shapes, set off by a rim in the colour of the paper."""
        paint = f'fill="{colour}" fill-opacity="0.92"'
        if rim:
            paint += f' stroke="{PAPER}" stroke-width="{rim}" paint-order="stroke"'
        self._path(shapes, paint, plot)

    def rule(self, ends: tuple[float, float, float, float], opacity: float) -> None:
        """Draw a thin straight line."""
        x0, y0, x1, y1 = map(_n, ends)
        self.parts.append(
            f'<path d="M{x0} {y0}L{x1} {y1}" stroke="{TEXT}" stroke-opacity="{opacity}"/>'
        )

    def text(self, place: tuple[float, float], words: str, style: Style, *, turned: bool) -> None:
        """Write a line of text on its base line; turned, it reads upwards."""
        x, y = map(_n, place)
        turn = f' transform="rotate(-90 {x} {y})"' if turned else ""
        weight = ' font-weight="600"' if style.bold else ""
        paint = f'fill="{TEXT}" fill-opacity="{style.opacity}"{weight}{turn}'
        self.parts.append(
            f'<text x="{x}" y="{y}" font-size="{style.size}" text-anchor="{style.anchor}" {paint}>'
            f"{html.escape(words)}</text>"
        )

    def width_of(self, words: str, style: Style) -> float:
        """How wide a text is at most: the font is the reader's, and may be a wider one."""
        return 1.22 * float(font(style.size, style.bold).getlength(words))

    def _path(self, paths: Paths, paint: str, plot: Plot) -> None:
        if not paths:
            return
        clip = self.clips.setdefault(plot, f"plot{len(self.clips) + 1}")
        lines = (
            "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in path.tolist()) + "Z" for path in paths
        )
        self.parts.append(f'<path clip-path="url(#{clip})" {paint} d="{"".join(lines)}"/>')


def _n(value: float) -> str:
    """A length to a tenth of a pixel."""
    return f"{value:.1f}".removesuffix(".0")
