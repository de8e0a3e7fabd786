"""Check the box of coordinates that a picture shows."""

from collections.abc import Sequence

import numpy as np


def check_view(view: Sequence[float]) -> None:
    """Refuse a view box that is not finite or has no area."""
    xmin, xmax, ymin, ymax = view
    if not (np.isfinite(view).all() and xmin < xmax and ymin < ymax):
        raise ValueError(
            "The view (xmin, xmax, ymin, ymax) must be finite with xmin < xmax and ymin < ymax, "
            f"not {view}."
        )
