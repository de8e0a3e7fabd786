"""The pictures that a part of a page has shown, for its handout."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from nestviz.ui.scene.scene import Scene


@dataclass(frozen=True, eq=False)
class ShownFigure:
    """A Plotly figure with its height on the page, and what is seen."""

    figure: Any
    height: int
    alt: str


Shown = ShownFigure | Scene
_shown: ContextVar[list[Shown] | None] = ContextVar("shown", default=None)


@contextmanager
def collected() -> Iterator[list[Shown]]:
    """Collect the pictures that are shown within the block."""
    found: list[Shown] = []
    token = _shown.set(found)
    try:
        yield found
    finally:
        _shown.reset(token)


def note(picture: Shown) -> None:
    """Add a picture to those that are being collected, if any are."""
    found = _shown.get()
    if found is not None:
        found.append(picture)
