"""Names of points beside their pictures: row, identifiers and dates of a file."""

from __future__ import annotations

from nestviz.data import Dataset
from nestviz.escaping import LONGEST_NAME, plain

MOST_NAMES = 5_000
"""With more points than this their numbers stand for them: messages stay small."""


def point_names(data: Dataset) -> tuple[str, ...]:
    """Return what identifies each point; nothing where that is its number alone."""
    notes = data.annotations
    unnamed = data.weights is None and (notes is None or notes.rows is None)
    if unnamed or data.n > MOST_NAMES:
        return ()
    return tuple(plain(data.point_name(row), LONGEST_NAME) for row in range(data.n))
