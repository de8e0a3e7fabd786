"""The layer "Band": where the boundaries of samples drawn from the data differ.

The player offers it as a switch. Once it is on, a worker computes the bands while the page is in
use; then the page runs again with the bands in its scene.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from nestviz.analysis.resampling.draws import Method
from nestviz.data import Dataset
from nestviz.grids import Plane
from nestviz.ui.compute import resamples
from nestviz.ui.compute.frames import Frames
from nestviz.ui.compute.methods import Spec
from nestviz.ui.results import cache, jobs
from nestviz.ui.scene.lattices import Band
from nestviz.ui.session.view import view
from nestviz.ui.widgets import inputs

METHODS: tuple[Method, ...] = ("bootstrap", "subsample")


def method_control() -> None:
    """Show how samples are drawn."""
    inputs.segments("resampling", list(METHODS))


def chosen_method() -> Method:
    """Return how samples are drawn."""
    return "subsample" if view().resampling == "subsample" else "bootstrap"


@dataclass(frozen=True, eq=False)
class BandWork:
    """The bands of a scene: what they depend on, and where their progress is shown."""

    data: Dataset
    plane: Plane
    specs: tuple[Spec, ...]
    frames: Frames
    slot: Any = None

    @property
    def key(self) -> tuple[Any, ...]:
        """Everything that the bands depend on."""
        return self.data, self.plane, self.specs, self.frames.levels, chosen_method()

    def known(self) -> tuple[Band, ...]:
        """Return the band of each method, if they have been computed."""
        key = jobs.full_key(resamples.bands, self.key)
        found: tuple[Band, ...] | None = cache.STORE.get(cache.owner(), key)
        return found or ()

    def complete(self) -> None:
        """Compute the bands where they are not known, then run the page again with them.

        To be called last: until the bands are there, the page ends here.
        """
        if few := resamples.too_few(self.data.n, chosen_method()):
            self.slot.info(few)
            return
        if not self.known():
            self._compute()
        st.rerun()

    def _compute(self) -> None:
        data = self.data
        with self.slot:
            jobs.run(
                self.key,
                resamples.bands,
                self.specs,
                data.X,
                data.y,
                data.weights,
                self.plane,
                self.frames.levels,
                chosen_method(),
                title=f"Fitting to {resamples.RESAMPLES} samples drawn from the data",
            )
