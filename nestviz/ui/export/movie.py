"""A sweep as a film: GIF and WebP always, MP4 where ffmpeg is at hand."""

from __future__ import annotations

import importlib.util
import io
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from nestviz.ui.export.raster import frames
from nestviz.ui.player.data import SweepData

PANEL = (440, 370)
"""Width and height of a panel: a film is looked at in a slide or a mail, not in print."""
HOLD = 1_200
"""The last frame stays for so many milliseconds."""
COLOURS = (64, 32, 16)
"""Sizes of the palette that are tried, until a GIF is small enough to be mailed."""
SMALL = 1_500_000


def gif(sweep: SweepData) -> bytes:
    """The sweep from its first level to its last, as an endless GIF."""
    shots = list(frames(sweep, *PANEL))
    content = b""
    for colours in COLOURS:
        palette = _palette(shots, colours)
        flat = [shot.quantize(palette=palette, dither=Image.Dither.NONE) for shot in shots]
        content = _animation(flat, "GIF", _durations(sweep), optimize=False, disposal=1)
        if len(content) <= SMALL:
            break
    return content


def webp(sweep: SweepData) -> bytes:
    """The sweep as an endless WebP: smaller than a GIF, in all colours."""
    shots = list(frames(sweep, *PANEL))
    return _animation(shots, "WEBP", _durations(sweep), quality=70, method=2, minimize_size=False)


def can_write_mp4() -> bool:
    """Whether the package that brings ffmpeg along is installed."""
    return importlib.util.find_spec("imageio_ffmpeg") is not None


def mp4(sweep: SweepData) -> bytes:
    """The sweep forth and back as an MP4 film."""
    import imageio_ffmpeg

    shots = [np.asarray(_even(shot)) for shot in frames(sweep, *PANEL)]
    height, width = shots[0].shape[:2]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sweep.mp4"
        writer = imageio_ffmpeg.write_frames(
            str(path), (width, height), fps=sweep.frames_per_second, macro_block_size=2
        )
        writer.send(None)
        for shot in [*shots, *shots[-2:0:-1]]:
            writer.send(np.ascontiguousarray(shot))
        writer.close()
        return path.read_bytes()


def _palette(shots: list[Image.Image], colours: int) -> Image.Image:
    """Colours of a few frames spread over the sweep, one palette for all of them."""
    few = shots[:: max(1, len(shots) // 4)]
    width, height = shots[0].size
    sheet = Image.new("RGB", (width, height * len(few)))
    for k, shot in enumerate(few):
        sheet.paste(shot, (0, k * height))
    return sheet.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _durations(sweep: SweepData) -> list[int]:
    step = round(1000 / sweep.frames_per_second)
    return [step] * (len(sweep.levels) - 1) + [HOLD]


def _animation(
    shots: list[Image.Image], form: str, durations: list[int], **options: int | bool
) -> bytes:
    out = io.BytesIO()
    shots[0].save(
        out, form, save_all=True, append_images=shots[1:], duration=durations, loop=0, **options
    )
    return out.getvalue()


def _even(shot: Image.Image) -> Image.Image:
    """A frame with an even number of pixels along each side, as films need it."""
    width, height = shot.size
    return shot.crop((0, 0, width - width % 2, height - height % 2))
