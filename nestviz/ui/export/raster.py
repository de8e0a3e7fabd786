"""Frames of a sweep as pixels, painted at twice their size and then reduced."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from PIL import Image, ImageChops, ImageDraw

from nestviz.ui.export import picture
from nestviz.ui.export.fonts import font
from nestviz.ui.export.pens import PAPER, TEXT, Paths, Plot, Style
from nestviz.ui.export.picture import Layout
from nestviz.ui.player.data import SweepData

ZOOM = 2
"""Pixels painted for each pixel kept, along each side."""


def png(sweep: SweepData) -> bytes:
    """The frame ``sweep.start`` as a PNG file, at twice the size on the page for print."""
    place = picture.layout(sweep)
    pen = PixelPen.blank(place, 2 * ZOOM)
    picture.draw(pen, sweep, place, sweep.start)
    out = io.BytesIO()
    pen.image.reduce(ZOOM).save(out, "PNG", optimize=True, dpi=(192, 192))
    return out.getvalue()


def frames(sweep: SweepData, panel_width: float, panel_height: float) -> Iterator[Image.Image]:
    """All frames, one after the other; what does not change is painted once."""
    place = picture.layout(sweep, panel_width, panel_height)
    backdrop = PixelPen.blank(place, ZOOM)
    picture.draw_backdrop(backdrop, sweep, place)
    marks = None if picture.sized(sweep) else _marks(sweep, place)
    for k in range(len(sweep.levels)):
        pen = PixelPen(backdrop.image.copy(), ZOOM, backdrop.sheets)
        picture.draw_fills(pen, sweep, place, k)
        if marks is None:
            picture.draw_points(pen, sweep, place, k)
        else:
            pen.image.paste(marks, (0, 0), marks)
        picture.draw_outlines(pen, sweep, place, k)
        picture.draw_level(pen, sweep, place, k)
        yield pen.image.reduce(ZOOM)


def _marks(sweep: SweepData, place: Layout) -> Image.Image:
    size = (round(place.width * ZOOM), round(place.height * ZOOM))
    pen = PixelPen(Image.new("RGBA", size, (255, 255, 255, 0)), ZOOM)
    picture.draw_points(pen, sweep, place, 0)
    return pen.image


@dataclass
class PixelPen:
    """Paints what it is told to draw, ``zoom`` pixels to each of the picture's."""

    image: Image.Image
    zoom: int
    sheets: dict[Plot, Image.Image] = field(default_factory=dict)

    @classmethod
    def blank(cls, place: Layout, zoom: int) -> PixelPen:
        """A pen on an empty sheet."""
        return cls(
            Image.new("RGB", (round(place.width * zoom), round(place.height * zoom)), PAPER), zoom
        )

    def area(self, paths: Paths, colour: str, opacity: float, plot: Plot) -> None:
        """Fill what an odd number of closed paths surrounds."""
        if paths:
            mask = self._inside(paths, plot).point(lambda value: round(value * opacity))
            self.image.paste(colour, self._box(plot), mask)

    def hatch(self, paths: Paths, colour: str, opacity: float, plot: Plot) -> None:
        """Hatch what an odd number of closed paths surrounds."""
        if paths:
            mask = ImageChops.multiply(self._inside(paths, plot), self._stripes(plot))
            mask = mask.point(lambda value: round(value * opacity))
            self.image.paste(colour, self._box(plot), mask)

    def outline(self, paths: Paths, colour: str, width: float, opacity: float, plot: Plot) -> None:
        """Draw closed paths."""
        if not paths:
            return
        solid = opacity == 1.0
        # Solid lines need no mask, only to be cut off at the plot's edge.
        sheet = self.image.crop(self._box(plot)) if solid else Image.new("L", self._size(plot))
        pen, ink = ImageDraw.Draw(sheet), colour if solid else round(255 * opacity)
        for path in self._local(paths, plot):
            pen.line([*path, *path[:2]], ink, round(width * self.zoom))
        if solid:
            self.image.paste(sheet, self._box(plot))
        else:
            self.image.paste(colour, self._box(plot), sheet)

    def marks(self, shapes: Paths, colour: str, rim: float, plot: Plot) -> None:
        """Fill small shapes, set off by a rim in the colour of the paper."""
        pen = ImageDraw.Draw(self.image)
        inside = [
            [(x * self.zoom, y * self.zoom) for x, y in shape.tolist()]
            for shape in shapes
            if plot.x <= shape[:, 0].mean() <= plot.x + plot.w
            and plot.y <= shape[:, 1].mean() <= plot.y + plot.h
        ]
        if rim:
            for shape in inside:
                pen.polygon(shape, PAPER, PAPER, round(rim * self.zoom))
                pen.line([*shape, shape[0]], PAPER, round(rim * self.zoom))
        for shape in inside:
            pen.polygon(shape, colour)

    def rule(self, ends: tuple[float, float, float, float], opacity: float) -> None:
        """Draw a thin straight line."""
        ImageDraw.Draw(self.image).line(
            [end * self.zoom for end in ends], _mixed(opacity), self.zoom
        )

    def text(self, place: tuple[float, float], words: str, style: Style, *, turned: bool) -> None:
        """Write a line of text on its base line; turned, it reads upwards."""
        letters = font(style.size * self.zoom, style.bold)
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[style.anchor]
        x, y = place[0] * self.zoom, place[1] * self.zoom
        if not turned:
            ImageDraw.Draw(self.image).text((x, y), words, _mixed(style.opacity), letters, anchor)
            return
        width, height = round(letters.getlength(words)) + 4, round(style.size * self.zoom * 1.5)
        slip = Image.new("L", (width, height))
        ImageDraw.Draw(slip).text((2, height * 0.75), words, 255, letters, "ls")
        slip = slip.transpose(Image.Transpose.ROTATE_90)
        corner = (round(x - height * 0.75), round(y - width / 2))
        self.image.paste(_mixed(style.opacity), corner, slip)

    def width_of(self, words: str, style: Style) -> float:
        """How wide a text is."""
        return float(font(style.size * self.zoom, style.bold).getlength(words)) / self.zoom

    def _box(self, plot: Plot) -> tuple[int, int, int, int]:
        left, top = round(plot.x * self.zoom), round(plot.y * self.zoom)
        width, height = self._size(plot)
        return left, top, left + width, top + height

    def _size(self, plot: Plot) -> tuple[int, int]:
        return round(plot.w * self.zoom), round(plot.h * self.zoom)

    def _local(self, paths: Paths, plot: Plot) -> list[list[float]]:
        """Paths in the plot's own pixels."""
        corner = np.array([plot.x, plot.y])
        return [((path - corner) * self.zoom).ravel().tolist() for path in paths]

    def _inside(self, paths: Paths, plot: Plot) -> Image.Image:
        """White where an odd number of paths surrounds a pixel."""
        mask = Image.new("L", self._size(plot))
        for path in self._local(paths, plot):
            box = _bounds(path, mask.size)
            if box is None:
                continue
            one = Image.new("L", (box[2] - box[0], box[3] - box[1]))
            moved = [value - box[k % 2] for k, value in enumerate(path)]
            ImageDraw.Draw(one).polygon(moved, 255)
            mask.paste(ImageChops.difference(mask.crop(box), one), box)
        return mask

    def _stripes(self, plot: Plot) -> Image.Image:
        if plot in self.sheets:
            return self.sheets[plot]
        width, height = self._size(plot)
        sheet = Image.new("L", (width, height))
        pen, step = ImageDraw.Draw(sheet), 8 * self.zoom
        for start in range(-height, width, step):
            pen.line([start, height, start + height, 0], 255, round(1.6 * self.zoom))
        self.sheets[plot] = sheet
        return sheet


def _bounds(path: list[float], size: tuple[int, int]) -> tuple[int, int, int, int] | None:
    """The pixels that a path can touch; None where it is out of sight or has no area."""
    if len(path) < 6:
        return None
    left, top = max(0, int(min(path[::2])) - 1), max(0, int(min(path[1::2])) - 1)
    right = min(size[0], int(max(path[::2])) + 2)
    bottom = min(size[1], int(max(path[1::2])) + 2)
    return (left, top, right, bottom) if left < right and top < bottom else None


def _mixed(opacity: float) -> tuple[int, int, int]:
    """The text colour thinned on the paper."""
    red, green, blue = (int(TEXT[k : k + 2], 16) for k in (1, 3, 5))
    red, green, blue = (round(255 + (value - 255) * opacity) for value in (red, green, blue))
    return red, green, blue
