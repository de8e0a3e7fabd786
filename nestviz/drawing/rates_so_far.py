"""Small pictures of two error rates while they are being computed, as SVG text.

They change several times a second: an image is replaced without a flicker, which a chart is not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import to_hex

from nestviz.arrays import FloatArray
from nestviz.palette import NEUTRAL, VERMILION, Theme

WIDTH, HEIGHT = 300, 270
LEFT, TOP, SIDE = 50, 10, 210
"""Of the square that has the values, in the units of the picture."""
SCALE = "cividis"
"""The colours of rates, as in the maps of a finished search."""


def rate_map(rates: FloatArray, theme: Theme) -> str:
    """Draw one rate over (ν₊, ν₋), 0 dark and 1 bright; unknown cells are left empty.

    Parameters
    ----------
    rates : ndarray of shape (n_plus, n_minus)
        The rates, NaN where they are unknown.
    theme : Theme
        Colours of the page.

    Returns
    -------
    str
        The text of an SVG file.
    """
    colours = colormaps[SCALE]
    n_plus, n_minus = rates.shape
    wide, high = SIDE / n_plus, SIDE / n_minus
    cells = [
        f'<rect x="{LEFT + a * wide:.2f}" y="{TOP + SIDE - (b + 1) * high:.2f}" '
        f'width="{wide + 0.3:.2f}" height="{high + 0.3:.2f}" '
        f'fill="{to_hex(colours(float(rates[a, b])))}"/>'
        for a, b in np.argwhere(np.isfinite(rates)).tolist()
    ]
    return _picture(cells, theme, ("ν₊", "ν₋"))


def rate_points(
    false_alarm: FloatArray,
    miss: FloatArray,
    theme: Theme,
    *,
    best: tuple[float, float],
    alpha: float | None,
) -> str:
    """Draw all settings known so far by their false alarms and hits, and the best one.

    Parameters
    ----------
    false_alarm, miss : ndarray
        Rates of all settings, NaN where they are unknown.
    theme : Theme
        Colours of the page.
    best : tuple of float
        Both rates of the best setting.
    alpha : float or None
        The limit on false alarms, as a dashed line.

    Returns
    -------
    str
        The text of an SVG file.
    """
    known = np.isfinite(false_alarm) & np.isfinite(miss)
    pairs = np.unique(np.column_stack([false_alarm[known], miss[known]]), axis=0)
    marks = [
        f'<circle cx="{_x(alarm)}" cy="{_y(1.0 - missed)}" r="2.5" fill="{NEUTRAL}" '
        'fill-opacity="0.6"/>'
        for alarm, missed in pairs.tolist()
    ]
    if alpha is not None:
        marks.append(
            f'<line x1="{_x(alpha)}" y1="{TOP}" x2="{_x(alpha)}" y2="{TOP + SIDE}" '
            f'stroke="{VERMILION}" stroke-dasharray="5 4"/>'
        )
    marks.append(
        f'<circle cx="{_x(best[0])}" cy="{_y(1.0 - best[1])}" r="7" fill="none" '
        f'stroke="{VERMILION}" stroke-width="3"/>'
    )
    return _picture(marks, theme, ("false alarm rate", "1 − miss rate"))


def _x(value: float) -> str:
    return f"{LEFT + SIDE * value:.1f}"


def _y(value: float) -> str:
    return f"{TOP + SIDE * (1.0 - value):.1f}"


def _picture(content: Sequence[str], theme: Theme, names: tuple[str, str]) -> str:
    """Put a frame with ticks at 0 and 1 and the names of the axes around the content."""
    bottom, middle = TOP + SIDE, LEFT + SIDE / 2
    x, y = names
    words = (
        f'<text x="{LEFT}" y="{bottom + 18}" text-anchor="middle">0</text>'
        f'<text x="{LEFT + SIDE}" y="{bottom + 18}" text-anchor="middle">1</text>'
        f'<text x="{middle}" y="{bottom + 36}" text-anchor="middle">{x}</text>'
        f'<text x="{LEFT - 8}" y="{bottom + 4}" text-anchor="end">0</text>'
        f'<text x="{LEFT - 8}" y="{TOP + 8}" text-anchor="end">1</text>'
        f'<text transform="translate({LEFT - 22} {TOP + SIDE / 2}) rotate(-90)" '
        f'text-anchor="middle">{y}</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="13" '
        f'fill="{theme.text}">{"".join(content)}'
        f'<rect x="{LEFT}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" '
        f'stroke="{NEUTRAL}"/>{words}</svg>'
    )
