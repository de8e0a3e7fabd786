"""Points of several kinds as the app's own pictures draw them: colours, shapes and sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.colors import sample_colorscale

from nestviz.arrays import FloatArray, IntArray
from nestviz.figures.traces import marks
from nestviz.palette import LIGHT, marker_radius, rgba

SYMBOLS = {
    "circle": ("circle", 1.0),
    "triangle": ("triangle-up", 1.3),
    "square": ("square", 0.9),
    "diamond": ("diamond", 1.0),
    "cross": ("x", 1.2),
    "wedge": ("triangle-down", 1.3),
    "star": ("star", 1.1),
}
"""Shape of `nestviz.palette.SHAPES` to Plotly's name, and a factor that equals their areas."""


@dataclass(frozen=True, eq=False)
class PointLooks:
    """Colour and mark of each point.

    Parameters
    ----------
    kinds : sequence of (str, int, str)
        Name of each kind in the legend, index of its colour in the palette (−1 is the colour of
        text, faded), and its shape, one of `nestviz.palette.SHAPES`.
    kind_of : ndarray of shape (n_points,)
        Index of the kind of each point.
    shades : ndarray of shape (n_points,), optional
        From 0, pale and small, to 1, vivid and large; instead of the colours of the kinds.
    title : str
        What the colours mean.
    """

    kinds: Sequence[tuple[str, int, str]]
    kind_of: NDArray[np.integer[Any]]
    shades: FloatArray | None = None
    title: str = ""

    def order(self) -> IntArray:
        """Return the rows from the one drawn first to the one in front."""
        shades = np.zeros(len(self.kind_of)) if self.shades is None else self.shades
        return np.lexsort((self.kind_of, shades))

    def marker(self, rows: IntArray) -> dict[str, Any]:
        """Return the markers of some points in Plotly's words: symbol, size and colour."""
        kinds = self.kind_of[rows]
        symbols = [SYMBOLS[shape] for _, _, shape in self.kinds]
        factors = np.array([factor for _, factor in symbols])[kinds]
        quiet = np.array([colour < 0 for _, colour, _ in self.kinds])[kinds]
        if self.shades is None:
            growth, colour = np.where(quiet, 0.75, 1.05), self._colours(kinds)
        else:
            shades = self.shades[rows]
            growth, colour = 0.8 + 0.75 * shades**3, score_colours(shades)
        return {
            "symbol": [symbols[kind][0] for kind in kinds],
            "size": 2.0 * marker_radius(len(self.kind_of)) * growth * factors,
            "color": colour,
            "line": {"color": "white", "width": 0.8},
            "opacity": 1.0,
        }

    def legend(self) -> list[go.Scatter]:
        """Return an entry of the legend for each kind that has points."""
        used = [k for k in range(len(self.kinds)) if np.any(self.kind_of == k)]
        colours = self._colours(used)
        if self.shades is not None:
            colours = score_colours([0.5 if self.kinds[k][1] < 0 else 1.0 for k in used])
        return [
            marks(
                np.full((1, 2), np.nan),
                self.kinds[k][0],
                colour,
                SYMBOLS[self.kinds[k][2]][0],
                9,
                showlegend=True,
            )
            for k, colour in zip(used, colours, strict=True)
        ]

    def _colours(self, kinds: Any) -> list[str]:
        classes = LIGHT.classes
        table = [
            rgba(LIGHT.text, 0.5) if colour < 0 else classes[colour % len(classes)]
            for _, colour, _ in self.kinds
        ]
        return [table[kind] for kind in kinds]


def score_colours(shares: Any) -> list[str]:
    """Return colours from quiet to vivid.

    Most scores are middling, and the vivid end is for the top.
    """
    found: list[str] = sample_colorscale(
        list(LIGHT.score_range), (np.asarray(shares, dtype=np.float64) ** 4).tolist()
    )
    return found
