"""Legends of pictures: samples and their names, in as many columns as fit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure

from nestviz.drawing import canvas
from nestviz.escaping import plain
from nestviz.palette import Theme

LINE, LETTER, SAMPLE = 20.0, 7.2, 45.0
"""Height of a line, width of a letter, and of what stands beside a name, in pixels."""


def legend_columns(names: Sequence[str], width: float) -> int:
    """Return the most columns of a legend that fit into a picture of some width, in pixels."""
    free = width - canvas.MARGIN_LEFT
    for count in range(len(names), 1, -1):
        # As matplotlib fills them: column by column.
        widths = (max(map(len, part)) for part in np.array_split(np.array(names), count))
        if sum(wide * LETTER + SAMPLE for wide in widths) <= free:
            return count
    return 1


def write_legend(
    figure: Figure,
    samples: Sequence[tuple[str, Artist]],
    theme: Theme,
    bottom: float,
    columns: int | None = None,
) -> None:
    """Write samples and their names in a line, or so many columns, down to ``bottom`` pixels."""
    width, height = figure.get_size_inches() * canvas.DPI
    anchor = (canvas.MARGIN_LEFT / width, bottom / height)
    style = {"fontsize": 11.5, "labelcolor": to_rgba(theme.text, 0.85), "frameon": False}
    space = {"borderpad": 0, "borderaxespad": 0, "handlelength": 1.5, "handleheight": 1}
    space |= {"handletextpad": 0.6, "columnspacing": 1.6, "ncols": columns or len(samples)}
    names, handles = zip(*samples, strict=True)
    texts = [plain(name) for name in names]
    drawn = figure.legend(handles, texts, loc="lower left", bbox_to_anchor=anchor, **style, **space)
    for text in drawn.get_texts():
        text.set_parse_math(False)
