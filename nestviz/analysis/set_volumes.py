"""The volume of every set of a family, from the levels at which reference locations enter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nestviz.arrays import FloatArray
from nestviz.families import SetFamily
from nestviz.grids import Grid
from nestviz.volume.reference import Reference, as_reference


@dataclass(frozen=True, eq=False)
class SetVolumes:
    """Volumes of the sets of a family.

    Attributes
    ----------
    entries : ndarray of shape (n_scramblings, n_locations)
        Entry levels of the reference locations, signed so that they rise as the sets grow, in
        order within each independent scrambling.
    reference : Reference
        The locations.
    """

    entries: FloatArray
    reference: Reference

    @classmethod
    def of(
        cls, family: SetFamily, reference: Reference | Grid, levels: FloatArray | None = None
    ) -> SetVolumes:
        """Return the volumes of a family.

        ``levels`` are the entry levels of the reference locations, if they are known.
        """
        known = as_reference(reference)
        entered = family.first_level(known.points) if levels is None else levels
        blocks = (family.orientation * entered).reshape(known.scramblings, -1)
        return cls(np.sort(blocks, axis=1), known)

    def up_to(self, entry: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the volume that has entered up to each signed level, and its standard error.

        Infinite for an infinite level: no set contains such a point.
        """
        # One estimate per independent scrambling: their spread is the error.
        inside = [np.searchsorted(block, entry, side="right") for block in self.entries]
        estimates = self.reference.volume * np.stack(inside, axis=1) / self.entries.shape[1]
        never = entry == np.inf
        volume = np.where(never, np.inf, estimates.mean(axis=1))
        return volume, np.where(never, 0.0, self.reference.standard_error(estimates))
