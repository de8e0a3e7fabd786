"""Families of a variant for the player while its knob moves, without a rerun of the page."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nestviz.data import DataError, Dataset
from nestviz.grids import Plane
from nestviz.kernels import median_distance
from nestviz.ui.compute import variants
from nestviz.ui.compute.variants import Variant
from nestviz.ui.live.question import LiveQuestion
from nestviz.ui.panels.live_scenes import allowed, edited_data
from nestviz.ui.results import cache
from nestviz.ui.scene.message import encode_scene
from nestviz.ui.scene.scene import Layer


@dataclass(frozen=True)
class VariantBuilder:
    """Builds the scene of a variant for other values of its knob, or for edited points."""

    data: Dataset
    plane: Plane
    variant: Variant
    start: float
    shown: tuple[Layer, ...]
    axis_names: tuple[str, str]
    unit: float  # The length of a width of 1
    owner: str | None  # Whose results these are; see `nestviz.ui.results.cache`

    def __call__(self, question: LiveQuestion) -> bytes:
        """Return the message of a scene; nothing if it is no longer needed."""
        known = self.known(question)
        if known is not None:
            return known
        data, variant = self._asked(question)
        found = self._made(data, variant, question)
        if question.points is None and found:
            cache.STORE.put(self.owner, self._key(variant), found)
        return found

    def known(self, question: LiveQuestion) -> bytes | None:
        """Return the message if it is cached."""
        if question.points is not None:
            return None
        found: bytes | None = cache.STORE.get(self.owner, self._key(self._asked(question)[1]))
        return found

    def _asked(self, question: LiveQuestion) -> tuple[Dataset, Variant]:
        """Return data and variant of a question; edited points bring their classes along."""
        knobs = {key: value for key, value in question.knobs.items() if allowed(key, value)}
        if question.points is None:
            return self.data, self.variant.turned(knobs, self.unit)
        data = edited_data(self.data, question.points, question.classes)
        variant = self.variant.turned(knobs, median_distance(data.X))
        return data, of_classes(variant, data)

    def _key(self, variant: Variant) -> tuple[Hashable, ...]:
        parts = (self.start, self.shown, self.axis_names)
        return cache.plain(("live variant", self.data, self.plane, variant, *parts))

    def _made(self, data: Dataset, variant: Variant, question: LiveQuestion) -> bytes:
        def report(done: float, text: str = "", partial: Any = None) -> bool:
            return question.stopped()

        found = variants.families(variant, data.X, variants.SOLVED_LIVE, report)
        if question.stopped():
            return b""
        scene = variants.scene_of(
            data,
            self.plane,
            variant,
            found,
            start=self.start,
            shown=self.shown,
            axis_names=self.axis_names,
        )
        # The browser keeps the names of points.
        return encode_scene(replace(scene, point_names=()), detail="knots")


def of_classes(variant: Variant, data: Dataset) -> Variant:
    """Return the variant whose other points are those of class −1; a ball has none."""
    if variant.kind == "ball" or data.y is None:
        return variant
    rows = tuple(np.flatnonzero(data.y < 0).tolist())
    if len(rows) > data.n - 2:
        raise DataError("Fewer than two points of class +1 are left.", hint="Add some, or undo.")
    return replace(variant, rows=rows)
