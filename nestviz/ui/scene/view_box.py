"""Check the box of coordinates that a picture shows."""

from collections.abc import Sequence

import numpy as np

Box = tuple[float, float, float, float]
FLATTEST = 0.3
"""A picture is to scale; of data along a line it shows more, so that it is never a thin strip."""


def check_view(view: Sequence[float]) -> None:
    """Refuse a view box that is not finite or has no area."""
    xmin, xmax, ymin, ymax = view
    if not (np.isfinite(view).all() and xmin < xmax and ymin < ymax):
        raise ValueError(
            "The view (xmin, xmax, ymin, ymax) must be finite with xmin < xmax and ymin < ymax, "
            f"not {view}."
        )


def shown_box(box: Box) -> Box:
    """Return a box at least `FLATTEST` times as high as wide, and as wide as high."""
    xmin, xmax, ymin, ymax = box
    wide, high = xmax - xmin, ymax - ymin
    more_x, more_y = max(FLATTEST * high - wide, 0.0) / 2, max(FLATTEST * wide - high, 0.0) / 2
    return xmin - more_x, xmax + more_x, ymin - more_y, ymax + more_y
