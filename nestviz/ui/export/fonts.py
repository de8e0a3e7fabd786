"""The letters of painted pictures."""

from __future__ import annotations

import functools
from importlib.resources import files

from PIL import ImageFont

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
OTHERS = ("DejaVuSans.ttf", "LiberationSans-Regular.ttf", "Arial.ttf", "Helvetica.ttc")
WEIGHTS = {False: 400, True: 650}


@functools.lru_cache(maxsize=64)
def font(size: float, bold: bool) -> Font:
    """A sans serif font with Greek letters: the app's own, or one of the system's.

    Where a machine has neither, the painter's small built-in font is used.
    """
    for path in (*_own(), *OTHERS):
        try:
            found = ImageFont.truetype(path, size)
        except OSError:
            continue
        if _variable(found):
            found.set_variation_by_axes([WEIGHTS[bold]])
        return found
    return ImageFont.load_default(size)


@functools.cache
def _own() -> tuple[str, ...]:
    """The font that Streamlit brings along for the app's pages."""
    folder = files("streamlit").joinpath("static", "static", "media")
    if not folder.is_dir():
        return ()
    names = sorted(entry.name for entry in folder.iterdir())
    mine = [name for name in names if name.startswith("SourceSansVF-Upright")]
    return tuple(str(folder.joinpath(name)) for name in mine)


def _variable(found: ImageFont.FreeTypeFont) -> bool:
    try:
        return bool(found.get_variation_axes())
    except OSError:
        return False
