"""A sweep as a movie: GIF and WebP always, MP4 where ffmpeg is installed."""

from __future__ import annotations

import importlib.util
import io
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image, ImageColor

from nestviz.palette import LIGHT
from nestviz.ui.export.picture import class_colour, drawn_kinds, frames
from nestviz.ui.scene.scene import Scene

PANEL = (440, 370)
"""Width and height of a panel: movies are for slides and mails, not for print."""
HOLD = 1_200
"""Milliseconds for which the last frame stays."""
STEPS = (4, 3, 2)
"""Shades of each colour, fewer and fewer until a GIF is small enough to be mailed."""
SMALL = 1_500_000


def gif(scene: Scene) -> bytes:
    """Return the sweep from its first level to its last as an endless GIF."""
    shots = frames(scene, PANEL)
    content = b""
    for steps in STEPS:
        palette = _palette(scene, steps)
        flat = [shot.quantize(palette=palette, dither=Image.Dither.NONE) for shot in shots]
        content = _animation(flat, "GIF", scene, optimize=False, disposal=1)
        if len(content) <= SMALL:
            break
    return content


def webp(scene: Scene) -> bytes:
    """Return the sweep as an endless WebP: smaller than a GIF, in all colours."""
    shots = frames(scene, PANEL)
    return _animation(shots, "WEBP", scene, quality=70, method=2, minimize_size=False)


def can_write_mp4() -> bool:
    """Return whether the package that contains ffmpeg is installed."""
    return importlib.util.find_spec("imageio_ffmpeg") is not None


def mp4(scene: Scene) -> bytes:
    """Return the sweep forward and backward as an MP4."""
    import imageio_ffmpeg

    shots = [np.asarray(shot) for shot in frames(scene, PANEL)]
    # The format needs an even number of pixels along each side.
    height, width = (length - length % 2 for length in shots[0].shape[:2])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sweep.mp4"
        writer = imageio_ffmpeg.write_frames(
            str(path), (width, height), fps=scene.stops_per_second, macro_block_size=2
        )
        writer.send(None)
        for shot in [*shots, *shots[-2:0:-1]]:
            writer.send(np.ascontiguousarray(shot[:height, :width]))
        writer.close()
        return path.read_bytes()


def _palette(scene: Scene, steps: int) -> Image.Image:
    """Return the colours of the picture and their shades on the background and on a set."""
    named = [class_colour(scene, k, LIGHT) for k in range(len(drawn_kinds(scene)))]
    paper, accent, alarm, text, *classes = (
        np.array(ImageColor.getrgb(colour), dtype=float)
        for colour in (LIGHT.background, LIGHT.accent, LIGHT.alarm, LIGHT.text, *named)
    )
    grounds = [paper, paper + LIGHT.fill_opacity * (accent - paper)]
    shares = np.arange(1, steps + 1)[:, None] / steps
    inks = (accent, alarm, text, *classes)
    shades = [ground + shares * (ink - ground) for ground in grounds for ink in inks]
    # Backgrounds, grid and frame.
    shades += [ground + share * (text - ground) for ground in grounds for share in (0, 0.07, 0.22)]
    colours = np.unique(np.vstack(shades).round().astype(np.uint8), axis=0)
    image = Image.new("P", (1, 1))
    # Pillow fills up a shorter palette with colours of its own.
    image.putpalette(np.resize(colours, (256, 3)).tobytes())
    return image


def _animation(shots: list[Image.Image], form: str, scene: Scene, **options: int) -> bytes:
    out, step = io.BytesIO(), round(1000 / scene.stops_per_second)
    durations = [step] * (len(shots) - 1) + [HOLD]
    shots[0].save(
        out, form, save_all=True, append_images=shots[1:], duration=durations, loop=0, **options
    )
    return out.getvalue()
